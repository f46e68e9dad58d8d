package tool

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"kandev/backend/catalog"
)

// Set is an immutable set of tools that passed the gate. It is safe for
// concurrent use; the definitions it returns are read only. The zero value and
// nil hold no tool.
type Set struct {
	rev     uint64
	entries []*entry // built-in ones first, each kind by canonical name
	byName  map[string]*entry

	served, aliased []Presented // plain and namespaced presentation
}

type entry struct {
	def      Definition
	checked  Checked
	warnings []string
}

// Refusal is a tool that is not in the set, and why, in words for a person.
type Refusal struct {
	Name   string
	Source string // the plugin's id, empty for a built-in tool
	Reason string
	Err    error // wraps ErrRefused
}

// ForLog is the reason as a log may have it: without what it quotes of a schema.
func (r Refusal) ForLog() string {
	if e, ok := errors.AsType[compileError](r.Err); ok && e.quoted != "" {
		return strings.TrimSuffix(r.Reason, ": "+e.quoted)
	}
	return r.Reason
}

// NewSet checks every definition. One that fails, or whose name is taken, is
// refused; the others are in the set. rev is the caller's number of this set.
func NewSet(rev uint64, defs ...Definition) (*Set, []Refusal) {
	s := &Set{rev: rev, byName: make(map[string]*entry, len(defs))}
	var refused []Refusal
	for _, d := range defs {
		checked, warnings, err := Check(d)
		if err == nil && s.byName[d.Name] != nil {
			err = errTaken
		}
		if err != nil {
			refused = append(refused, Refusal{Name: d.Name, Source: d.Source.Plugin, Reason: err.Error(), Err: err})
			continue
		}
		e := &entry{def: d, checked: checked, warnings: warnings}
		s.byName[d.Name] = e
		s.entries = append(s.entries, e)
	}
	slices.SortFunc(s.entries, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), strings.Compare(a.def.Name, b.def.Name))
	})
	s.served, s.aliased = s.present(false), s.present(true)
	return s, refused
}

// rank puts the tools of plugins last: a client that cuts a long list keeps
// ours, and a plugin that comes or goes does not move them.
func (e *entry) rank() int {
	if e.def.Source.Kind == catalog.KindBuiltin {
		return 0
	}
	return 1
}

// Rev is the number NewSet was given.
func (s *Set) Rev() uint64 {
	if s == nil {
		return 0
	}
	return s.rev
}

// Len is the number of tools.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return len(s.entries)
}

// Lookup returns the tool registered under exactly this canonical name.
func (s *Set) Lookup(name string) (*Definition, bool) {
	if s == nil {
		return nil, false
	}
	e, ok := s.byName[name]
	if !ok {
		return nil, false
	}
	return &e.def, true
}

// Checked returns what the gate made of a tool of this set: the schemas as
// they are served.
func (s *Set) Checked(name string) (Checked, bool) {
	if s == nil {
		return Checked{}, false
	}
	e, ok := s.byName[name]
	if !ok {
		return Checked{}, false
	}
	return e.checked, true
}

// Warnings lists what the gate noted about the tools of this set, by canonical
// name: each is served, but not enforced as it declares.
func (s *Set) Warnings() map[string][]string {
	out := map[string][]string{}
	if s == nil {
		return out
	}
	for _, e := range s.entries {
		if len(e.warnings) > 0 {
			out[e.def.Name] = slices.Clone(e.warnings)
		}
	}
	return out
}

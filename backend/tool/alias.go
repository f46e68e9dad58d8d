package tool

import (
	"strings"

	"kandev/backend/catalog"
)

// Presented is one tool under the name an endpoint serves it by.
type Presented struct {
	Served string
	Def    *Definition // of the set; read only
}

// Present lists the tools as an endpoint serves them: built-in ones first, each
// kind by canonical name.
// namespaced is the client's capability NamespacesToolsByServer: a built-in
// tool then goes without one trailing "_kandev", unless the shorter name is
// registered itself or empty. Plugin tools keep their names always. No two
// tools are served by one name. The slice is shared: read only.
func (s *Set) Present(namespaced bool) []Presented {
	switch {
	case s == nil:
		return nil
	case namespaced:
		return s.aliased
	}
	return s.served
}

func (s *Set) present(namespaced bool) []Presented {
	out := make([]Presented, len(s.entries))
	for i, e := range s.entries {
		out[i] = Presented{Served: e.def.Name, Def: &e.def}
		if namespaced {
			out[i].Served = s.short(e)
		}
	}
	return out
}

func (s *Set) short(e *entry) string {
	short, ok := strings.CutSuffix(e.def.Name, suffix)
	if !ok || short == "" || e.def.Source.Kind != catalog.KindBuiltin || s.byName[short] != nil {
		return e.def.Name
	}
	return short
}

// Resolve maps the name that a client sent to a tool. An exactly registered
// name always wins; with namespaced a built-in tool is also found without its
// suffix.
func (s *Set) Resolve(sent string, namespaced bool) (*Definition, bool) {
	if d, ok := s.Lookup(sent); ok {
		return d, true
	}
	if !namespaced || sent == "" {
		return nil, false
	}
	d, ok := s.Lookup(sent + suffix)
	if !ok || d.Source.Kind != catalog.KindBuiltin {
		return nil, false
	}
	return d, true
}

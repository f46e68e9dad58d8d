package plugin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// object is one JSON object, read strictly: member names count letter by
// letter and none comes twice, so that no two readers of one manifest can see
// different things. The first fault is kept; later reads do nothing.
type object struct {
	at      string // where it stands in the file, for messages
	members map[string]json.RawMessage
	order   []string
	used    map[string]bool
	err     error
}

func readObject(at string, raw json.RawMessage) *object {
	o := &object{at: at, members: map[string]json.RawMessage{}, used: map[string]bool{}}
	dec := json.NewDecoder(bytes.NewReader(raw))
	open, err := dec.Token()
	if err != nil {
		o.err = fmt.Errorf("%s is not valid JSON", at)
		return o
	}
	if open != json.Delim('{') {
		o.err = fmt.Errorf("%s has to be an object", at)
		return o
	}
	for dec.More() {
		key, err := dec.Token()
		name, ok := key.(string)
		var value json.RawMessage
		if err != nil || !ok || dec.Decode(&value) != nil {
			o.err = fmt.Errorf("%s is not valid JSON", at)
			return o
		}
		if _, twice := o.members[name]; twice {
			o.err = fmt.Errorf("%s has %.60q twice", at, name)
			return o
		}
		o.members[name] = value
		o.order = append(o.order, name)
	}
	if _, err := dec.Token(); err != nil || len(bytes.TrimSpace(raw[dec.InputOffset():])) > 0 {
		o.err = fmt.Errorf("%s is not valid JSON", at)
	}
	return o
}

func (o *object) fail(format string, args ...any) {
	if o.err == nil {
		o.err = fmt.Errorf(format, args...)
	}
}

// path names a member of this object.
func (o *object) path(name string) string {
	if o.at == rootName {
		return name
	}
	return o.at + "." + name
}

// take returns a member and marks it as known; a null counts as absent.
func (o *object) take(name string) (json.RawMessage, bool) {
	o.used[name] = true
	raw, ok := o.members[name]
	if o.err != nil || !ok || string(raw) == "null" {
		return nil, false
	}
	return raw, true
}

// into decodes a member into a plain Go value.
func (o *object) into(name string, value any, what string) bool {
	raw, ok := o.take(name)
	if !ok {
		return false
	}
	if err := json.Unmarshal(raw, value); err != nil {
		o.fail("%s has to be %s", o.path(name), what)
		return false
	}
	return true
}

// text reads a string of at most limit bytes; need says that it may not be
// empty or absent.
func (o *object) text(name string, need bool, limit int) string {
	var s string
	o.into(name, &s, "a text")
	switch {
	case o.err != nil:
		return ""
	case need && s == "":
		o.fail("%s is missing", o.path(name))
	case len(s) > limit:
		o.fail("%s has %d bytes, at most %d are allowed", o.path(name), len(s), limit)
	case !printable(s):
		o.fail("%s holds control characters", o.path(name))
	}
	return s
}

func (o *object) number(name string, unset, low, high int) int {
	n := unset
	o.into(name, &n, "a whole number")
	if o.err == nil && (n < low || n > high) {
		o.fail("%s is %d, allowed are %d to %d", o.path(name), n, low, high)
	}
	return n
}

func (o *object) flag(name string) bool {
	var b bool
	o.into(name, &b, "true or false")
	return b
}

func (o *object) hint(name string) *bool {
	var b bool
	if !o.into(name, &b, "true or false") {
		return nil
	}
	return &b
}

// child reads a member that is an object.
func (o *object) child(name string) (*object, bool) {
	raw, ok := o.take(name)
	if !ok {
		return nil, false
	}
	c := readObject(o.path(name), raw)
	if c.err != nil {
		o.fail("%w", c.err)
		return nil, false
	}
	return c, true
}

// unknown lists the members that nothing asked for, in the file's order.
func (o *object) unknown() []string {
	return slices.DeleteFunc(slices.Clone(o.order), func(name string) bool { return o.used[name] })
}

// printable tells text a person can be shown from bytes that move a cursor or
// turn the direction of writing. Line ends and tabs are text.
func printable(s string) bool {
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
		case r < ' ' || r >= 0x7f && r < 0xa0:
			return false
		case r == '\u061c' || r == '\u200e' || r == '\u200f', r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
			return false
		}
	}
	return utf8.ValidString(s)
}

var errUTF8 = errors.New("not valid UTF-8")

package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// Bounds of the text that a refused call gets.
const (
	maxProblems = 8
	maxPointer  = 160 // bytes of one JSON pointer
)

// maxArgumentDepth bounds the nesting of arguments, so that no recursive
// schema has to follow them for ever.
const maxArgumentDepth = 256

// validate checks raw against s and returns what is wrong, one line a problem,
// or "" when it is valid. Numbers keep their exact value. The text names the
// place, the keyword and the missing or unknown names, never a value. A nil
// schema fails closed.
func validate(s *jsonschema.Schema, raw json.RawMessage) (wrong string) {
	defer func() {
		if recover() != nil { // a defect of the library is no valid call
			wrong = "could not be checked against the schema"
		}
	}()
	if s == nil {
		return "the schema of this tool could not be compiled"
	}
	sum := scan(raw)
	if sum.depth > maxArgumentDepth {
		return fmt.Sprintf("more than %d levels deep", maxArgumentDepth)
	}
	if sum.hugeNumber {
		return "a number is out of range"
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return "not valid JSON"
	}
	err = s.Validate(value)
	if err == nil {
		return ""
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return "could not be checked against the schema"
	}
	return strings.Join(problems(invalid, "arguments"), "; ")
}

// problems lists the leaves of a validation error, at most maxProblems. What an
// undeclared member is otherwise called an error of depends on the order the
// members were looked at; a missing or mistyped one comes first. whole is what
// the root is called.
func problems(root *jsonschema.ValidationError, whole string) []string {
	var out, unknown []string
	more := false
	seen := map[string]bool{}
	var walk func(*jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		for _, cause := range e.Causes {
			walk(cause)
		}
		if len(e.Causes) > 0 {
			return
		}
		line, isUnknown := problem(e, whole)
		switch {
		case seen[line]:
		case len(seen) == maxProblems:
			more = true
		case isUnknown:
			unknown = append(unknown, line)
			seen[line] = true
		default:
			out = append(out, line)
			seen[line] = true
		}
	}
	walk(root)
	out = append(out, unknown...)
	if more {
		out = append(out, "and more")
	}
	return out
}

func problem(e *jsonschema.ValidationError, whole string) (line string, unknown bool) {
	at := pointer(e.InstanceLocation, whole)
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		return at + ": required: missing " + quoted(k.Missing), false
	case *kind.DependentRequired:
		return at + ": dependentRequired: missing " + quoted(k.Missing), false
	case *kind.Dependency:
		return at + ": dependencies: missing " + quoted(k.Missing), false
	case *kind.AdditionalProperties:
		return at + ": additionalProperties: unknown " + quoted(k.Properties), true
	case *kind.FalseSchema:
		return at + ": not a known argument", true
	case *kind.Type:
		return at + ": type: must be " + strings.Join(k.Want, " or "), false
	}
	keyword := strings.Join(e.ErrorKind.KeywordPath(), "/")
	if keyword == "" {
		keyword = "schema"
	}
	return at + ": " + keyword, false
}

// pointer writes a JSON pointer (RFC 6901), cut at maxPointer.
func pointer(path []string, whole string) string {
	if len(path) == 0 {
		return whole
	}
	var b strings.Builder
	for _, p := range path {
		b.WriteByte('/')
		b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(p))
	}
	return cut(b.String(), maxPointer)
}

func quoted(names []string) string {
	out := make([]string, 0, min(len(names), maxProblems+1))
	for i, n := range names {
		if i == maxProblems {
			out = append(out, "…")
			break
		}
		out = append(out, fmt.Sprintf("%q", cut(n, maxPointer)))
	}
	return strings.Join(out, ", ")
}

func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + "…"
}

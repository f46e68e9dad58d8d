package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// How the root object of a schema is enforced.
type rootRule bool

const (
	asDeclared rootRule = false
	closedRoot rootRule = true // unknown root members are refused, whatever is declared
)

// maxExpansion bounds how often one value is looked at through $ref, allOf and
// the like: a chain of doubled references would else take for ever.
const maxExpansion = 10_000

// Addresses of the in-memory documents. Nothing is ever loaded from them.
const (
	schemaURL  = "mem:///tool/schema.json"
	wrapperURL = "mem:///tool/closed.json"
)

type checkedSchema struct {
	served   json.RawMessage
	compiled *jsonschema.Schema
}

// checkSchema bounds, compiles and completes one object schema.
func checkSchema(raw json.RawMessage, rule rootRule) (checkedSchema, []string, error) {
	compact, doc, err := decode(raw)
	if err != nil {
		return checkedSchema{}, nil, err
	}
	root, ok := doc.(map[string]any)
	if !ok {
		return checkedSchema{}, nil, errors.New("not an object")
	}
	if root["type"] != "object" {
		return checkedSchema{}, nil, errors.New(`the root needs "type":"object"`)
	}
	if hasKey(doc, "x-mcp-header") {
		return checkedSchema{}, nil, errors.New("x-mcp-header is not supported")
	}
	if _, ok := root["properties"]; !ok {
		compact = withProperties(compact)
	}
	var warnings []string
	if rule == closedRoot {
		if open := openKeyword(root); open != "" {
			warnings = append(warnings, "root "+open+" is not honoured: unknown root arguments are refused")
			root = maps.Clone(root)
			delete(root, open)
		}
	}
	compiled, more, err := compile(root, rule)
	if err != nil {
		return checkedSchema{}, nil, err
	}
	return checkedSchema{served: compact, compiled: compiled}, append(warnings, more...), nil
}

// openKeyword names the root keyword that would let unknown members in.
func openKeyword(root map[string]any) string {
	for _, k := range []string{"additionalProperties", "unevaluatedProperties"} {
		if v, ok := root[k]; ok && v != false {
			return k
		}
	}
	return ""
}

// withProperties adds "properties":{} to a compact root without it: several
// model APIs refuse an object schema that lacks the member.
func withProperties(compact json.RawMessage) json.RawMessage {
	return append(bytes.TrimSuffix(compact, []byte("}")), `,"properties":{}}`...)
}

// noLoader refuses every document that is not in the schema itself; the
// library's default reads local files.
type noLoader struct{}

func (noLoader) Load(string) (any, error) {
	return nil, errors.New("a $ref or $schema outside the schema is not allowed")
}

// unchecked stands for a pattern that Go's engine cannot run.
type unchecked string

func (unchecked) MatchString(string) bool { return true }
func (u unchecked) String() string        { return string(u) }

// compile takes the root and, for a closed one, a wrapper around it: the
// wrapper speaks 2020-12 whatever dialect the tool declares.
func compile(root map[string]any, rule rootRule) (s *jsonschema.Schema, warnings []string, err error) {
	defer func() {
		if recover() != nil { // a defect of the library refuses one tool, no more
			s, warnings, err = nil, nil, compileError{}
		}
	}()
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(noLoader{})
	c.UseRegexpEngine(func(pattern string) (jsonschema.Regexp, error) {
		re, err := regexp.Compile(pattern)
		if err != nil {
			note := fmt.Sprintf("pattern %.80q is not checked: Go cannot run it", pattern)
			if !slices.Contains(warnings, note) { // the library asks twice
				warnings = append(warnings, note)
			}
			return unchecked(pattern), nil
		}
		return re, nil
	})
	if err := c.AddResource(schemaURL, root); err != nil {
		return nil, nil, uncompiled(err)
	}
	at := schemaURL
	if rule == closedRoot {
		at = wrapperURL
		wrapper := map[string]any{"$ref": schemaURL, "unevaluatedProperties": false}
		if err := c.AddResource(wrapperURL, wrapper); err != nil {
			return nil, nil, uncompiled(err)
		}
	}
	s, err = c.Compile(at)
	if err != nil {
		return nil, nil, uncompiled(err)
	}
	if n := expansion(s, map[*jsonschema.Schema]int{}); n > maxExpansion {
		return nil, nil, errors.New("its references multiply without bound")
	}
	return s, warnings, nil
}

// compileError is why a schema does not compile. quoted may hold text of the schema.
type compileError struct{ quoted string }

func (e compileError) Error() string {
	if e.quoted == "" {
		return "does not compile"
	}
	return "does not compile: " + e.quoted
}

// uncompiled says in one short line what is wrong with a schema.
func uncompiled(err error) error {
	var invalid *jsonschema.SchemaValidationError
	var at *jsonschema.ValidationError
	if errors.As(err, &invalid) && errors.As(invalid.Err, &at) {
		return compileError{strings.Join(problems(at, "root"), "; ")}
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return compileError{cut(line, maxPointer)}
}

// expansion counts the schemas that look at one and the same value. A schema
// that is met again inside itself counts once: such a cycle is a validation
// error of its own.
func expansion(s *jsonschema.Schema, seen map[*jsonschema.Schema]int) int {
	if s == nil {
		return 0
	}
	if n, ok := seen[s]; ok {
		return n
	}
	seen[s] = 1
	n := 1
	add := func(children ...*jsonschema.Schema) {
		for _, child := range children {
			n = min(n+expansion(child, seen), maxExpansion+1)
		}
	}
	add(s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else)
	if s.DynamicRef != nil {
		add(s.DynamicRef.Ref)
	}
	add(s.AllOf...)
	add(s.AnyOf...)
	add(s.OneOf...)
	for _, child := range s.DependentSchemas {
		add(child)
	}
	for _, d := range s.Dependencies {
		if child, ok := d.(*jsonschema.Schema); ok {
			add(child)
		}
	}
	seen[s] = n
	return n
}

// hasKey finds a member name anywhere in a document.
func hasKey(v any, key string) bool {
	switch v := v.(type) {
	case map[string]any:
		if _, ok := v[key]; ok {
			return true
		}
		for _, child := range v {
			if hasKey(child, key) {
				return true
			}
		}
	case []any:
		for _, child := range v {
			if hasKey(child, key) {
				return true
			}
		}
	}
	return false
}

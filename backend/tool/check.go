package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"kandev/backend/catalog"
)

// Bounds of the registration gate (spec/tools.md, "Two gates").
const (
	MaxName        = 50       // characters of a canonical name
	MaxSchemaBytes = 64 << 10 // of compact JSON
	MaxSchemaDepth = 64       // nested objects and arrays, the root included
	MaxSchemaNodes = 4000     // values of any kind
)

// suffix ends every built-in name and is what a namespacing client adds.
const suffix = "_kandev"

// ErrRefused is wrapped by every error of Check.
var ErrRefused = errors.New("tool refused")

// Checked is what the gate made of one definition: the schemas as they are
// served, compact, and their compiled forms.
type Checked struct {
	Input  json.RawMessage // always with "properties"
	Output json.RawMessage // nil when the tool declares none
	Meta   json.RawMessage // nil when the tool declares none

	input  *jsonschema.Schema
	output *jsonschema.Schema
}

// Check is the registration gate. It refuses what would break a client, the
// endpoint or another tool; warnings name what is served but not enforced as
// declared. The error wraps ErrRefused and says the reason in words for a person.
func Check(d Definition) (Checked, []string, error) {
	refuse := func(err error) (Checked, []string, error) {
		return Checked{}, nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if err := checkName(d); err != nil {
		return refuse(err)
	}
	if !utf8.ValidString(d.Title) || !utf8.ValidString(d.Description) {
		return refuse(errors.New("title or description is not valid UTF-8"))
	}
	if d.Handler == nil {
		return refuse(errors.New("no handler"))
	}
	in, warnings, err := checkSchema(d.InputSchema, closedRoot)
	if err != nil {
		return refuse(fmt.Errorf("input schema: %w", err))
	}
	c := Checked{Input: in.served, input: in.compiled}
	if len(d.OutputSchema) > 0 {
		out, more, err := checkSchema(d.OutputSchema, asDeclared)
		if err != nil {
			return refuse(fmt.Errorf("output schema: %w", err))
		}
		c.Output, c.output = out.served, out.compiled
		warnings = append(warnings, more...)
	}
	if len(d.Meta) > 0 {
		if c.Meta, err = checkMeta(d.Meta); err != nil {
			return refuse(fmt.Errorf("_meta: %w", err))
		}
	}
	return c, warnings, nil
}

func checkName(d Definition) error {
	if d.Name == "" {
		return errors.New("no name")
	}
	if len(d.Name) > MaxName {
		return fmt.Errorf("the name has %d characters, at most %d are allowed", len(d.Name), MaxName)
	}
	for _, r := range d.Name {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' {
			return errors.New("the name may hold a to z, 0 to 9 and _ only")
		}
	}
	if d.Source.Kind == catalog.KindBuiltin && !strings.HasSuffix(d.Name, suffix) {
		return fmt.Errorf("a built-in name ends in %s", suffix)
	}
	return nil
}

func checkMeta(raw json.RawMessage) (json.RawMessage, error) {
	compact, doc, err := decode(raw)
	if err != nil {
		return nil, err
	}
	if _, ok := doc.(map[string]any); !ok {
		return nil, errors.New("not an object")
	}
	return compact, nil
}

// decode returns raw as compact JSON and as a value with exact numbers, after
// the bounds on bytes, depth and nodes.
func decode(raw json.RawMessage) (json.RawMessage, any, error) {
	if !utf8.Valid(raw) {
		return nil, nil, errors.New("not valid UTF-8")
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		return nil, nil, errors.New("not valid JSON")
	}
	if compact.Len() > MaxSchemaBytes {
		return nil, nil, fmt.Errorf("%d bytes, at most %d are allowed", compact.Len(), MaxSchemaBytes)
	}
	if scan(compact.Bytes()).hugeNumber {
		return nil, nil, errors.New("a number is out of range")
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(compact.Bytes()))
	if err != nil {
		return nil, nil, errors.New("not valid JSON")
	}
	nodes, depth := measure(doc, 0)
	if depth > MaxSchemaDepth {
		return nil, nil, fmt.Errorf("more than %d levels deep", MaxSchemaDepth)
	}
	if nodes > MaxSchemaNodes {
		return nil, nil, fmt.Errorf("%d nodes, at most %d are allowed", nodes, MaxSchemaNodes)
	}
	return compact.Bytes(), doc, nil
}

// measure counts every value and the deepest nesting below level. It stops
// descending one level past the bound.
func measure(v any, level int) (nodes, depth int) {
	nodes, depth = 1, level
	visit := func(child any) {
		n, d := measure(child, level+1)
		nodes, depth = nodes+n, max(depth, d)
	}
	switch v := v.(type) {
	case map[string]any:
		depth = level + 1
		if level > MaxSchemaDepth {
			return nodes, depth
		}
		for _, child := range v {
			visit(child)
		}
	case []any:
		depth = level + 1
		if level > MaxSchemaDepth {
			return nodes, depth
		}
		for _, child := range v {
			visit(child)
		}
	}
	return nodes, depth
}

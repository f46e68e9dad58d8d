package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kandev/backend/catalog"
)

var (
	builtin = catalog.Source{Kind: catalog.KindBuiltin}
	plugin  = catalog.Source{Kind: catalog.KindPlugin, Plugin: "p"}
)

func answer(context.Context, Call) (Result, error) { return Text("done"), nil }

// def is a built-in tool that passes the gate.
func def(name, schema string) Definition {
	return Definition{Name: name, InputSchema: json.RawMessage(schema), Source: builtin, Handler: answer}
}

func nested(levels int) string { // levels containers in all, the root included
	return `{"type":"object","x":` + strings.Repeat("[", levels-1) + strings.Repeat("]", levels-1) + `}`
}

func nodes(n int) string { // n values in all: the root, its type, the array and its elements
	return `{"type":"object","x":[` + strings.TrimSuffix(strings.Repeat("1,", n-3), ",") + `]}`
}

func sized(n int) string { // n bytes of compact JSON
	base := `{"type":"object","properties":{},"description":""}`
	return strings.Replace(base, `n":""`, `n":"`+strings.Repeat("x", n-len(base))+`"`, 1)
}

func TestCheckSchema(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.json")
	if err := os.WriteFile(secret, []byte(`{"type":"object","required":["fromfile"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, schema, refused string }{
		{"plain", `{"type":"object","properties":{"a":{"type":"string"}}}`, ""},
		{"no arguments", `{"type":"object"}`, ""},
		{"boolean property", `{"type":"object","properties":{"payload":true,"never":false}}`, ""},
		{"root anyOf", `{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}]}`, ""},
		{"recursive", `{"type":"object","properties":{"root":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"object","properties":{"children":{"type":"array","items":{"$ref":"#/$defs/n"}}}}}}`, ""},
		{"draft-07", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","definitions":{"a":{"type":"string"}},"properties":{"a":{"$ref":"#/definitions/a"}}}`, ""},
		{"reference in data", `{"type":"object","properties":{"a":{"const":{"$ref":"file:///x"}}}}`, ""},
		{"64 deep", nested(64), ""},
		{"65 deep", nested(65), "levels deep"},
		{"5,000 deep", nested(5000), "levels deep"},
		{"4,000 nodes", nodes(4000), ""},
		{"4,001 nodes", nodes(4001), "nodes"},
		{"64 KiB", sized(65536), ""},
		{"64 KiB and one", sized(65537), "bytes"},
		{"true", `true`, "not an object"},
		{"null", `null`, "not an object"},
		{"array", `[]`, "not an object"},
		{"string", `"x"`, "not an object"},
		{"empty", ``, "not valid JSON"},
		{"no type", `{"properties":{}}`, `"type":"object"`},
		{"other type", `{"type":["object","null"]}`, `"type":"object"`},
		{"truncated", `{"type":"object"`, "not valid JSON"},
		{"trailing", `{"type":"object"} x`, "not valid JSON"},
		{"invalid UTF-8", "{\"type\":\"object\",\"title\":\"\xff\"}", "UTF-8"},
		{"bad keyword", `{"type":"object","properties":[]}`, "does not compile: /properties: type: must be object"},
		{"file reference", `{"type":"object","properties":{"a":{"$ref":"file://` + filepath.ToSlash(secret) + `"}}}`, "does not compile"},
		{"relative reference", `{"type":"object","properties":{"a":{"$ref":"secret.json"}}}`, "does not compile"},
		{"network reference", `{"type":"object","properties":{"a":{"$ref":"https://example.com/s.json"}}}`, "does not compile"},
		{"network dialect", `{"$schema":"https://example.com/dialect","type":"object"}`, "does not compile"},
		{"dangling reference", `{"type":"object","properties":{"a":{"$ref":"#/$defs/none"}}}`, "does not compile"},
		{"header annotation", `{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A b"}}}`, "x-mcp-header"},
		{"huge number", `{"type":"object","properties":{"a":{"maximum":1e999999}}}`, "out of range"},
		{"multiplying references", doubled(40), "multiply"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := Check(def("x_kandev", c.schema))
			switch {
			case c.refused == "" && err != nil:
				t.Fatal(err)
			case c.refused != "" && (!errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), c.refused)):
				t.Fatalf("got %v, want a refusal with %q", err, c.refused)
			}
		})
	}
}

// doubled is a chain in which each definition refers twice to the next.
func doubled(n int) string {
	var b strings.Builder
	b.WriteString(`{"type":"object","$ref":"#/$defs/d0","$defs":{`)
	for i := range n {
		fmt.Fprintf(&b, `"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	fmt.Fprintf(&b, `"d%d":{}}}`, n)
	return b.String()
}

func TestCheckNames(t *testing.T) {
	long := strings.Repeat("a", MaxName-len("_kandev")) + "_kandev"
	for _, c := range []struct {
		name   string
		source catalog.Source
		ok     bool
	}{
		{"list_tasks_kandev", builtin, true},
		{long, builtin, true},
		{"a" + long, builtin, false},
		{"list_tasks", builtin, false},
		{"kandev_p_run", plugin, true},
		{"", plugin, false},
		{"calendar.read", plugin, false},
		{"a/b", plugin, false},
		{"Get File", plugin, false},
		{"read-only", plugin, false},
		{"Upper", plugin, false},
		{"ünï", plugin, false},
	} {
		d := def(c.name, `{"type":"object"}`)
		d.Source = c.source
		if _, _, err := Check(d); (err == nil) != c.ok {
			t.Errorf("%q: %v", c.name, err)
		}
	}
}

func TestCheckWarns(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"object","properties":{"a":{"type":"string","pattern":"(?!x)"}}}`: "pattern",
		`{"type":"object","additionalProperties":true}`:                            "additionalProperties",
	} {
		_, warnings, err := Check(def("x_kandev", schema))
		if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], want) {
			t.Errorf("%s: %v %v", schema, warnings, err)
		}
	}
}

// Case 12: a tool without arguments serves "properties":{}.
func TestCheckServesProperties(t *testing.T) {
	for schema, want := range map[string]string{
		` { "type" : "object" } `:                        `{"type":"object","properties":{}}`,
		`{"type":"object","properties":{"b":1e2}}`:       ``,
		`{"properties":{"a":{}}, "type":"object" }`:      `{"properties":{"a":{}},"type":"object"}`,
		`{"type":"object","additionalProperties":false}`: `{"type":"object","additionalProperties":false,"properties":{}}`,
	} {
		c, _, err := Check(def("x_kandev", schema))
		if want == "" {
			if err == nil {
				t.Error("a property that is no schema passed")
			}
			continue
		}
		if err != nil || string(c.Input) != want {
			t.Errorf("got %s %v, want %s", c.Input, err, want)
		}
	}
}

// Case 28.
func TestSetRefusesOneNotAll(t *testing.T) {
	bad := def("bad_kandev", `{"type":"object","properties":[]}`)
	twin := def("b_kandev", `{"type":"object"}`)
	orphan := def("orphan_kandev", `{"type":"object"}`)
	orphan.Handler = nil
	set, refused := NewSet(7, def("b_kandev", `{"type":"object"}`), bad, twin, orphan, def("a_kandev", `{"type":"object"}`))
	if set.Rev() != 7 || set.Len() != 2 || len(refused) != 3 {
		t.Fatalf("rev %d, %d tools, refused %v", set.Rev(), set.Len(), refused)
	}
	if p := set.Present(false); p[0].Served != "a_kandev" || p[1].Served != "b_kandev" {
		t.Errorf("order %v", p)
	}
	for _, r := range refused {
		if r.Name == "" || r.Reason == "" || !errors.Is(r.Err, ErrRefused) {
			t.Errorf("%+v", r)
		}
	}
	var none *Set
	if none.Len() != 0 || none.Present(true) != nil || none.Rev() != 0 {
		t.Error("a nil set holds something")
	}
}

func TestCheckMetaAndOutput(t *testing.T) {
	d := def("x_kandev", `{"type":"object"}`)
	d.Meta = json.RawMessage(`["no"]`)
	if _, _, err := Check(d); err == nil {
		t.Error("a _meta that is no object passed")
	}
	d.Meta = nil
	d.OutputSchema = json.RawMessage(`{"$id":"x"}`) // case 15
	if _, _, err := Check(d); err == nil {
		t.Error("an output schema without type object passed")
	}
}

func FuzzCheck(f *testing.F) {
	for _, s := range []string{`{"type":"object"}`, `true`, doubled(3), nested(70), `{"type":"object","properties":{"a":{"pattern":"("}}}`} {
		f.Add(s, `{"a":1}`)
	}
	f.Fuzz(func(t *testing.T, schema, arguments string) {
		c, _, err := Check(def("x_kandev", schema))
		if err != nil {
			return
		}
		if !json.Valid(c.Input) {
			t.Fatalf("served %q", c.Input)
		}
		validate(c.input, json.RawMessage(arguments))
	})
}

// TestRefusalIsLoggedWithoutItsSchema: why a tool is not served is logged, what
// its schemas hold is not.
func TestRefusalIsLoggedWithoutItsSchema(t *testing.T) {
	input := json.RawMessage(`{"type":"object","properties":{}}`)
	for _, output := range []string{
		`{"type":"object","properties":{"s":{"type":"S3NT"}}}`, `{"type":"object","properties":{"s":{"$ref":"http://S3NT/x"}}}`,
		`{"type":"object","properties":{"S3NT":{"pattern":5}}}`,
	} {
		_, refused := NewSet(1, Definition{
			Name: "x", InputSchema: input, OutputSchema: json.RawMessage(output),
			Handler: func(context.Context, Call) (Result, error) { return Result{}, nil },
		})
		if len(refused) != 1 {
			t.Fatalf("%s was not refused", output)
		}
		if got := refused[0].ForLog(); strings.Contains(got, "S3NT") || !strings.Contains(got, "output schema: does not compile") {
			t.Errorf("%s: %q", output, got)
		}
	}
	_, refused := NewSet(1, Definition{Name: "UP", InputSchema: input})
	if got := refused[0].ForLog(); got != refused[0].Reason {
		t.Errorf("%q", got)
	}
}

package tool

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestValidate(t *testing.T) {
	const basic = `{"type":"object","properties":{"a":{"type":"string","minLength":2},"n":{"type":"integer","maximum":9007199254740992},"o":{"type":"object","properties":{"k":{"type":"string"}},"required":["k"]}},"required":["a"]}`
	for _, c := range []struct {
		name, schema, arguments string
		want                    []string // all in the text; none: valid
	}{
		{"valid", basic, `{"a":"ok","n":9007199254740992,"o":{"k":"v","extra":1}}`, nil},
		{"missing", basic, `{}`, []string{"arguments: required", `missing "a"`}},
		{"nested missing", basic, `{"a":"ok","o":{}}`, []string{"/o: required", `missing "k"`}},
		{"type", basic, `{"a":7}`, []string{"/a: type: must be string"}},
		{"keyword", basic, `{"a":"x"}`, []string{"/a: minLength"}},
		{"exact numbers", basic, `{"a":"ok","n":9007199254740993}`, []string{"/n: maximum"}},
		{"closed root", basic, `{"a":"ok","zz":1}`, []string{"/zz: not a known argument"}},
		{"closed root and missing", basic, `{"zz":1}`, []string{`missing "a"`}},
		{"declared open", `{"type":"object","additionalProperties":true}`, `{"zz":1}`, []string{"/zz"}},
		{"declared closed", `{"type":"object","properties":{},"additionalProperties":false}`, `{"zz":1}`, []string{`unknown "zz"`}},
		{"no arguments", `{"type":"object"}`, `{}`, nil},
		{"draft-07 closed", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{}}}`, `{"a":1,"b":2}`, []string{"/b"}},
		{"anyOf declares", `{"type":"object","anyOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{}},"required":["b"]}]}`, `{"b":1}`, nil},
		{"not an object", basic, `[1]`, []string{"must be object"}},
		{"not JSON", basic, `{"a":`, []string{"not valid JSON"}},
		{"huge exponent", basic, `{"a":"ok","n":1e999999999}`, []string{"out of range"}},
		{"pattern of another engine", `{"type":"object","properties":{"a":{"pattern":"(?!x)"}}}`, `{"a":"x"}`, nil},
		{"pointer escapes", `{"type":"object","properties":{"a/b~":{"type":"string"}}}`, `{"a/b~":1}`, []string{"/a~1b~0: type"}},
		{"recursive schema, endless", `{"type":"object","allOf":[{"$ref":"#"}]}`, `{}`, []string{":"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			checked, _, err := Check(def("x_kandev", c.schema))
			if err != nil {
				t.Fatal(err)
			}
			got := validate(checked.input, json.RawMessage(c.arguments))
			if c.want == nil && got != "" {
				t.Fatalf("refused: %s", got)
			}
			for _, w := range c.want {
				if !strings.Contains(got, w) {
					t.Errorf("got %q, want %q in it", got, w)
				}
			}
		})
	}
	if validate(nil, json.RawMessage(`{}`)) == "" {
		t.Error("a missing schema does not fail closed")
	}
}

// A refused argument names places and keywords, never the value.
func TestValidateNeverTellsValues(t *testing.T) {
	const sentinel = "SENTINEL-5f1c"
	const schema = `{"type":"object","properties":{
		"type":{"type":"integer"},"enum":{"enum":["a"]},"const":{"const":1},"pattern":{"pattern":"^a$"},
		"len":{"maxLength":1},"format":{"format":"uri"},"not":{"not":{}},"items":{"type":"array","uniqueItems":true,"contains":{"const":0}},
		"one":{"oneOf":[{"const":1},{"const":2}]},"if":{"if":{"type":"string"},"then":{"maxLength":1}},"min":{"minimum":5},
		"names":{"propertyNames":{"maxLength":3}}}}`
	checked, _, err := Check(def("x_kandev", schema))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []string{"type", "enum", "const", "pattern", "len", "not", "one", "if"} {
		got := validate(checked.input, json.RawMessage(`{"`+k+`":"`+sentinel+`"}`))
		if got == "" || strings.Contains(got, sentinel) || !strings.Contains(got, "/"+k) {
			t.Errorf("%s: %q", k, got)
		}
	}
	for _, a := range []string{`{"items":["` + sentinel + `","` + sentinel + `"]}`, `{"min":-987654321}`} {
		if got := validate(checked.input, json.RawMessage(a)); got == "" || strings.Contains(got, sentinel) || strings.Contains(got, "987654321") {
			t.Errorf("%s: %q", a, got)
		}
	}
}

func TestValidateIsBounded(t *testing.T) {
	checked, _, err := Check(def("x_kandev", `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := validate(checked.input, json.RawMessage(`{"a":[`+strings.TrimSuffix(strings.Repeat("1,", 5000), ",")+`]}`)); len(got) > 4096 || !strings.Contains(got, "and more") {
		t.Errorf("%d bytes", len(got))
	}
	long := strings.Repeat("漢", 5000)
	if got := validate(checked.input, json.RawMessage(`{"`+long+`":1}`)); len(got) > 4096 || got == "" {
		t.Errorf("%d bytes", len(got))
	}
	deep := strings.Repeat("[", 9000) + strings.Repeat("]", 9000)
	if got := validate(checked.input, json.RawMessage(`{"a":`+deep+`}`)); !strings.Contains(got, "deep") {
		t.Errorf("%q", got)
	}
}

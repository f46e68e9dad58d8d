package toolbench

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func toolNamed(name string) *mcp.Tool {
	return &mcp.Tool{Name: name, InputSchema: map[string]any{"type": "object"}}
}

func TestFirstSentence(t *testing.T) {
	for in, want := range map[string]string{
		"":                                "",
		"One. Two.":                       "One.",
		"No stop":                         "No stop",
		"Version 1.2 of it! And":          "Version 1.2 of it!",
		"For lists, e.g. these. More":     "For lists, e.g. these.",
		"First\nline\n\nSecond.":          "First line",
		"a\x1b[2J\x1b]0;PWNED\x07\u202eb": "a[2J]0;PWNEDb",
		strings.Repeat("é", 300):          strings.Repeat("é", 199) + "…",
	} {
		if got := firstSentence(in); got != want {
			t.Errorf("%q: got %q", in, got)
		}
	}
}

func TestForeignTextStaysLiteral(t *testing.T) {
	for in, want := range map[string]string{
		`<img src=x onerror=alert(1)>`: `\<img src=x onerror=alert\(1\)\>`,
		"[x](javascript:1)":            `\[x\]\(javascript:1\)`,
		"a\r\n# b":                     `a \# b`,
		"\xff":                         "\uFFFD",
	} {
		if got := literal(in); got != want {
			t.Errorf("%q: got %q", in, got)
		}
	}
	ticks := strings.Repeat("`", 50)
	if got := code(ticks); got != ticks+"` "+ticks+" `"+ticks {
		t.Errorf("code %q", got)
	}
	if got := fence("", ticks+"\n"); !strings.HasPrefix(got, ticks+"`\n") || !strings.HasSuffix(got, "\n`"+ticks) {
		t.Errorf("fence %q", got)
	}
}

func TestHint(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"object"}`:                 "",
		`{"type":"object","properties":{}}`: "",
		`true`:                              "JSON arguments",
		`null`:                              "JSON arguments",
		`{"anyOf":[{"required":["a"]}]}`:    "JSON arguments",
		`{"properties":{"b":{"type":"string"},"a":{"type":["string","null"]}},"required":["b"]}`:          `{"b": string, "a"?: string | null}`,
		`{"properties":{"p":true,"q":false,"r":{"$ref":"#/$defs/n"},"s":{"type":[]}}}`:                    `{"p"?: any, "q"?: any, "r"?: any, "s"?: any}`,
		`{"properties":{"l":{"type":"array","items":{"type":"integer"}}},"required":["ghost","l","l",7]}`: `{"ghost": any, "l": integer[]}`,
		`{"properties":[],"required":"x"}`: "",
	} {
		var v any
		if err := json.Unmarshal([]byte(schema), &v); err != nil {
			t.Fatal(err)
		}
		if got := hint(v); got != want {
			t.Errorf("%s: got %q", schema, got)
		}
	}
	many := map[string]any{}
	for _, r := range "abcdefghijklmnopqrstuvwxyz" {
		many[string(r)] = map[string]any{"type": "string"}
	}
	if got := hint(map[string]any{"properties": many}); !strings.HasSuffix(got, ", …}") || len(got) > 100 {
		t.Errorf("many: %q", got)
	}
}

func TestPermissionRule(t *testing.T) {
	no, yes := false, true
	for _, c := range []struct {
		a    *mcp.ToolAnnotations
		want bool
	}{
		{nil, true},
		{&mcp.ToolAnnotations{}, true},
		{&mcp.ToolAnnotations{ReadOnlyHint: true}, false},
		{&mcp.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: &yes}, false},
		{&mcp.ToolAnnotations{DestructiveHint: &no}, false},
		{&mcp.ToolAnnotations{DestructiveHint: &yes}, true},
	} {
		if got := mayDestroy(c.a); got != c.want {
			t.Errorf("%+v: %v", c.a, got)
		}
	}
}

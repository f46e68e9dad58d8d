package bridge

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`
	for _, c := range []struct {
		line, refused string
		request       bool
		version, name string
	}{
		{line: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, request: true},
		{line: `{"id":"a","method":"tools/call","params":{"name":"x",` + meta + `}}`, request: true, version: "2026-07-28", name: "x"},
		{line: `{"id":-1,"method":"resources/read","params":{"uri":"u:x"}}`, request: true, name: "u:x"},
		{line: `{"id":1,"method":"tools/call","params":{"Name":"x","NAME":"y"}}`, request: true},
		{line: `{"id":1,"method":"tools/call","params":{"name":"x","name":"y"}}`, request: true, name: "y"},
		{line: `{"id":1,"method":"tools/call","params":[1]}`, request: true},
		{line: `{"method":"notifications/initialized"}`},
		{line: `{"id":null,"method":"tools/list"}`},
		{line: `{"id":1,"result":{}}`},
		{line: `{"id":1,"error":{}}`},
		{line: `{`, refused: "-32700"},
		{line: `{"id":1,"method":"x"} {}`, refused: "-32700"},
		{line: "\x1b[2J", refused: "-32700"},
		{line: `[`, refused: "-32700"},
		{line: `[]`, refused: "-32600"},
		{line: `[{"id":1,"method":"x"}]`, refused: "-32600"},
		{line: `1`, refused: "-32600"},
		{line: `null`, refused: "-32600"},
		{line: `{}`, refused: "-32600"},
		{line: `{"id":1}`, refused: "-32600"},
		{line: `{"id":true,"method":"x"}`, refused: "-32600"},
		{line: `{"id":[1],"method":"x"}`, refused: "-32600"},
		{line: `{"result":{}}`, refused: "-32600"},
		{line: strings.Repeat(`{"a":`, 20000) + "1" + strings.Repeat("}", 20000), refused: "-32700"},
	} {
		m, refused := parse([]byte(c.line))
		if c.refused != "" {
			if m != nil || !strings.Contains(string(refused), c.refused) || !strings.Contains(string(refused), `"id":null`) {
				t.Errorf("%.60s: %s", c.line, refused)
			}
			continue
		}
		if refused != nil {
			t.Errorf("%s: %s", c.line, refused)
			continue
		}
		if name, _ := m.name(); m.isRequest() != c.request || m.version != c.version || name != c.name || m.modern() != (c.version != "") {
			t.Errorf("%s: %+v", c.line, m)
		}
	}
}

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"{}\n":                     "{}",
		"{\r\n  \"a\": 1\n}\r\n":   `{  "a": 1}`,
		`{"a" : "b\nc"}`:           `{"a" : "b\nc"}`,
		"\t{\"u\":\"\u2028<\"}   ": "{\"u\":\"\u2028<\"}",
	} {
		if got := string(oneLine([]byte(in))); got != want {
			t.Errorf("%q became %q", in, got)
		}
	}
}

// FuzzParse: any line is a message or is refused with one line of JSON.
func FuzzParse(f *testing.F) {
	for _, s := range []string{initialize, initialized, listTools, modernOf("1", "tools/call", `"name":"x"`), "[]", "{", "\xff"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if len(line) == 0 {
			return // never handed on
		}
		m, refused := parse(line)
		if (m == nil) == (refused == nil) || strings.ContainsAny(string(refused), "\r\n") {
			t.Fatalf("%q: %v, %q", line, m, refused)
		}
		if m == nil {
			return
		}
		if name, has := m.name(); has {
			if v := headerValue(name); strings.ContainsAny(v, "\r\n\x00") {
				t.Fatalf("%q", v)
			}
		}
	})
}

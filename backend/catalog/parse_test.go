package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"
)

func TestParseNotAList(t *testing.T) {
	for _, body := range []string{
		"", " ", "{", "null", `"x"`, "[]", "{}", `{"tools":[]}`, `{"result":null}`, `{"result":[]}`, `{"result":{}}`,
		`{"result":{"tools":null}}`, `{"result":{"tools":{}}}`, `{"result":{"Tools":[]}}`, `{"result":{"tools":[]}`,
		`{"result":{"tools":[]}} x`, "data: {}\n\n", "event: x\n\n", "data", "404 page not found",
		"data: {\"result\":{\"tools\":\n\ndata: []}}\n\n", `{"result":{"tools":[]},"result":{}}`,
	} {
		l, err := Parse([]byte(body), nil)
		if !errors.Is(err, ErrNotAList) || l.Len() != 0 {
			t.Errorf("Parse(%q): %d tools, %v", body, l.Len(), err)
		}
		if err != nil && len(err.Error()) > 60 {
			t.Errorf("the error holds served text: %v", err)
		}
	}
}

// Any line ending, and no memory shared with the body.
func TestParseEvents(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		body := []byte(strings.ReplaceAll("id: 1\ndata: {\"result\":\ndata: {\"tools\":[{\"name\":\"a\"}]}}\n\n", "\n", end))
		l := mustParse(t, body, nil)
		clear(body)
		if d := l.Definitions(); len(d) != 1 || d[0].Served != "a" || string(d[0].JSON) != `{"name":"a"}` {
			t.Errorf("%q: %q", end, d)
		}
	}
	body := served(`{"name":"a"}`)
	l := mustParse(t, body, nil)
	clear(body)
	if string(l.Definitions()[0].JSON) != `{"name":"a"}` {
		t.Error("the list shares memory with the body")
	}
}

func FuzzParse(f *testing.F) {
	f.Add(served(named("a", `{"type":"object"}`), `{"name":"\ud800","description":7}`, "1"))
	f.Add([]byte("data: {\"result\":{\"tools\":[{\"name\":\"a\"}]}}\n\n"))
	files, _ := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(txtar.Parse(raw).Files[0].Data)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		before := bytes.Clone(body)
		l, err := Parse(body, map[string]Provenance{"a": {"b", Source{Kind: KindBuiltin}}})
		if !bytes.Equal(before, body) {
			t.Fatal("the body was changed")
		}
		if (err != nil) != errors.Is(err, ErrNotAList) {
			t.Fatal(err)
		}
		if err == nil && isJSON(body) && body[0] == '{' {
			compareWithStandard(t, body, l)
		}
		for _, d := range l.Definitions() {
			if again, err := Compact(d.JSON); err != nil || !bytes.Equal(again, d.JSON) || d.Served == "" {
				t.Fatalf("%q: %q is not compact, %v", d.Served, d.JSON, err)
			}
		}
		c := l.Catalog().WithCounts(l.Count(length, func(s string) int { return len(s) }))
		c = Mark(c, Digests(l), Digests(l))
		size := 0
		for _, e := range c.Entries {
			size += len(e.InputSchema)
			if !utf8.ValidString(e.Served+e.Description+e.InputSchema) || len(e.Description) > MaxDescription || e.Mark != "" {
				t.Fatalf("%+v", e)
			}
			if p := e.Parts; p.Name+p.Description+p.InputSchema > *e.Estimate {
				t.Fatalf("parts %+v of %d", p, *e.Estimate)
			}
		}
		if len(c.Entries) > MaxTools || size > MaxSchemas || c.Total != l.Len() {
			t.Fatalf("%d entries, %d bytes", len(c.Entries), size)
		}
		b, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		var back Catalog
		if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(back, c) {
			t.Fatalf("over a wire: %v\n%+v\n%+v", err, c, back)
		}
	})
}

// compareWithStandard reads the names a second way. encoding/json matches keys
// in any case, so the maps do it.
func compareWithStandard(t *testing.T, body []byte, l List) {
	t.Helper()
	var message, result map[string]json.RawMessage
	var tools []json.RawMessage
	if json.Unmarshal(body, &message) != nil || json.Unmarshal(message["result"], &result) != nil || json.Unmarshal(result["tools"], &tools) != nil {
		t.Fatal("encoding/json finds no list")
	}
	var names []string
	for _, raw := range tools {
		var tool map[string]json.RawMessage
		var name string
		if json.Unmarshal(raw, &tool) == nil && json.Unmarshal(tool["name"], &name) == nil && name != "" {
			names = append(names, name)
		}
	}
	for i, d := range l.Definitions() {
		if i >= len(names) || names[i] != d.Served {
			t.Fatalf("tool %d is %q, encoding/json has %q", i, d.Served, names)
		}
	}
	if len(names) != l.Len() || len(tools)-len(names) != l.Catalog().Unnamed {
		t.Fatalf("%d tools, encoding/json has %d", l.Len(), len(names))
	}
}

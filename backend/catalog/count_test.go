package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestCountCoversEveryTool(t *testing.T) {
	var tools []string
	want := 0
	for i := range MaxTools + 5 {
		tool := named(fmt.Sprintf("t%04d", i), schemaOf(40+i))
		want += len(tool)
		tools = append(tools, tool)
	}
	l := mustParse(t, served(tools...), nil)
	counts := l.Count(length, nil)
	c := l.Catalog().WithCounts(counts)
	if *c.TokensTotal != want || c.TokensCover != MaxTools+5 || c.Method != Method {
		t.Errorf("total %d, not %d, of %d tools, %q", *c.TokensTotal, want, c.TokensCover, c.Method)
	}
	for i, e := range c.Entries {
		if *e.Estimate != len(tools[i]) || e.Parts != nil {
			t.Errorf("%s: %d, %v", e.Served, *e.Estimate, e.Parts)
		}
	}
}

// What is counted is the compact JSON of the complete definition as served,
// before any bound, for any definition.
func TestEstimateIsOverTheCompleteDefinition(t *testing.T) {
	tools := []string{
		`{ "name" : "a", "description" : "` + strings.Repeat("long ", 1000) + `", "inputSchema" : ` + schemaOf(MaxSchema+1) + ` }`,
		`{"_meta":{"x":[1, 2]},"inputSchema":true,"name":"b","annotations":{},"outputSchema":{"a":"\u003c\\u003c"}}`,
		`{"name":"c","name":"d","x":1e400,"icons":[],"title":"\ud800` + "\xff" + `"}`,
		`{"name":"dup"}`, `{"name":"dup","x":1}`,
	}
	for i := range 9 {
		tools = append(tools, named(fmt.Sprint("z", i), schemaOf(60<<10)))
	}
	l := mustParse(t, served(tools...), nil)
	var seen []string
	l.Count(func(b []byte) (int, error) { seen = append(seen, string(b)); return 1, nil }, nil)
	if len(seen) != len(tools) {
		t.Fatalf("%d of %d counted", len(seen), len(tools))
	}
	for i, tool := range tools {
		want, err := Compact([]byte(tool))
		if err != nil || seen[i] != string(want) {
			t.Errorf("tool %d: counted %.80q, not %.80q, %v", i, seen[i], want, err)
		}
		if d := l.Definitions()[i]; string(d.JSON) != seen[i] {
			t.Errorf("tool %d: Definitions differ", i)
		}
	}
}

func TestPartsAreMembersAsTheyStand(t *testing.T) {
	l := mustParse(t, served(`{"name":"n\u003c", "description": "a\nb", "inputSchema": {"a": 1}}`, `{"name":"x","description":null}`), nil)
	var seen []string
	counts := l.Count(length, func(s string) int { seen = append(seen, s); return len(s) })
	if want := []string{`"n<"`, `"a\nb"`, `{"a":1}`, `"x"`, `null`}; !reflect.DeepEqual(seen, want) {
		t.Errorf("counted %q, not %q", seen, want)
	}
	if p := counts.Tools[0].Parts; *p != (Parts{4, 6, 7}) {
		t.Errorf("parts %+v", p)
	}
}

var errNone = errors.New("none")

// Case 40: without a tokenizer there is no number, and it is no zero.
func TestNoTokenizerNoNumber(t *testing.T) {
	l := mustParse(t, served(named("a", `{}`), named("b", `{}`)), nil)
	fail := func([]byte) (int, error) { return 0, errNone }
	for name, counts := range map[string]Counts{"nil": l.Count(nil, nil), "failing": l.Count(fail, nil), "zero": {}} {
		c := l.Catalog().WithCounts(counts)
		if c.TokensTotal != nil || c.TokensCover != 0 || c.Method != "" || c.Entries[0].Estimate != nil {
			t.Errorf("%s: %+v", name, c)
		}
		if b, _ := json.Marshal(c); strings.Contains(string(b), "method") || strings.Contains(string(b), "estimate") {
			t.Errorf("%s: on the wire: %s", name, b)
		}
	}
	some := l.Count(func(b []byte) (int, error) {
		if strings.Contains(string(b), `"a"`) {
			return 0, errNone
		}
		return 0, nil
	}, nil)
	c := l.Catalog().WithCounts(some)
	if c.Entries[0].Estimate != nil || c.Entries[1].Estimate == nil || *c.Entries[1].Estimate != 0 || *c.TokensTotal != 0 || c.TokensCover != 1 || c.Method != Method {
		t.Errorf("one of two: %+v", c)
	}
}

func TestCountsOfAnotherListChangeNothing(t *testing.T) {
	a := mustParse(t, served(named("a", `{}`)), nil)
	b := mustParse(t, served(named("b", `{}`)), nil)
	none := mustParse(t, served(), nil)
	c := a.Catalog()
	for _, other := range []List{b, none} {
		if got := c.WithCounts(other.Count(length, nil)); !reflect.DeepEqual(got, c) {
			t.Errorf("changed: %+v", got)
		}
	}
	// The catalog that was shared before stays as it was.
	if c.WithCounts(a.Count(length, nil)); c.Entries[0].Estimate != nil {
		t.Error("the value that was counted changed")
	}
}

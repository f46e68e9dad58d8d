package catalog

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// served writes a response around tool definitions.
func served(tools ...string) []byte {
	return []byte(`{"jsonrpc":"2.0","id":1,"result":{"tools":[` + strings.Join(tools, ",") + `]}}`)
}

func mustParse(t testing.TB, body []byte, presented map[string]Provenance) List {
	t.Helper()
	l, err := Parse(body, presented)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// schemaOf is an object schema of exactly n bytes of compact JSON.
func schemaOf(n int) string {
	const frame = `{"title":""}`
	return `{"title":"` + strings.Repeat("x", n-len(frame)) + `"}`
}

func named(name, schema string) string {
	return fmt.Sprintf(`{"name":%q,"description":"d","inputSchema":%s}`, name, schema)
}

func TestMaxTools(t *testing.T) {
	for _, n := range []int{MaxTools - 1, MaxTools, MaxTools + 1, 1000} {
		var tools []string
		for i := range n {
			tools = append(tools, named(fmt.Sprintf("t%04d", i), `{}`))
		}
		c := mustParse(t, served(tools...), nil).Catalog()
		if len(c.Entries) != min(n, MaxTools) || c.Total != n || c.Truncated != (n > MaxTools) {
			t.Errorf("%d tools: %d entries, total %d, truncated %v", n, len(c.Entries), c.Total, c.Truncated)
		}
	}
}

// Built-in tools stay, whatever plugins bring and in whatever order.
func TestBuiltinToolsAreStoredFirst(t *testing.T) {
	presented := map[string]Provenance{}
	var tools []string
	for i := range 100 {
		for name, source := range map[string]Source{
			fmt.Sprintf("plugin%03d", i): {Kind: KindPlugin, Plugin: "p"},
			fmt.Sprintf("zbuilt%03d", i): {Kind: KindBuiltin},
			fmt.Sprintf("nobody%03d", i): {},
		} {
			presented[name] = Provenance{Canonical: name, Source: source}
			tools = append(tools, named(name, `{}`))
		}
	}
	var first Catalog
	for round := range 3 {
		if round > 0 {
			slices.Reverse(tools)
		}
		c := mustParse(t, served(tools...), presented).Catalog()
		count := map[string]int{}
		for _, e := range c.Entries {
			count[e.Source.Kind]++
		}
		if count[KindBuiltin] != 100 || count[KindPlugin] != 28 || c.Total != 300 {
			t.Fatalf("stored %v of %d", count, c.Total)
		}
		if c.Entries[27].Served != "plugin027" || c.Entries[28].Served != "zbuilt000" {
			t.Fatalf("published %s, %s", c.Entries[27].Served, c.Entries[28].Served)
		}
		if round == 0 {
			first = c
		} else if !slices.EqualFunc(first.Entries, c.Entries, func(a, b Entry) bool { return a == b }) {
			t.Fatal("the served order changed the choice")
		}
	}
}

// Case 36.
func TestMaxDescription(t *testing.T) {
	for _, c := range []struct {
		name, served, want string
		cut                bool
	}{
		{"at the limit", strings.Repeat("x", 1024), strings.Repeat("x", 1024), false},
		{"one over", strings.Repeat("x", 1025), strings.Repeat("x", 1024), true},
		{"a rune up to the limit", strings.Repeat("x", 1020) + "😀", strings.Repeat("x", 1020) + "😀", false},
		{"a rune across the limit", strings.Repeat("x", 1021) + "😀", strings.Repeat("x", 1021), true},
		{"invalid bytes grow", strings.Repeat("\xff", 342), strings.Repeat("\ufffd", 341), true},
		{"invalid bytes at the limit", "x" + strings.Repeat("\xff", 341), "x" + strings.Repeat("\ufffd", 341), false},
		{"a lone surrogate at the cut", strings.Repeat("x", 1023) + `\ud800`, strings.Repeat("x", 1023), true},
		{"a megabyte", strings.Repeat(`\u00e9`, 1<<20/6), strings.Repeat("é", 512), true},
	} {
		l := mustParse(t, served(`{"name":"a","description":"`+c.served+`"}`), nil)
		e := l.Catalog().Entries[0]
		if e.Description != c.want || e.DescriptionCut != c.cut || !e.HasDescription || !utf8.ValidString(e.Description) {
			t.Errorf("%s: %d bytes, cut %v", c.name, len(e.Description), e.DescriptionCut)
		}
	}
}

// Case 21.
func TestMaxSchema(t *testing.T) {
	at, over := schemaOf(MaxSchema), schemaOf(MaxSchema+1)
	loose := strings.Replace(at, ":", " :  \n", 1) // white space does not count
	escaped := `{"title":"` + strings.Repeat(`\u003c`, MaxSchema-12) + `"}`
	for name, c := range map[string]struct {
		schema string
		reason Absent
		size   int
	}{
		"at the limit": {at, SchemaPresent, MaxSchema},
		"one over":     {over, SchemaTooLarge, MaxSchema + 1},
		"loose":        {loose, SchemaPresent, MaxSchema},
		"escaped":      {escaped, SchemaPresent, MaxSchema},
	} {
		e := mustParse(t, served(named("a", c.schema)), nil).Catalog().Entries[0]
		if e.SchemaAbsent != c.reason || e.SchemaBytes != c.size || (e.InputSchema == "") != (c.reason != SchemaPresent) {
			t.Errorf("%s: %q, %d bytes, %d stored", name, e.SchemaAbsent, e.SchemaBytes, len(e.InputSchema))
		}
		if e.Served != "a" || e.Description != "d" {
			t.Errorf("%s: lost more than its schema", name)
		}
	}
}

func TestMaxSchemas(t *testing.T) {
	var tools []string
	for i := range 8 {
		tools = append(tools, named(fmt.Sprint("t", i), schemaOf(MaxSchema)))
	}
	reasons := func(tools []string) (out []Absent) {
		for _, e := range mustParse(t, served(tools...), nil).Catalog().Entries {
			out = append(out, e.SchemaAbsent)
		}
		return out
	}
	if got := reasons(tools); slices.Contains(got, SchemaCatalogFull) {
		t.Errorf("at the limit: %q", got)
	}
	if got := reasons(append(tools, named("u", `{}`))); got[8] != SchemaCatalogFull {
		t.Errorf("two bytes over: %q", got)
	}
	// One byte is free: {} does not fit. Two are: it does, after one that did not.
	tools[3] = named("t3", schemaOf(MaxSchema-1))
	if got := reasons(append(tools, named("u", `{}`))); got[8] != SchemaCatalogFull {
		t.Errorf("one byte over: %q", got)
	}
	tools[3] = named("t3", schemaOf(MaxSchema-2))
	got := reasons(append(tools, named("v", `{}`), named("u", schemaOf(20)), named("w", `true`)))
	if got[8] != SchemaCatalogFull || got[9] != SchemaPresent || got[10] != SchemaNotAnObject {
		t.Errorf("a later smaller one: %q", got[8:])
	}
}

// Case 17 and more: nothing about one schema costs another tool anything.
func TestHostileSchemas(t *testing.T) {
	deep := func(n int) string { return strings.Repeat(`{"a":`, n) + "{}" + strings.Repeat("}", n) }
	l := mustParse(t, served(
		named("a", deep(1000)), named("b", deep(10_500)), named("c", deep(1_000_000)),
		named("d", `{"enum":["`+strings.Repeat("x", 5<<20)+`"]}`), named("e", `{}`), named("f", `{"title":"`+"\xff"+`"}`),
	), nil)
	c := l.Catalog()
	want := []Absent{SchemaPresent, SchemaPresent, SchemaTooLarge, SchemaTooLarge, SchemaPresent, SchemaPresent}
	for i, e := range c.Entries {
		if e.SchemaAbsent != want[i] {
			t.Errorf("%s: %q, %d bytes", e.Served, e.SchemaAbsent, e.SchemaBytes)
		}
	}
	if e := c.Entries[5]; e.InputSchema != "{\"title\":\"\ufffd\"}" || e.SchemaBytes != len(e.InputSchema) {
		t.Errorf("invalid bytes: %q", e.InputSchema)
	}
	// The view must survive its way over a wire as it is.
	b, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var back Catalog
	if err := json.Unmarshal(b, &back); err != nil || back.Entries[1] != c.Entries[1] || back.Entries[5] != c.Entries[5] {
		t.Errorf("over a wire: %v", err)
	}
}

package catalog

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Catalog is the bounded view of the list, without estimates and marks.
// Source of the bounds: spec/attachment.md, "Bounds".
func (l List) Catalog() Catalog {
	stored := l.stored()
	c := Catalog{
		Entries:   make([]Entry, len(stored)),
		Total:     len(l.tools),
		Unnamed:   l.unnamed,
		Truncated: len(l.tools) > MaxTools,
	}
	room := MaxSchemas
	for i, at := range stored {
		e := l.tools[at].entry()
		if len(e.InputSchema) > room {
			e.InputSchema, e.SchemaAbsent = "", SchemaCatalogFull
		}
		room -= len(e.InputSchema)
		c.Entries[i] = e
	}
	return c
}

// stored returns the indexes of the tools that are kept, in published order.
// Built-in tools are chosen first, so that no plugin can push one out.
func (l List) stored() []int {
	order := make([]int, len(l.tools))
	for i := range order {
		order[i] = i
	}
	byName := func(a, b int) int { return strings.Compare(l.tools[a].served, l.tools[b].served) }
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(l.tools[a].rank(), l.tools[b].rank()), byName(a, b))
	})
	order = order[:min(len(order), MaxTools)]
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(byName(a, b), cmp.Compare(a, b)) })
	return order
}

// rank orders the sources in the choice of what is stored.
func (t tool) rank() int {
	switch t.provenance.Source.Kind {
	case KindBuiltin:
		return 0
	case KindPlugin:
		return 1
	}
	return 2
}

// entry applies the bounds that concern one tool alone.
func (t tool) entry() Entry {
	e := Entry{Served: t.served, Source: t.provenance.Source}
	if t.provenance.Canonical != t.served {
		e.Canonical = t.provenance.Canonical
	}
	if description, ok := text(t.description); ok {
		e.HasDescription = true
		e.Description, e.DescriptionCut = cut(description, MaxDescription)
	}
	schema := validUTF8(t.schema)
	e.SchemaBytes = len(schema)
	switch {
	case schema == "" || schema[0] != '{':
		e.SchemaAbsent = SchemaNotAnObject
	case len(schema) > MaxSchema:
		e.SchemaAbsent = SchemaTooLarge
	default:
		e.InputSchema = schema
	}
	return e
}

// cut shortens valid UTF-8 to at most limit bytes, on a rune boundary. The
// result is a copy, so that it does not hold a long text in memory.
func cut(s string, limit int) (string, bool) {
	if len(s) <= limit {
		return s, false
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return strings.Clone(s[:limit]), true
}

// validUTF8 replaces each byte that is not UTF-8 by U+FFFD, as text does.
func validUTF8(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return string([]rune(string(b)))
}

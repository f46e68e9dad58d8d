package catalog

// Counts are the token estimates of one list.
type Counts struct {
	Tools []ToolCount `json:"tools"` // the stored tools, in published order
	Total int         `json:"total"` // tokens of every counted tool, stored or not
	Cover int         `json:"cover"` // how many tools Total covers
}

// ToolCount is the estimate of one stored tool.
type ToolCount struct {
	Served   string `json:"served"`
	Estimate *int   `json:"estimate,omitempty"` // nil when it could not be counted
	Parts    *Parts `json:"parts,omitempty"`
}

// Count estimates every served tool, also those past the bounds, over its
// complete compact definition. estimate gets compact JSON and must not keep or
// change it; count gets the compact JSON text of one member's value.
//
// A nil estimate gives Counts without any number, a nil count gives no Parts.
// A tool for which estimate fails has no number and is not covered; to stop a
// count early, let estimate return an error.
func (l List) Count(estimate func(toolJSON []byte) (int, error), count func(text string) int) Counts {
	stored := l.stored()
	counts := Counts{Tools: make([]ToolCount, len(stored))}
	estimates := make([]*int, len(l.tools))
	for i, t := range l.tools {
		if estimate == nil {
			break
		}
		n, err := estimate(t.definition)
		if err != nil {
			continue
		}
		estimates[i] = &n
		counts.Total += n
		counts.Cover++
	}
	for i, at := range stored {
		t := l.tools[at]
		counts.Tools[i] = ToolCount{Served: t.served, Estimate: estimates[at]}
		if estimates[at] != nil && count != nil {
			counts.Tools[i].Parts = t.parts(count)
		}
	}
	return counts
}

func (t tool) parts(count func(string) int) *Parts {
	of := func(value []byte) int {
		if value == nil {
			return 0
		}
		return count(string(value))
	}
	return &Parts{Name: of(t.name), Description: of(t.description), InputSchema: of(t.schema)}
}

// WithCounts returns a copy of c with the estimates of the same list. Counts
// of another list change nothing.
func (c Catalog) WithCounts(counts Counts) Catalog {
	if counts.Cover == 0 || len(counts.Tools) != len(c.Entries) {
		return c
	}
	for i, e := range c.Entries {
		if counts.Tools[i].Served != e.Served {
			return c
		}
	}
	entries := make([]Entry, len(c.Entries))
	for i, e := range c.Entries {
		e.Estimate, e.Parts = counts.Tools[i].Estimate, counts.Tools[i].Parts
		entries[i] = e
	}
	c.Entries = entries
	c.TokensTotal, c.TokensCover, c.Method = &counts.Total, counts.Cover, Method
	return c
}

package catalog

// List is every tool of one served answer, in served order, complete and
// unbounded. It shares no memory with the bytes it was parsed from.
type List struct {
	tools   []tool
	unnamed int
}

// tool is one named element. The byte slices are parts of definition, which is
// compact JSON; a nil slice means that the member is missing.
type tool struct {
	served      string
	provenance  Provenance
	definition  []byte
	name        []byte
	description []byte
	schema      []byte
}

// Definition is one complete tool definition as compact JSON, before any bound.
type Definition struct {
	Served string
	JSON   []byte // shared with the List: read only
}

// Len is the number of tools with a name.
func (l List) Len() int { return len(l.tools) }

// Definitions returns every tool with a name, in served order.
func (l List) Definitions() []Definition {
	out := make([]Definition, len(l.tools))
	for i, t := range l.tools {
		out[i] = Definition{Served: t.served, JSON: t.definition}
	}
	return out
}

package mcpserver

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"

	"kandev/backend/catalog"
	"kandev/backend/tool"
)

// served is a tool set as one endpoint serves it: rendered once, then shared by
// every tools/list until the set is swapped. Immutable.
type served struct {
	set       *tool.Set
	version   uint64 // grows with every change that a client can see; starts at 1
	result    []byte // the result of tools/list, without the brace that ends it
	digest    digest // of result: tools that come back are those that were there
	presented map[string]catalog.Provenance
}

type digest [sha256.Size]byte

// definition is a tool on the wire; the order of fields is the served order.
type definition struct {
	Name         string            `json:"name"`
	Title        string            `json:"title,omitempty"`
	Description  string            `json:"description,omitempty"`
	InputSchema  json.RawMessage   `json:"inputSchema"`
	OutputSchema json.RawMessage   `json:"outputSchema,omitempty"`
	Annotations  *tool.Annotations `json:"annotations,omitempty"`
	Meta         json.RawMessage   `json:"_meta,omitempty"`
}

// render writes the answer for a set. The registration gate has made sure that
// every part is valid JSON, so no tool can spoil the list (D1).
func render(set *tool.Set, namespaced bool) *served {
	out := &served{set: set, version: 1, presented: make(map[string]catalog.Provenance, set.Len())}
	var b bytes.Buffer
	b.WriteString(`{"tools":[`)
	for i, p := range set.Present(namespaced) {
		if i > 0 {
			b.WriteByte(',')
		}
		checked, _ := set.Checked(p.Def.Name)
		d := definition{
			Name: p.Served, Title: p.Def.Title, Description: p.Def.Description,
			InputSchema: checked.Input, OutputSchema: checked.Output, Meta: checked.Meta,
		}
		if p.Def.Annotations != (tool.Annotations{}) {
			d.Annotations = &p.Def.Annotations
		}
		b.Write(encode(d))
		out.presented[p.Served] = catalog.Provenance{Canonical: p.Def.Name, Source: p.Def.Source}
	}
	b.WriteString(`]`)
	out.result = b.Bytes()
	out.digest = sha256.Sum256(out.result)
	return out
}

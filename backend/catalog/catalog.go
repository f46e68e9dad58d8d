// Package catalog holds the bounded tool definitions of one tools/list answer
// that the built-in MCP server really served.
//
// Purpose: turn the bytes of one response into what is stored and shown.
// Parse reads the bytes, List.Catalog applies the bounds, List.Count adds the
// token estimates, Mark says what is new or changed since the last attempt.
//
// Guarantees: pure and deterministic; values are not changed after they were
// returned, so they may be shared between goroutines; every text is valid
// UTF-8; no depth, size or content of a served list makes it panic or lose
// another tool; time grows linearly with the input.
//
// It does not count tokens itself (functions are handed in), does not store,
// and keeps no output schema, annotation or _meta: those are only counted.
package catalog

// The bounds of a catalog. Limits on text count bytes of UTF-8.
const (
	MaxTools       = 128       // stored entries
	MaxDescription = 1024      // one description
	MaxSchema      = 64 << 10  // one input schema as compact JSON
	MaxSchemas     = 512 << 10 // all input schemas of a catalog
)

// Method names how an estimate was made, on every wire form: o200k_base tokens
// of the compact JSON of one complete tool definition.
const Method = "o200k_base:mcp-tool-json-v1"

// The kinds of Source. The empty kind means that the request presented no such
// name: the origin is unknown and nothing is claimed about it.
const (
	KindBuiltin = "builtin"
	KindPlugin  = "plugin"
)

// Source says where a tool came from.
type Source struct {
	Kind   string `json:"kind"`             // KindBuiltin or KindPlugin
	Plugin string `json:"plugin,omitempty"` // the plugin's id, for KindPlugin only
	// PluginName is what the plugin calls itself, Tool what it calls the tool;
	// for KindPlugin only, and at most 1,024 and 128 bytes (package plugin).
	PluginName string `json:"plugin_name,omitempty"`
	Tool       string `json:"tool,omitempty"`
}

// Provenance is what one request presented for one served name. It is keyed by
// the served name, see Parse.
type Provenance struct {
	Canonical string // the registry's name; may equal the served one
	Source    Source
}

// Absent is the reason why an entry has no input schema.
type Absent string

// The reasons. A served definition without any inputSchema member is
// SchemaNotAnObject with SchemaBytes 0, which no JSON value has.
const (
	SchemaPresent     Absent = ""
	SchemaTooLarge    Absent = "too_large"     // over MaxSchema
	SchemaCatalogFull Absent = "catalog_full"  // did not fit into MaxSchemas
	SchemaNotAnObject Absent = "not_an_object" // true, null, [], "x", 1 or missing
)

// The values of Entry.Mark.
const (
	MarkNew     = "new"
	MarkChanged = "changed"
	MarkUnknown = "unknown" // it came or changed after the one comparison of its attempt
)

// Parts is how many tokens of an estimate stand in three members. Each is the
// count of the member's value as compact JSON text, with its quotes and
// escapes, as it stands in the definition; 0 when the member is missing. What
// is left of the estimate (keys, punctuation, other members) is the rest.
// Tokens do not end where members do, so the rest is approximate by a few.
type Parts struct {
	Name        int `json:"name"`
	Description int `json:"description"`
	InputSchema int `json:"input_schema"`
}

// Entry is one stored tool.
type Entry struct {
	Served         string `json:"served"`
	Canonical      string `json:"canonical,omitempty"` // empty when equal to Served
	Source         Source `json:"source"`
	Description    string `json:"description"`
	DescriptionCut bool   `json:"description_cut"`
	// HasDescription tells a served string, even an empty one, from a missing
	// member or one that is no string.
	HasDescription bool `json:"has_description"`
	// InputSchema is compact JSON text in served spelling, empty when absent.
	InputSchema  string `json:"input_schema,omitempty"`
	SchemaAbsent Absent `json:"schema_absent,omitempty"`
	// SchemaBytes is the size of the compact schema, stored or not.
	SchemaBytes int `json:"schema_bytes"`
	// Estimate is nil until it was counted and when it cannot be.
	Estimate *int   `json:"estimate,omitempty"`
	Parts    *Parts `json:"parts,omitempty"`
	Mark     string `json:"mark,omitempty"` // MarkNew, MarkChanged, MarkUnknown or empty
}

// Catalog is the bounded view of one served list. Entries are sorted by served
// name, bytewise; equal names keep their served order.
type Catalog struct {
	Entries   []Entry `json:"entries"`   // never nil, at most MaxTools
	Total     int     `json:"total"`     // every served tool with a name
	Unnamed   int     `json:"unnamed"`   // served elements without a name, not in Total
	Truncated bool    `json:"truncated"` // Total is over MaxTools
	// TokensTotal sums the estimates of every counted tool, also of those that
	// are not stored; TokensCover says how many tools that are. Nil while
	// nothing was counted.
	TokensTotal *int `json:"tokens_total,omitempty"`
	TokensCover int  `json:"tokens_cover"`
	// Method is the constant of that name exactly when an estimate is present.
	Method string `json:"method,omitempty"`
	// Compared tells "nothing new" from "nothing to compare with", see Mark.
	Compared bool `json:"compared"`
}

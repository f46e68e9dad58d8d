package app

import "kandev/backend/event"

// Attachment is the last observed attachment of one session with the
// definitions of its current attempt. It is the only way definitions reach the
// window, and its bytes are the same before and after a restart of the app,
// but for Live.
type Attachment struct {
	Session    string     `json:"session"`
	Live       bool       `json:"live"`
	CatalogRev uint64     `json:"catalog_rev"`
	Agent      AgentNames `json:"agent"`
	Attempts   []Attempt  `json:"attempts"`          // oldest first; the last is the current one
	Catalog    *Catalog   `json:"catalog,omitempty"` // absent before the first list of the current attempt
	Uses       []Use      `json:"uses"`
	OtherCalls int        `json:"other_calls"`
	Evidence   []Evidence `json:"evidence"` // of the current attempt, oldest first
}

// AgentNames says how this session's agent shows tool names to its model.
// Form holds {server} and {tool}; "" = not known.
type AgentNames struct {
	ID           string `json:"id"`
	Name         string `json:"name"`
	Form         string `json:"form"`
	Limit        int    `json:"limit"` // characters, 0 = not known
	Beyond       string `json:"beyond,omitempty"`
	Defers       bool   `json:"defers"`
	KeepsList    bool   `json:"keeps_list"` // keeps its first list until a new attempt
	MeasuredWith string `json:"measured_with,omitempty"`
	Client       Client `json:"client"`
}

// Client is what was seen of an agent's client, in whole sentences; absent
// where nothing was seen. It holds for the version that MeasuredWith names.
type Client struct {
	Characters  string   `json:"characters,omitempty"` // in names, outside of letters, digits, _ and -
	Description string   `json:"description,omitempty"`
	Rewrites    string   `json:"rewrites,omitempty"`
	RewriteKeys []string `json:"rewrite_keys"` // schemas with one of these keywords are rewritten
	TypeList    string   `json:"type_list,omitempty"`
	Deferred    string   `json:"deferred,omitempty"`
	Values      string   `json:"values,omitempty"`      // who can read the values of the person's servers
	Unconnected string   `json:"unconnected,omitempty"` // why a delivered server may never be connected
}

// Attempt is one attempt; earlier ones hold counts and times only.
type Attempt struct {
	ID         string         `json:"id"`
	Reason     string         `json:"reason"` // new, load, reset, restart
	StartedAt  int64          `json:"started_at"`
	EndedAt    int64          `json:"ended_at,omitempty"`
	EndReason  string         `json:"end_reason,omitempty"`
	Superseded string         `json:"superseded_by,omitempty"`
	Servers    []event.Server `json:"servers"`
}

// Catalog is the bounded list that was served last, by served name.
type Catalog struct {
	Entries     []Entry `json:"entries"`
	Total       int     `json:"total"`
	Unnamed     int     `json:"unnamed"`
	Truncated   bool    `json:"truncated"`
	TokensTotal *int    `json:"tokens_total,omitempty"`
	TokensCover int     `json:"tokens_cover"`
	Method      string  `json:"method,omitempty"`
	Compared    bool    `json:"compared"` // marks were computed against the attempt before
}

// Entry is what is stored of one tool. InputSchema is compact JSON text as it
// was served; "" with SchemaAbsent saying why: too_large, catalog_full,
// not_an_object.
type Entry struct {
	Served         string `json:"served"`
	Canonical      string `json:"canonical"`             // always set here
	Source         string `json:"source"`                // builtin, plugin
	Plugin         string `json:"plugin,omitempty"`      // its id
	PluginName     string `json:"plugin_name,omitempty"` // what it calls itself; "" = not known
	Original       string `json:"original,omitempty"`    // what the plugin calls the tool
	Description    string `json:"description"`
	HasDescription bool   `json:"has_description"`
	DescriptionCut bool   `json:"description_cut"`
	InputSchema    string `json:"input_schema,omitempty"`
	SchemaAbsent   string `json:"schema_absent,omitempty"`
	SchemaBytes    int    `json:"schema_bytes"`
	Estimate       *int   `json:"estimate,omitempty"`
	Parts          *Parts `json:"parts,omitempty"`
	Mark           string `json:"mark,omitempty"` // new, changed, unknown (not compared: it came or changed with a later list)
}

// Parts is how an estimate divides; the rest is the estimate less these.
type Parts struct {
	Name        int `json:"name"`
	Description int `json:"description"`
	InputSchema int `json:"input_schema"`
}

// Use counts the calls of one canonical tool name.
type Use struct {
	Tool   string `json:"tool"`
	Calls  int    `json:"calls"`
	Errors int    `json:"errors"`
	Last   int64  `json:"last"`
}

// Evidence is one kept line of evidence.
type Evidence struct {
	Kind   string `json:"kind"`
	Server string `json:"server,omitempty"`
	At     int64  `json:"at"`
	Reason string `json:"reason,omitempty"`
}

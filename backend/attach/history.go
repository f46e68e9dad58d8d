package attach

import (
	"time"

	"kandev/backend/catalog"
)

// Bounds of spec/attachment.md, "Bounds".
const (
	MaxAttempts    = 3   // the current one and two before it
	MaxEvidence    = 64  // per attempt; the projected timestamps stay
	MaxConnections = 16  // open ones per server; the oldest is forgotten
	MaxSummary     = 256 // bytes of an error summary
	MaxUses        = 512 // distinct tool names of one attempt in the tool-use table
)

// BuiltinServer is the name our own endpoint is injected under. Reserved.
const BuiltinServer = "kandev"

// Status is what a server's evidence adds up to.
type Status string

// Statuses. The window's words for them are in spec/explorer.md, "Words".
const (
	StatusUnknown      Status = "unknown"
	StatusDelivered    Status = "delivered"
	StatusConnected    Status = "connected"
	StatusActive       Status = "active"
	StatusDisconnected Status = "disconnected"
	StatusFailed       Status = "failed"
	StatusFiltered     Status = "filtered"
	StatusUnavailable  Status = "unavailable"
)

// ServerSource says whose server it is.
type ServerSource string

// Sources of servers.
const (
	SourceBuiltin ServerSource = "builtin" // hosted by us, the only one observed
	SourcePerson  ServerSource = "person"  // configured by the person, never connected to
)

// Why an attempt started.
const (
	StartNew     = "new"
	StartLoad    = "load"
	StartReset   = "reset"
	StartRestart = "restart"
)

// EndInterrupted is why an attempt ended whose end nobody saw: the app was killed.
const EndInterrupted = "interrupted"

// History is everything kept about one session's attachment. Immutable:
// Reduce returns a new value. The zero value is the history of a session that
// never started an attempt.
type History struct {
	Attempts   []Attempt `json:"attempts"`    // oldest first, at most MaxAttempts; the last is the current one
	CatalogRev uint64    `json:"catalog_rev"` // grows when the stored catalog of the current attempt changes
}

// Current returns the current attempt, or nil before the first one.
func (h History) Current() *Attempt {
	if len(h.Attempts) == 0 {
		return nil
	}
	return &h.Attempts[len(h.Attempts)-1]
}

// Number says which of the session's attempts the current one is; 0 before the
// first one. Of attempts that were stored without a number the kept ones count.
func (h History) Number() int {
	if cur := h.Current(); cur != nil && cur.Number > 0 {
		return cur.Number
	}
	return len(h.Attempts)
}

// Attempt is one delivery of MCP configuration to the agent.
type Attempt struct {
	ID         string     `json:"id"`
	Execution  string     `json:"execution"`
	Number     int        `json:"number,omitempty"` // of the session's attempts, from 1, also of those that are not kept; 0 = stored before it was counted
	Reason     string     `json:"reason"`           // StartNew, StartLoad, StartReset, StartRestart
	StartedAt  time.Time  `json:"started_at"`
	EndedAt    *time.Time `json:"ended_at,omitempty"`
	EndReason  string     `json:"end_reason,omitempty"`
	Superseded string     `json:"superseded_by,omitempty"`
	Servers    []Server   `json:"servers"`  // in order of their first evidence; the built-in one first
	Evidence   []Record   `json:"evidence"` // at most MaxEvidence, oldest first
	Uses       []Use      `json:"uses,omitempty"`
	OtherCalls int        `json:"other_calls,omitempty"` // calls of names that neither catalog nor registry hold

	previous Digests // definitions of the attempt before, until the first list was compared; never stored
}

// Server is what is known of one server in one attempt.
type Server struct {
	Name      string       `json:"name"`
	Source    ServerSource `json:"source"`
	Transport string       `json:"transport,omitempty"`
	Target    string       `json:"target,omitempty"` // redacted
	Status    Status       `json:"status"`
	Reason    string       `json:"reason,omitempty"`
	Summary   string       `json:"summary,omitempty"`
	Protocol  string       `json:"protocol,omitempty"`
	Client    string       `json:"client,omitempty"`
	Times     Times        `json:"times"`

	ToolCount    *int   `json:"tool_count,omitempty"`   // nil before a list was observed: unknown is not zero
	TokensTotal  *int   `json:"tokens_total,omitempty"` // nil until counted
	TokensCover  int    `json:"tokens_cover,omitempty"` // how many tools the total covers
	Method       string `json:"method,omitempty"`
	Stored       int    `json:"stored,omitempty"`    // entries of the catalog; 0 for a superseded attempt
	Truncated    bool   `json:"truncated,omitempty"` // more tools were served than are stored
	ListOrder    uint64 `json:"list_order,omitempty"`
	Counting     bool   `json:"counting,omitempty"`      // a list was observed and its estimates are not there yet
	ToolsChanged bool   `json:"tools_changed,omitempty"` // the registry moved past the list that was served

	// Catalog is the list last served in the current attempt; nil for a
	// superseded attempt and before the first list. Stored in a table of its own.
	Catalog *catalog.Catalog `json:"-"`

	open    []string // open connection ids, oldest first; empty after a restart of the app
	digests Digests  // of the complete definitions; never stored
}

// Times are the projected timestamps of the evidence checklist; they stay when
// the evidence itself was dropped.
type Times struct {
	Configured *time.Time `json:"configured,omitempty"`
	Delivered  *time.Time `json:"delivered,omitempty"`
	Accepted   *time.Time `json:"accepted,omitempty"`
	Connected  *time.Time `json:"connected,omitempty"`
	Listed     *time.Time `json:"listed,omitempty"`
	Used       *time.Time `json:"used,omitempty"`
	Closed     *time.Time `json:"closed,omitempty"`
	Failed     *time.Time `json:"failed,omitempty"`
	Observed   *time.Time `json:"observed,omitempty"` // the newest evidence of this server
}

// Record is one kept line of evidence: no summary, no target, no definition.
type Record struct {
	Kind   Kind      `json:"kind"`
	Server string    `json:"server,omitempty"`
	At     time.Time `json:"at"`
	Reason string    `json:"reason,omitempty"`
}

// Use counts the calls of one canonical tool name in the current attempt.
type Use struct {
	Tool   string    `json:"tool"`
	Calls  int       `json:"calls"`
	Errors int       `json:"errors"`
	Last   time.Time `json:"last"`
}

package attach

import (
	"time"

	"kandev/backend/catalog"
)

// Kind names one sort of evidence. The names are those of spec/attachment.md
// and stand in the database: they are never renamed.
type Kind string

// Evidence kinds. Of the attempt: Started, ExecutionEnded, Superseded. Of one
// server: all others.
const (
	Started           Kind = "started"
	Configured        Kind = "configured"
	Filtered          Kind = "filtered"
	Unavailable       Kind = "unavailable"
	Delivered         Kind = "delivered"
	Accepted          Kind = "accepted"
	HandshakeObserved Kind = "handshake_observed"
	ToolsListObserved Kind = "tools_list_observed"
	ToolsListCounted  Kind = "tools_list_counted"
	ToolsChanged      Kind = "tools_changed"
	ToolCallObserved  Kind = "tool_call_observed"
	Failed            Kind = "failed"
	ConnectionClosed  Kind = "connection_closed"
	ExecutionEnded    Kind = "execution_ended"
	Superseded        Kind = "superseded"
)

// ReasonBack is the reason of ToolsChanged when the registry is again what was
// served.
const ReasonBack = "back"

// Kinds lists every kind once, in the order of the specification's table.
var Kinds = []Kind{
	Started, Configured, Filtered, Unavailable, Delivered, Accepted, HandshakeObserved,
	ToolsListObserved, ToolsListCounted, ToolsChanged, ToolCallObserved, Failed,
	ConnectionClosed, ExecutionEnded, Superseded,
}

// SessionRefused is why the attachment failed: the agent refused the request
// that its servers were in.
const SessionRefused = "session_refused"

// Evidence is one small, safe, timestamped fact about one server, or about the
// attempt when Server is empty. Only the fields its kind speaks of are read.
type Evidence struct {
	Kind    Kind
	Attempt string // the attempt it was seen in; another than the current one is dropped
	Server  string // server name; empty for evidence of the attempt
	At      time.Time

	// Reason is a short code ("agent_takes_no_sse"). Summary is a sentence for a
	// person; the reducer redacts it again and cuts it. With SessionRefused it is
	// what the agent said.
	Reason  string
	Summary string

	Execution string // Started: the life of the agent process
	By        string // Superseded: the id of the attempt that came after

	// Configured: how the server is reached. Target is redacted by the reducer.
	Source    ServerSource
	Transport string // "http", "sse", "stdio"
	Target    string

	// HandshakeObserved, ConnectionClosed: an opaque connection id. Client and
	// Protocol are what the client said of itself in the handshake.
	Connection string
	Protocol   string
	Client     string

	// ToolsListObserved and ToolsListCounted: Order numbers the lists of one
	// endpoint; Catalog is the bounded list, without estimates; Digests are
	// those of the complete definitions and are never stored.
	Order   uint64
	Catalog *catalog.Catalog
	Digests Digests
	Counts  *catalog.Counts
}

// Digests maps sha256(served name) to sha256(complete compact definition).
type Digests map[[32]byte][32]byte

package mcpserver

import (
	"net/netip"
	"time"

	"kandev/backend/attach"
	"kandev/backend/timelimit"
)

// limits are the bounds of the listener and its look at the client's socket;
// tests shorten and replace them.
type limits struct {
	header time.Duration // to read a request's headers
	body   time.Duration // to read its body
	write  time.Duration // of one write
	idle   time.Duration // between two requests of a connection

	maxHeader int
	maxBody   int64

	linger   time.Duration // a connection without its stream, until it counts as closed
	cooldown time.Duration // between two list_changed on one stream
	pulse    time.Duration // between two comments on a quiet stream

	farewell time.Duration // for answers that are on their way when the listener closes

	owner func(client, server netip.AddrPort) (uid int, known bool)
}

// defaults are those of timelimit and spec/attachment.md.
func defaults() limits {
	return limits{
		header: timelimit.HTTPHeader, body: timelimit.HTTPBody, write: timelimit.HTTPWrite, idle: 2 * time.Minute,
		maxHeader: 64 << 10, maxBody: 4 << 20,
		linger: 10 * time.Second, cooldown: 250 * time.Millisecond, pulse: 30 * time.Second,
		farewell: time.Second, owner: socketOwner,
	}
}

// Bounds of one endpoint.
const (
	maxSessions = 64                    // MCP sessions; the oldest idle one gives way
	maxStreams  = 4                     // GET streams of one session; the oldest gives way
	maxListens  = attach.MaxConnections // subscriptions/listen streams; the oldest gives way
	maxQueue    = 16                    // pieces of evidence that wait for the observer
)

// defaultKeepAlive is when a waiting call first shows that it lives, and how
// often after that (spec/tools.md, "Rules for every call").
const defaultKeepAlive = 10 * time.Second

package mcpserver

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"kandev/backend/attach"
)

// stateless is what an endpoint knows of its clients of 2026-07-28, which have
// no session. A handshake is the first request that was served; a connection is
// one subscriptions/listen stream (spec/attachment.md, "Terms"). After the last
// one has ended the next request is a first one again.
type stateless struct {
	e        *Endpoint
	identity json.RawMessage // _meta of each result
	listTail []byte          // what ends a tools/list result and its message

	mu      sync.Mutex
	shaken  bool // a handshake was recorded and is not over
	listens []*listener
	lowest  uint64 // oldest version of the tools that any of these clients listed; 0: none did
	closed  bool
}

// listener is one subscriptions/listen stream.
type listener struct {
	*stream
	connection string
}

func newStateless(e *Endpoint) *stateless {
	server := map[string]any{mcp.MetaKeyServerInfo: map[string]string{"name": attach.BuiltinServer, "version": e.o.Version}}
	t := &stateless{e: e, identity: encode(server)}
	// ttlMs 0: ask again whenever it matters; what changes is told by list_changed.
	t.listTail = fmt.Appendf(nil, `,"resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":%s}}`+"\n", t.identity)
	return t
}

// seen records the handshake of a client that is not connected yet.
func (t *stateless) seen(h handshake) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.shaken && !t.closed {
		t.shake(h, "")
	}
}

// shake enqueues under t.mu, so that evidence has the order of what happened.
func (t *stateless) shake(h handshake, connection string) {
	t.shaken = true
	t.e.watch.add(attach.Evidence{Kind: attach.HandshakeObserved, Connection: connection, Client: h.client, Protocol: h.protocol})
}

// open adds a stream; nil after close. wants says that it asked for list_changed.
// A client is nobody here, so it cannot be known what the one behind a new
// stream has listed: it is told at once when the tools are others than any of
// these clients listed. That costs one tools/list at most and loses nothing.
func (t *stateless) open(h handshake, st *stream, wants bool) *listener {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil
	}
	if len(t.listens) >= maxListens {
		oldest := t.listens[0]
		oldest.end()
		t.remove(oldest)
	}
	l := &listener{stream: st, connection: t.e.newConnection()}
	t.listens = append(t.listens, l)
	t.shake(h, l.connection)
	if wants && t.lowest > 0 && t.lowest < t.e.tools.Load().version {
		st.wake()
	}
	return l
}

// streams is how many are open.
func (t *stateless) streams() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.listens)
}

// gone records the end of a stream. At the endpoint's close that is left to
// close, which comes after the last list.
func (t *stateless) gone(l *listener) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		t.remove(l)
	}
}

func (t *stateless) remove(l *listener) {
	i := slices.Index(t.listens, l)
	if i < 0 {
		return
	}
	t.listens = slices.Delete(t.listens, i, i+1)
	t.e.watch.add(attach.Evidence{Kind: attach.ConnectionClosed, Connection: l.connection})
	t.shaken = len(t.listens) > 0
}

// lapse: a connection of the older era has closed, and with it the server may
// read as disconnected. Whoever of these clients is still there says so anew.
func (t *stateless) lapse() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.shaken = len(t.listens) > 0
}

func (t *stateless) setListed(version uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lowest == 0 || version < t.lowest {
		t.lowest = version
	}
}

// announce wakes every stream; those that did not ask sleep on.
func (t *stateless) announce() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, l := range t.listens {
		l.wake()
	}
}

// stop ends every stream; none begins afterwards.
func (t *stateless) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	for _, l := range t.listens {
		l.end()
	}
}

// close records the end of what was connected; also of clients that never
// opened a stream.
func (t *stateless) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.listens) > 0 {
		t.remove(t.listens[0])
	}
	if t.shaken {
		t.shaken = false
		t.e.watch.add(attach.Evidence{Kind: attach.ConnectionClosed})
	}
}

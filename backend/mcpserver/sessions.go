package mcpserver

import (
	"crypto/rand"
	"net/http"
	"sync"

	"kandev/backend/attach"
)

// session is one MCP session id and the connection it stands for.
type session struct {
	id        string
	handshake handshake

	// Guarded by sessions.mu.
	connection string // opaque id in evidence; empty while it counts as closed
	streams    []*stream
	streamed   bool // a stream was opened once
	busy       int  // requests being answered
	used       uint64
	disarm     func() bool // of the running linger timer, or nil
	armed      uint64      // which timer runs; a late one is ignored
	listed     uint64      // version of the tools last listed; 0: never
	has        digest      // of what was listed then: what the client has
	told       uint64      // version of the last list_changed that was written
}

// sessions is the table of one endpoint and the connection rule
// (spec/attachment.md, "Terms"): a connection lasts from its first accepted
// request to DELETE, to the endpoint's close, or to the end of its last stream
// with none reopened for 10 s. An id whose connection counts as closed stays
// valid; its next request opens a new connection.
type sessions struct {
	e *Endpoint

	mu     sync.Mutex
	byID   map[string]*session
	clock  uint64 // counts uses
	closed bool
}

func newSessions(e *Endpoint) *sessions { return &sessions{e: e, byID: map[string]*session{}} }

// create makes room for a session; false when all are busy.
func (t *sessions) create(h handshake) (*session, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed || len(t.byID) >= maxSessions && !t.evict() {
		return nil, false
	}
	t.clock++
	s := &session{id: rand.Text(), handshake: h, used: t.clock}
	t.byID[s.id] = s
	return s, true
}

// evict forgets the idle session that was not used for longest.
func (t *sessions) evict() bool {
	var oldest *session
	for _, s := range t.byID {
		if s.quiet() && (oldest == nil || s.used < oldest.used) {
			oldest = s
		}
	}
	if oldest == nil {
		return false
	}
	t.remove(oldest)
	return true
}

// drop forgets a session whose id never reached its client.
func (t *sessions) drop(s *session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.remove(s)
}

// remove ends a session and all that hangs on it. t.mu is held.
func (t *sessions) remove(s *session) {
	delete(t.byID, s.id)
	t.stopTimer(s)
	for _, st := range s.streams {
		st.end()
	}
	s.streams = nil
	t.disconnect(s)
	t.refill()
}

// connect records that a session has an open connection.
func (t *sessions) connect(s *session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byID[s.id] == s {
		t.reconnect(s)
	}
}

// reconnect and disconnect enqueue under t.mu, so that evidence has the order
// of what happened; the queue never blocks.
func (t *sessions) reconnect(s *session) {
	if s.connection != "" || !t.makeRoom() {
		return
	}
	s.connection = t.e.newConnection()
	t.e.watch.add(attach.Evidence{
		Kind: attach.HandshakeObserved, Connection: s.connection,
		Client: s.handshake.client, Protocol: s.handshake.protocol,
	})
}

func (t *sessions) disconnect(s *session) {
	if s.connection == "" {
		return
	}
	t.e.watch.add(attach.Evidence{Kind: attach.ConnectionClosed, Connection: s.connection})
	s.connection = ""
	t.e.stateless.lapse()
}

// begin attributes a request to its session: 400 without an id, 404 for one
// that is unknown, ended or another endpoint's.
func (t *sessions) begin(id string) (*session, int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s, status := t.find(id)
	if s == nil {
		return nil, status
	}
	s.busy++
	t.touch(s)
	return s, 0
}

func (t *sessions) find(id string) (*session, int) {
	if id == "" {
		return nil, http.StatusBadRequest
	}
	s := t.byID[id]
	if s == nil {
		return nil, http.StatusNotFound
	}
	return s, 0
}

func (t *sessions) touch(s *session) {
	t.clock++
	s.used = t.clock
	t.stopTimer(s)
	t.reconnect(s)
}

func (t *sessions) end(s *session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s.busy--
	t.linger(s)
}

// linger starts the 10 s of a connection that lost its last stream.
func (t *sessions) linger(s *session) {
	if t.closed || t.byID[s.id] != s || !s.streamed || len(s.streams) > 0 || s.busy > 0 || s.connection == "" {
		return
	}
	t.stopTimer(s)
	s.armed++
	mine := s.armed
	s.disarm = t.e.o.After(t.e.server.limits.linger, func() { t.expire(s, mine) })
}

func (t *sessions) stopTimer(s *session) {
	if s.disarm != nil {
		s.disarm()
		s.disarm = nil
	}
	s.armed++
}

func (t *sessions) expire(s *session, timer uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s.armed == timer && t.byID[s.id] == s {
		s.disarm = nil
		t.disconnect(s)
		t.refill()
	}
}

// stop ends every stream; no session and no stream begins afterwards.
func (t *sessions) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	for _, s := range t.byID {
		for _, st := range s.streams {
			st.end()
		}
	}
}

// close ends every session.
func (t *sessions) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range t.byID {
		t.remove(s)
	}
}

// delete answers DELETE: the session, its streams and its calls end (D3).
func (e *Endpoint) delete(w http.ResponseWriter, r *http.Request) {
	if isModern(r, nil) {
		notAllowed(w, "POST")
		return
	}
	if !knownVersion(r) {
		fail(w, http.StatusBadRequest, "unsupported Mcp-Protocol-Version")
		return
	}
	e.sessions.mu.Lock()
	s, status := e.sessions.find(r.Header.Get("Mcp-Session-Id"))
	if s != nil {
		e.sessions.remove(s)
	}
	e.sessions.mu.Unlock()
	if s == nil {
		fail(w, status, "no such session")
		return
	}
	e.calls.cancelSession(s.id, errClientGone)
	w.WriteHeader(http.StatusOK)
}

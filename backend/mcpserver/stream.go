package mcpserver

import (
	"context"
	"io"
	"net/http"
	"slices"
	"time"

	"kandev/backend/attach"
)

// stream is what the server says without being asked, which is list_changed and
// nothing else: one open GET, or one subscriptions/listen.
type stream struct {
	changed chan struct{} // holds at most one: many changes are one notification
	end     context.CancelFunc
}

const listChanged = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`

// get answers GET with a stream of its session.
func (e *Endpoint) get(w http.ResponseWriter, r *http.Request) {
	switch {
	case isModern(r, nil):
		notAllowed(w, "POST")
		return
	case !knownVersion(r):
		fail(w, http.StatusBadRequest, "unsupported Mcp-Protocol-Version")
		return
	case !accepts(r, eventStream):
		notAllowed(w, "POST, GET, DELETE") // a GET that is no stream is not offered
		return
	}
	// A body means nothing here, but an unread one would hide that the client is gone.
	if _, err := io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, e.server.limits.maxBody)); err != nil {
		fail(w, http.StatusBadRequest, "the body could not be read")
		return
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	st := &stream{changed: make(chan struct{}, 1), end: cancel}
	sess, status := e.sessions.attach(r.Header.Get("Mcp-Session-Id"), st)
	if sess == nil {
		fail(w, status, "no such session")
		return
	}
	defer e.sessions.detach(sess, st)
	out := &sink{w: w, timeout: e.server.limits.write}
	out.stream()
	if out.write([]byte(": open\n\n")) != nil {
		return
	}
	e.pump(ctx, out, st, []byte(listChanged), e.sessions.teller(sess))
}

// attach opens a stream of a session. The newest stream is the one that is
// told; a client that opens too many loses its oldest.
func (t *sessions) attach(id string, st *stream) (*session, int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s, status := t.find(id)
	if s == nil {
		return nil, status
	}
	if t.closed {
		return nil, http.StatusNotFound
	}
	t.touch(s)
	s.streamed = true
	s.streams = append(s.streams, st)
	if len(s.streams) > maxStreams {
		s.streams[0].end()
		s.streams = slices.Delete(s.streams, 0, 1)
	}
	t.catchUp(s)
	return s, 0
}

// catchUp tells what a stream that is gone may have lost, by the newest one. That
// it was written there says nothing: a dead connection takes bytes for a while.
// t.mu is held.
func (t *sessions) catchUp(s *session) {
	if n := len(s.streams); n > 0 && s.listed > 0 && !t.current(s) {
		s.streams[n-1].wake()
	}
}

// current: what the client listed last is what is served, whatever was served in
// between. t.mu is held.
func (t *sessions) current(s *session) bool {
	return s.listed > 0 && s.has == t.e.tools.Load().digest
}

// wake makes the stream say list_changed, once however often it is called.
func (st *stream) wake() {
	select {
	case st.changed <- struct{}{}:
	default:
	}
}

func (t *sessions) detach(s *session, st *stream) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.Index(s.streams, st); i >= 0 {
		s.streams = slices.Delete(s.streams, i, i+1)
		t.catchUp(s)
	}
	t.linger(s)
}

// behind: the session listed tools, and neither listed nor was told the
// present ones. t.mu is held.
func (t *sessions) behind(s *session) bool {
	return s.listed > 0 && max(s.listed, s.told) < t.e.tools.Load().version && !t.current(s)
}

// announce wakes one stream of each session.
func (t *sessions) announce() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range t.byID {
		if n := len(s.streams); n > 0 {
			s.streams[n-1].wake()
		}
	}
}

// owes is the version that a list_changed written now would tell; false when
// the session knows it already.
func (t *sessions) owes(s *session) (version uint64, owed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.e.tools.Load().version, t.behind(s)
}

func (t *sessions) setTold(s *session, version uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s.told = max(s.told, version)
}

// setListed notes what a session was served. A list that was on its way while the
// tools changed, and changed back, was not told of. It is enqueued under t.mu: behind
// the end of its connection it would open that again.
func (t *sessions) setListed(s *session, l *written) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l.tools.version >= s.listed {
		s.listed, s.has = l.tools.version, l.tools.digest
	}
	if n := len(s.streams); n > 0 && t.behind(s) {
		s.streams[n-1].wake()
	}
	l.connection = s.connection
	t.e.watch.addList(l)
	if s.connection == "" { // it ended meanwhile, or had no room: nothing else would close what the list says
		t.e.watch.add(attach.Evidence{Kind: attach.ConnectionClosed})
		t.e.stateless.lapse()
	}
}

// teller notes what a session was told: the tools as they were before the
// notification was written. One that has them already is told nothing.
func (t *sessions) teller(s *session) func() func() {
	return func() func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.current(s) {
			return nil
		}
		version := t.e.tools.Load().version
		return func() { t.setTold(s, version) }
	}
}

// pump writes to one stream until it ends. After a notification it rests for
// the cooldown: a storm of changes becomes a few notifications. before is
// called when one is due, what it returns when it was written; nil: none is.
func (e *Endpoint) pump(ctx context.Context, out *sink, st *stream, message []byte, before func() (after func())) {
	pulse := time.NewTicker(e.server.limits.pulse)
	defer pulse.Stop()
	var resting <-chan time.Time
	for {
		changed := st.changed
		if resting != nil {
			changed = nil
		}
		select {
		case <-ctx.Done():
			return
		case <-resting:
			resting = nil
		case <-pulse.C:
			if out.write([]byte(": \n\n")) != nil {
				return
			}
		case <-changed:
			after := before()
			if after == nil {
				continue
			}
			if out.event(message) != nil {
				return
			}
			after()
			resting = time.After(e.server.limits.cooldown)
		}
	}
}

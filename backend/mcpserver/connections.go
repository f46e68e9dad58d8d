package mcpserver

import "kandev/backend/attach"

// Of one attempt at most attach.MaxConnections connections are open
// (spec/attachment.md, "Terms"), more sessions than that are valid. When one more
// would open, the one that says least of its client counts as closed: without a
// stream or a request first, then the one not used for longest. Its session's
// next request opens a new one, as after any other end. Streams of the newer era
// give way to one another alone: a session has no connection while they are all
// there may be.

// makeRoom lets one connection more open, where that can be. t.mu is held.
func (t *sessions) makeRoom() (made bool) {
	if t.room() {
		return true
	}
	var least *session
	for _, s := range t.byID {
		if s.connection != "" && (least == nil || s.saysLess(least)) {
			least = s
		}
	}
	if least == nil {
		return false
	}
	t.disconnect(least)
	return true
}

// refill opens a connection for a client that is there and had no room, now
// that another ended. t.mu is held.
func (t *sessions) refill() {
	var most *session
	for _, s := range t.byID {
		if s.connection == "" && !s.quiet() && (most == nil || most.saysLess(s)) {
			most = s
		}
	}
	if most != nil && !t.closed && t.room() {
		t.reconnect(most)
	}
}

func (t *sessions) room() bool {
	n := t.e.stateless.streams()
	for _, s := range t.byID {
		if s.connection != "" {
			n++
		}
	}
	return n < attach.MaxConnections
}

// yield is makeRoom for a stream of the newer era, which open adds. Beyond the
// bound that ends an older one of them.
func (t *sessions) yield(open func() *listener) *listener {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.makeRoom()
	return open()
}

// regain is refill after such a stream ended.
func (t *sessions) regain() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.refill()
}

// quiet: no stream and no request shows that the client is there.
func (s *session) quiet() bool { return s.busy == 0 && len(s.streams) == 0 }

func (s *session) saysLess(other *session) bool {
	if s.quiet() != other.quiet() {
		return s.quiet()
	}
	return s.used < other.used
}

package bridge

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
)

// session is what initialize settled at the endpoint. Requests compare it by
// identity, to see whether another one took its place meanwhile.
type session struct {
	id      string // empty: none, or an endpoint without sessions
	version string
	life    context.Context // ends when another session takes the place
	end     context.CancelFunc
}

func (b *bridge) newSession(id, version string) *session {
	s := &session{id: id, version: version}
	s.life, s.end = context.WithCancel(b.streaming)
	return s
}

// identify adds the headers of a session.
func (s *session) identify(q *http.Request) {
	if s.id != "" {
		q.Header.Set("Mcp-Session-Id", s.id)
	}
	if s.version != "" {
		q.Header.Set("Mcp-Protocol-Version", s.version)
	}
}

// current holds the session and the initialize that made it.
type current struct {
	mu   sync.Mutex
	now  *session
	line *message // nil: the client has not initialized
}

func (c *current) get() (*session, *message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now, c.line
}

// set puts a session in the place of another, whose streams end.
func (c *current) set(s *session, line *message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now.end()
	c.now, c.line = s, line
}

// initialize makes the client's session, with everything else waiting.
func (b *bridge) initialize(m *message) {
	if !b.turn(b.life) {
		return
	}
	defer b.turnOver()
	ctx, cancel := context.WithTimeout(b.life, b.limits.handshake)
	defer cancel()
	old, _ := b.session.get()
	b.session.set(b.newSession("", ""), nil)
	b.drop(ctx, old)
	res, err := b.link.post(ctx, m, nil, nil)
	if err != nil {
		b.unreachable(ctx, m, err)
		return
	}
	defer discard(res)
	id := res.Header.Get("Mcp-Session-Id")
	settled := func(r *reply) (more bool) {
		if r.answers(m.id) && len(r.Error) == 0 {
			b.session.set(b.newSession(id, agreed(r)), m) // before the client can go on
		}
		return !r.isAnswer() // whatever else the endpoint keeps the response open for
	}
	b.pass(ctx, res, m, settled)
}

// renew makes a session like the one that the endpoint has forgotten, unless
// somebody else did meanwhile. The client only learns that its list may be
// another one now. False: there is no session to be had.
func (b *bridge) renew(ctx context.Context, lost *session) (*session, bool) {
	if !b.turn(ctx) {
		return nil, false
	}
	defer b.turnOver()
	now, line := b.session.get()
	if line == nil || now != lost {
		return now, line != nil
	}
	// Not under the request's ctx: a cancelled call must not leave half a session.
	ctx, cancel := context.WithTimeout(b.life, b.limits.handshake)
	defer cancel()
	res, err := b.link.post(ctx, line, nil, nil)
	if err != nil {
		return nil, false
	}
	defer discard(res)
	var fresh *session
	_ = messages(res, b.limits.line, func(_ []byte, r *reply) (more bool) { // without an answer there is no session
		if r.answers(line.id) && len(r.Error) == 0 {
			fresh = b.newSession(res.Header.Get("Mcp-Session-Id"), agreed(r))
		}
		return !r.isAnswer()
	})
	if fresh == nil || res.StatusCode != http.StatusOK {
		return nil, false
	}
	ready := &message{line: []byte(`{"jsonrpc":"2.0","method":"` + methodInitialized + `"}`), method: methodInitialized}
	if res, err := b.link.post(ctx, ready, fresh, nil); err == nil {
		discard(res)
	}
	b.session.set(fresh, line)
	b.out.write([]byte(listChanged))
	return fresh, true
}

// drop ends a session at the endpoint; where that fails it ends there by itself.
func (b *bridge) drop(ctx context.Context, s *session) {
	if s.id == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, b.limits.farewell)
	defer cancel()
	_ = b.link.delete(ctx, s)
}

// turn waits for the right to make a session.
func (b *bridge) turn(ctx context.Context) bool {
	select {
	case b.renewing <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (b *bridge) turnOver() { <-b.renewing }

// agreed is the protocol version of an initialize result.
func agreed(r *reply) string {
	var result struct {
		Version string `json:"protocolVersion"`
	}
	if json.Unmarshal(r.Result, &result) != nil {
		return ""
	}
	return result.Version
}

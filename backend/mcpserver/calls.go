package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
)

// ErrCancelled is the cause of a call that its client took back. Like a client
// that is gone, it needs no answer.
var ErrCancelled = errors.New("cancelled by the client")

var errClientGone = errors.New("the client is gone")

// running is one tools/call being answered.
type running struct{ cancel context.CancelCauseFunc }

// calls are the running calls of one endpoint, by session and request id. Ids
// are the client's; one that is used twice at a time names both calls.
type calls struct {
	mu    sync.Mutex
	n     int
	ended error // set by close: the cause of every call from then on
	byID  map[callKey]map[*running]struct{}
}

type callKey struct{ session, id string }

func newCalls() *calls { return &calls{byID: map[callKey]map[*running]struct{}{}} }

// start registers a call; done must be called when it was answered.
func (c *calls) start(ctx context.Context, session string, id json.RawMessage) (_ context.Context, done func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	key, r := callKey{session, idKey(id)}, &running{cancel}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	if c.ended != nil {
		cancel(c.ended)
	}
	if c.byID[key] == nil {
		c.byID[key] = map[*running]struct{}{}
	}
	c.byID[key][r] = struct{}{}
	return ctx, func() {
		cancel(nil)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.n--
		if delete(c.byID[key], r); len(c.byID[key]) == 0 {
			delete(c.byID, key)
		}
	}
}

func (c *calls) len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

// cancel ends the calls of one id of one session. An id that is finished or
// unknown is ignored, as MCP demands.
func (c *calls) cancel(session string, id json.RawMessage, cause error) {
	c.where(cause, func(k callKey) bool { return k == callKey{session, idKey(id)} })
}

func (c *calls) cancelSession(session string, cause error) {
	c.where(cause, func(k callKey) bool { return k.session == session })
}

func (c *calls) cancelAll(cause error) { c.where(cause, func(callKey) bool { return true }) }

// close ends every call, also one that is about to start.
func (c *calls) close(cause error) {
	c.mu.Lock()
	c.ended = cause
	c.mu.Unlock()
	c.cancelAll(cause)
}

func (c *calls) where(cause error, match func(callKey) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, all := range c.byID {
		if !match(key) {
			continue
		}
		for r := range all {
			r.cancel(cause)
		}
	}
}

// cancelled takes notifications/cancelled of the request's own session. MCP has
// a client send it as well when it waited too long; that is a client which is
// gone, not one that wants the call undone.
func (e *Endpoint) cancelled(q *request) {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
		Reason    json.RawMessage `json:"reason"`
	}
	if json.Unmarshal(q.msg.Params, &p) != nil || !isID(p.RequestID) {
		return
	}
	cause := ErrCancelled
	if waitsNoLonger(p.Reason) {
		cause = errClientGone
	}
	e.calls.cancel(q.sess.id, p.RequestID, cause)
}

// waitsNoLonger reports whether a reason says so; nothing but the text tells.
// The official SDKs write "Request timed out", the Rust one "request timeout",
// and Codex 0.166.0 "MCP response future dropped" once its time is over.
func waitsNoLonger(reason json.RawMessage) bool {
	text := strings.ToLower(string(reason))
	return strings.Contains(text, "timed out") || strings.Contains(text, "timeout") || strings.Contains(text, "future dropped")
}

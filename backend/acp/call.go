package acp

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// call is one request of ours that waits for its answer.
type call struct {
	id     int64
	method string
	frame  *frame
	answer chan answer // holds one; exactly one is ever sent
	since  time.Time
}

// answer is how a call ended: err is an *Error, or ours.
type answer struct {
	result json.RawMessage
	err    error
}

// begin registers a call and queues its request.
func (c *Conn) begin(method string, params any) (*call, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lastID++
	p := &call{id: c.lastID, method: method, answer: make(chan answer, 1), since: c.o.Now()}
	f, err := encode(message{ID: json.RawMessage(strconv.FormatInt(p.id, 10)), Method: method, Params: params})
	if err == nil {
		p.frame = f
		err = c.enqueue(f)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	c.pending[p.id] = p
	return p, nil
}

// complete ends an open call. false: there is none with this id.
func (c *Conn) complete(id int64, a answer) bool {
	c.mu.Lock()
	p := c.pending[id]
	delete(c.pending, id)
	c.mu.Unlock()
	if p == nil {
		return false
	}
	c.log.Debug("acp: answered", "method", p.method, "id", id, "length", len(a.result), "duration", c.o.Now().Sub(p.since))
	p.answer <- a
	return true
}

// abandon stops waiting for a call; a late answer is ignored. It reports
// whether the request never left, so that there is nothing to cancel.
func (c *Conn) abandon(p *call) (unsent bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pending, p.id)
	return c.unqueue(p.frame)
}

// roundTrip sends a request and waits for its answer, the end of ctx, or the
// limit. A request that was given up is withdrawn with $/cancel_request.
func (c *Conn) roundTrip(ctx context.Context, limit time.Duration, method string, params any) (json.RawMessage, error) {
	ctx, stop := context.WithTimeoutCause(ctx, limit, fmt.Errorf("%w (%v)", ErrNoAnswer, limit))
	defer stop()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%s: %w", method, context.Cause(ctx))
	}
	p, err := c.begin(method, params)
	if err != nil {
		return nil, err
	}
	select {
	case a := <-p.answer:
		if a.err != nil {
			return nil, fmt.Errorf("%s: %w", method, a.err)
		}
		return a.result, nil
	case <-ctx.Done():
		if !c.abandon(p) {
			// Nothing to do when it cannot be sent: the call has ended here.
			_ = c.notify("$/cancel_request", struct {
				ID int64 `json:"requestId"`
			}{p.id})
		}
		return nil, fmt.Errorf("%s: %w", method, context.Cause(ctx))
	}
}

package acp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
)

// served is one request of the agent that a handler works on. It is answered
// once: by the handler, by Cancel, or by the agent's own withdrawal.
type served struct {
	id      json.RawMessage
	session string
	asks    bool // a permission request: session/cancel answers it
	cancel  context.CancelFunc
	taken   bool // under Conn.mu
}

// request answers or starts to serve one request of the agent, on the reading
// goroutine. Its id is any JSON value and is given back as it came.
func (c *Conn) request(id json.RawMessage, method string, params json.RawMessage) {
	serve := c.handler(method)
	o := parseObject(params)
	switch {
	case serve == nil:
		c.log.Debug("acp: request of a method that is not offered", "method", cut(method, maxLabel))
		c.refuse(id, CodeMethodNotFound, "method not offered by this client")
		return
	case o == nil:
		c.refuse(id, CodeInvalidParams, "params must be an object")
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &served{id: id, session: o.text("sessionId"), asks: method == methodPermission, cancel: cancel}
	c.mu.Lock()
	t := c.turns[s.session]
	cancelled := s.asks && t != nil && t.isCancelled()
	full := len(c.serving) >= maxServing
	ended := c.err != nil
	if !cancelled && !full && !ended {
		c.serving[s] = struct{}{}
	}
	c.mu.Unlock()
	switch {
	case ended:
		cancel()
	case cancelled: // sent before the agent saw session/cancel
		cancel()
		c.send(message{ID: id, Result: outcomeOf(PermissionOutcome{})})
	case full:
		cancel()
		c.refuse(id, CodeInternal, "too many open requests")
	default:
		c.wg.Go(func() { c.serve(ctx, s, method, params, serve) })
	}
}

const (
	methodPermission = "session/request_permission"
	methodRead       = "fs/read_text_file"
	methodWrite      = "fs/write_text_file"
)

// handler answers requests of one method; its result is encoded.
type handler func(ctx context.Context, params json.RawMessage) (any, error)

// handler is nil for a method that is not offered.
func (c *Conn) handler(method string) handler {
	switch {
	case method == methodPermission && c.o.Permission != nil:
		return c.askPermission
	case method == methodRead && c.o.ReadFile != nil:
		return c.readFile
	case method == methodWrite && c.o.WriteFile != nil:
		return c.writeFile
	case c.o.Terminals.Create != nil:
		return c.terminalHandler(method)
	}
	return nil
}

func (c *Conn) serve(ctx context.Context, s *served, method string, params json.RawMessage, do handler) {
	defer s.cancel()
	since := c.o.Now()
	result, err := c.guarded(ctx, method, params, do)
	m := message{ID: s.id, Result: result}
	if err != nil {
		m = message{ID: s.id, Error: wireErrorOf(err)}
	}
	c.log.Debug("acp: served", "method", method, "failed", err != nil, "duration", c.o.Now().Sub(since))
	if c.take(s) {
		c.send(m)
	}
}

// guarded runs a handler; one that panics has failed.
func (c *Conn) guarded(ctx context.Context, method string, params json.RawMessage, do handler) (result any, err error) {
	err = errPanic // stays when the handler does not return
	defer c.recovered(method)
	return do(ctx, params)
}

var (
	errOption = errors.New("the outcome is not an option of the request")
	errPanic  = errors.New("handler panicked")
)

func (c *Conn) askPermission(ctx context.Context, params json.RawMessage) (any, error) {
	r := decodePermission(params)
	o, err := c.o.Permission(ctx, r)
	if err == nil && !r.offers(o) {
		err = errOption
	}
	return outcomeOf(o), err
}

// take makes the caller the one that answers.
func (c *Conn) take(s *served) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.taken {
		return false
	}
	s.taken = true
	delete(c.serving, s)
	return true
}

// withdrawn handles $/cancel_request: the agent no longer wants an answer.
func (c *Conn) withdrawn(params json.RawMessage) {
	want := bytes.TrimSpace(parseObject(params)["requestId"])
	c.mu.Lock()
	var found []*served
	for s := range c.serving {
		if bytes.Equal(bytes.TrimSpace(s.id), want) {
			found = append(found, s)
		}
	}
	c.mu.Unlock()
	for _, s := range found {
		if c.take(s) {
			s.cancel()
			c.refuse(s.id, CodeCancelled, "request cancelled")
		}
	}
}

func (c *Conn) refuse(id json.RawMessage, code int, text string) {
	c.send(message{ID: id, Error: &wireError{code, text}})
}

// send queues an answer. An agent that asks and asks but never reads would
// fill our memory: that ends the connection.
func (c *Conn) send(m message) {
	f, err := encode(m)
	if errors.Is(err, ErrTooLarge) { // the agent must not wait for ever
		f, err = encode(message{ID: m.ID, Error: &wireError{CodeInternal, "the answer is larger than 64 MiB"}})
	}
	if err != nil { // the id is what the agent sent, all else is ours
		c.log.Error("acp: answer could not be encoded", "length", len(m.ID))
		return
	}
	c.mu.Lock()
	err = c.enqueue(f)
	c.mu.Unlock()
	if errors.Is(err, ErrStalled) {
		c.fail(errors.Join(ErrClosed, ErrStalled))
	}
}

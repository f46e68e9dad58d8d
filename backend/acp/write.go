package acp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// frame is one outgoing message with its line end.
type frame struct{ data []byte }

// message is the outgoing form of every JSON-RPC message.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   *wireError      `json:"error,omitempty"`
}

type wireError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func encode(m message) (*frame, error) {
	m.Version = "2.0"
	var b bytes.Buffer
	e := json.NewEncoder(&b) // ends with the newline that ends a frame
	e.SetEscapeHTML(false)
	if err := e.Encode(m); err != nil {
		return nil, err
	}
	if b.Len() > MaxFrame {
		return nil, ErrTooLarge
	}
	return &frame{b.Bytes()}, nil
}

// notify queues a notification.
func (c *Conn) notify(method string, params any) error {
	f, err := encode(message{Method: method, Params: params})
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.enqueue(f)
}

// enqueue adds frames in order, all or none, and never waits: whoever sends
// must stay free to read. c.mu is held.
func (c *Conn) enqueue(frames ...*frame) error {
	if c.err != nil {
		return c.err
	}
	if c.writeErr != nil {
		return c.writeErr
	}
	n := 0
	for _, f := range frames {
		n += len(f.data)
	}
	if c.queued > 0 && c.queued+n > c.maxQueue {
		return ErrStalled
	}
	c.queue = append(c.queue, frames...)
	c.queued += n
	select {
	case c.wake <- struct{}{}:
	default:
	}
	return nil
}

// unqueue takes back a frame that was not begun. c.mu is held.
func (c *Conn) unqueue(f *frame) bool {
	i := slices.Index(c.queue, f)
	if i < 0 {
		return false
	}
	c.queue = slices.Delete(c.queue, i, i+1)
	c.queued -= len(f.data)
	return true
}

// write is the only goroutine that writes, so that a call never hangs in a
// pipe its agent does not read.
func (c *Conn) write() {
	for {
		f := c.takeFrame()
		if f == nil {
			select {
			case <-c.wake:
				continue
			case <-c.done:
				return
			}
		}
		if _, err := c.w.Write(f.data); err != nil {
			c.writeFailed(err)
			return
		}
		c.mu.Lock()
		c.queued = max(0, c.queued-len(f.data))
		c.mu.Unlock()
	}
}

func (c *Conn) takeFrame() *frame {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.queue) == 0 {
		return nil
	}
	f := c.queue[0]
	c.queue[0] = nil
	c.queue = c.queue[1:]
	return f
}

// writeFailed leaves the reader a moment: an agent that ends may have closed
// its input first and still have answers in its output.
func (c *Conn) writeFailed(err error) {
	err = fmt.Errorf("%w: %w", ErrClosed, err)
	c.mu.Lock()
	c.writeErr = err
	c.mu.Unlock()
	t := time.NewTimer(c.o.Limits.Drain)
	defer t.Stop()
	select {
	case <-c.done:
	case <-t.C:
		c.fail(err)
	}
}

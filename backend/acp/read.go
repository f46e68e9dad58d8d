package acp

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
)

// read takes frames until the agent's output ends. It is the only goroutine
// that reads and the one that runs Update, which is what keeps order.
func (c *Conn) read() {
	frames := frameReader{r: bufio.NewReaderSize(c.r, 64<<10), max: c.maxFrame}
	for {
		line, over, err := frames.next()
		switch {
		case c.Err() != nil: // closed: what is still buffered is nobody's
			return
		case errors.Is(err, io.EOF):
			c.fail(fmt.Errorf("%w: the agent closed its output", ErrClosed))
			return
		case err != nil:
			c.fail(fmt.Errorf("%w: %w", ErrClosed, err))
			return
		case over > 0:
			c.drop(line, over)
		default:
			c.line(line)
		}
	}
}

// line handles every message on one line: usually one, with nothing around it.
func (c *Conn) line(line []byte) {
	if blank(line) {
		return
	}
	rest := cutControl(validUTF8(line))
	e, after, ok := parseEnvelope(rest)
	if !ok {
		c.noise(line)
		return
	}
	for ok {
		c.dispatch(e)
		if rest = cutControl(after); len(rest) == 0 {
			return
		}
		e, after, ok = parseEnvelope(rest)
	}
	c.noise(rest)
}

func (c *Conn) dispatch(e envelope) {
	switch {
	case e.method == "":
		c.answered(e)
	case e.id != nil:
		c.request(e.id, e.method, e.params)
	case e.method == "session/update":
		c.update(e.params)
	case e.method == "$/cancel_request":
		c.withdrawn(e.params)
	default:
		c.mu.Lock()
		c.ignored++
		count := c.ignored
		c.mu.Unlock()
		c.log.Debug("acp: unknown notification ignored", "method", cut(e.method, maxLabel), "count", count)
	}
}

// answered gives an answer to its call. One without a call (late, twice, or
// never asked for) is ignored.
func (c *Conn) answered(e envelope) {
	a := answer{result: e.result}
	switch {
	case !isNull(e.err):
		a.err = decodeError(e.err)
	case e.result == nil:
		a.err = fmt.Errorf("%w: neither result nor error", ErrAnswer)
	}
	if id, ok := ourID(e.id); !ok || !c.complete(id, a) {
		c.log.Debug("acp: answer to no open call ignored", "length", len(e.result))
	}
}

// ourID reads an id that we gave out. Some peers return it as text or as 1.0.
func ourID(raw json.RawMessage) (int64, bool) {
	text := string(bytes.TrimSpace(raw))
	if s, ok := stringOf(raw); ok {
		text = s
	}
	if id, err := strconv.ParseInt(text, 10, 64); err == nil {
		return id, true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f < 0 || f > 1<<53 || f != float64(int64(f)) {
		return 0, false
	}
	return int64(f), true
}

func (c *Conn) noise(b []byte) {
	if c.o.Noise == nil {
		return
	}
	sum := sha256.Sum256(b)
	defer c.recovered("noise")
	c.o.Noise(len(b), hex.EncodeToString(sum[:]))
}

// drop reports a frame that was too long. Where its head tells what it was,
// the side that waits for it is told, so that nobody waits for ever.
func (c *Conn) drop(head []byte, length int64) {
	id, method := sniff(head)
	c.log.Warn("acp: frame dropped", "length", length, "method", cut(method, maxLabel))
	switch {
	case id != nil && method != "":
		c.refuse(id, CodeInvalidRequest, "the request is larger than 64 MiB")
	case id != nil:
		if n, ok := ourID(id); ok {
			c.complete(n, answer{err: ErrTooLarge})
		}
	}
	if c.o.Dropped != nil {
		defer c.recovered("dropped")
		c.o.Dropped(length)
	}
}

// update decodes and hands over one session/update.
func (c *Conn) update(params json.RawMessage) {
	if c.o.Update == nil {
		return
	}
	sessionID, u := decodeNotification(params)
	u.Replayed = c.replayed(sessionID, u)
	defer c.recovered("session/update")
	c.o.Update(sessionID, u)
}

// recovered keeps a panic of a handler from ending the connection. Deferred.
func (c *Conn) recovered(what string) {
	p := recover()
	if p == nil {
		return
	}
	attrs := []any{"method", what}
	if bug, ok := p.(runtime.Error); ok { // holds no content; any other value may
		attrs = append(attrs, "error", bug.Error())
	}
	c.log.Error("acp: handler panicked", attrs...)
}

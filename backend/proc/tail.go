package proc

import (
	"io"
	"sync"
)

// tail keeps the last bytes written to it. Safe for concurrent use.
type tail struct {
	mu   sync.Mutex
	ring []byte
	next int  // where the next byte goes
	full bool // the ring has wrapped
}

func newTail(size int) *tail { return &tail{ring: make([]byte, size)} }

// Write never fails and never waits.
func (t *tail) Write(p []byte) (int, error) {
	n := len(p)
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(p) >= len(t.ring) {
		copy(t.ring, p[len(p)-len(t.ring):])
		t.next, t.full = 0, true
		return n, nil
	}
	first := copy(t.ring[t.next:], p)
	if rest := p[first:]; len(rest) > 0 || t.next+first == len(t.ring) {
		t.next, t.full = copy(t.ring, rest), true
		return n, nil
	}
	t.next += first
	return n, nil
}

// Bytes is a copy, oldest byte first.
func (t *tail) Bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.full {
		return append([]byte(nil), t.ring[:t.next]...)
	}
	return append(append([]byte(nil), t.ring[t.next:]...), t.ring[:t.next]...)
}

// drain reads until the stream ends. An error is an end: the pipe is ours and closed by nobody else.
func (t *tail) drain(r io.Reader) { _, _ = io.Copy(t, r) }

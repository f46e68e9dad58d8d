package toolbench

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
)

// outbound is the only writer of the output: one whole frame a call. It also says when the answer to a session/new
// went out, because a client may drop updates of a session whose id it does not know yet.
type outbound struct {
	mu      sync.Mutex
	dst     io.Writer
	waiting map[string]chan struct{}
}

func newOutbound(dst io.Writer) *outbound {
	return &outbound{dst: dst, waiting: map[string]chan struct{}{}}
}

// announced is closed once a frame with this id was written. Ids are random, so the first such frame is the answer.
func (w *outbound) announced(id string) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	ch := make(chan struct{})
	w.waiting[id] = ch
	return ch
}

// forget ends the waiting for an id that will not be announced.
func (w *outbound) forget(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.waiting, id)
}

// Write implements io.Writer for the SDK, which passes one frame a call.
func (w *outbound) Write(frame []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := w.dst.Write(frame)
	for id, ch := range w.waiting {
		if bytes.Contains(frame, []byte(`"`+id+`"`)) {
			close(ch)
			delete(w.waiting, id)
		}
	}
	return n, err
}

// refuse answers a request that is too long to be read by the SDK.
func (w *outbound) refuse(id json.RawMessage) {
	frame, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id,
		"error": refusal(codeInvalidRequest, "The message is longer than this agent reads (10 MiB)."),
	})
	if err == nil {
		// A failed write ends the connection by itself.
		_, _ = w.Write(append(frame, '\n'))
	}
}

package mcpserver

import (
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"kandev/backend/tool"
)

// answer is the response of one tools/call: a JSON body, or a stream of events
// as soon as something precedes the result. All of it goes out on the call's
// own response, in order, so nothing is lost or misrouted (D5, D6).
type answer struct {
	id     json.RawMessage
	token  json.RawMessage // the client's progress token, or nil
	events bool            // the client reads server-sent events
	plain  bool            // and plain JSON
	modern json.RawMessage // _meta of each result in the newer era, else nil

	mu     sync.Mutex
	out    *sink
	opened bool // the stream's headers are out
	ended  bool
	steps  int // progress so far; must grow
	timer  *time.Timer
}

func (e *Endpoint) newAnswer(q *request) *answer {
	a := &answer{
		id: q.msg.ID, token: q.meta.progressToken(),
		events: accepts(q.r, eventStream), plain: accepts(q.r, jsonType),
		out: &sink{w: q.w, timeout: e.server.limits.write},
	}
	if q.modern() {
		a.modern = e.stateless.identity
	}
	return a
}

// open sends the headers of a stream at once, where the client reads one.
func (a *answer) open() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stream() {
		_ = a.out.write([]byte(": open\n\n"))
	}
}

// stream turns the response into events; false when the client reads none or
// has its answer. a.mu is held.
func (a *answer) stream() bool {
	if a.ended || !a.events {
		return false
	}
	if !a.opened {
		a.opened = true
		a.out.stream()
	}
	return true
}

// keepAlive shows every so often that the call lives.
func (a *answer) keepAlive(every time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.events {
		a.timer = time.AfterFunc(every, func() { a.beat(every) })
	}
}

func (a *answer) beat(every time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.stream() {
		return
	}
	var err error
	if a.token == nil {
		err = a.out.write([]byte(": waiting\n\n"))
	} else {
		err = a.step("still waiting")
	}
	if err == nil {
		a.timer.Reset(every)
	}
}

// progress tells the waiting client a sentence, if it asked for progress.
func (a *answer) progress(message string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.token != nil && a.stream() {
		_ = a.step(message)
	}
}

func (a *answer) step(message string) error {
	a.steps++
	return a.out.event(encode(struct {
		JSONRPC string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{"2.0", "notifications/progress", struct {
		Token    json.RawMessage `json:"progressToken"`
		Progress int             `json:"progress"`
		Message  string          `json:"message,omitempty"`
	}{a.token, a.steps, message}}))
}

// notify sends a notification before the result; false when it cannot.
func (a *answer) notify(message []byte) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.stream() && a.out.event(message) == nil
}

type textContent struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type callResult struct {
	Content    []textContent   `json:"content"`
	Structured json.RawMessage `json:"structuredContent,omitempty"`
	IsError    bool            `json:"isError,omitempty"`
	ResultType string          `json:"resultType,omitempty"`
	Meta       json.RawMessage `json:"_meta,omitempty"`
}

func (a *answer) result(r tool.Result) {
	out := callResult{Content: []textContent{{"text", r.Text}}, Structured: r.Structured, IsError: r.IsError}
	if a.modern != nil {
		out.ResultType, out.Meta = "complete", a.modern
	}
	a.finish(http.StatusOK, resultMessage(a.id, encode(out)))
}

func (a *answer) fail(e rpcError) {
	status := http.StatusOK
	if a.modern != nil {
		status = e.status()
	}
	a.finish(status, e.answer(a.id))
}

// finish sends the one message that ends the call. A stream that is open has
// its status already.
func (a *answer) finish(status int, message []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return
	}
	if a.opened || !a.plain && status == http.StatusOK && a.stream() {
		_ = a.out.event(message)
	} else {
		_ = a.out.whole(status, message)
	}
	a.ended = true
}

// close ends all writing: the response belongs to net/http again.
func (a *answer) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended = true
	if a.timer != nil {
		a.timer.Stop()
	}
}

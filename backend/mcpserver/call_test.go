package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"kandev/backend/tool"
)

func containsAll(s string, parts ...string) bool {
	for _, p := range parts {
		if !strings.Contains(s, p) {
			return false
		}
	}
	return true
}

// uses keeps what Used was told.
type uses struct {
	mu  sync.Mutex
	all []string
}

func (u *uses) used(name string, known, failed bool, _ time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.all = append(u.all, fmt.Sprintf("%s known=%v failed=%v", name, known, failed))
}

func TestCallByAlias(t *testing.T) {
	var u uses
	r := setup(t, set(t, echo("create_task_kandev"), with("broken_kandev", func(context.Context, tool.Call) (tool.Result, error) {
		panic("PANIC-VALUE")
	})), func(o *Options, _ *limits) { o.Namespaced, o.Used = true, u.used }).init()
	for _, c := range []struct{ name, arguments, want string }{
		{"create_task", `{"q":"1"}`, "handler saw create_task_kandev"},
		{"create_task_kandev", `{"q":"1"}`, "handler saw create_task_kandev"},
		{"create_task", `{}`, `Invalid arguments for create_task_kandev: arguments: required: missing \"q\"`},
		{"create_task", `{"q":"1","x":2}`, `unknown \"x\"`},
		{"create_task", `[1]`, "must be object"},
		{"nope", `{}`, `tool 'nope' not found`},
		{"", `{}`, `tool '' not found`},
		{"broken", `{}`, "broken_kandev failed inside Kandev"},
	} {
		if body := r.call(c.name, c.arguments); !strings.Contains(body, c.want) {
			t.Errorf("%s %s: %s", c.name, c.arguments, body)
		}
	}
	want := []string{
		"create_task_kandev known=true failed=false", "create_task_kandev known=true failed=false",
		"create_task_kandev known=true failed=true", "create_task_kandev known=true failed=true", "create_task_kandev known=true failed=true",
		" known=false failed=true", " known=false failed=true", "broken_kandev known=true failed=true",
	}
	if strings.Join(u.all, "\n") != strings.Join(want, "\n") {
		t.Errorf("used %q", u.all)
	}
	logs := r.logs.String()
	if !containsAll(logs, "tool=create_task_kandev", "outcome=invalid_arguments", "outcome=panic", "site=") || strings.Contains(logs, "tool=create_task ") || strings.Contains(logs, "PANIC-VALUE") {
		t.Errorf("log %s", logs)
	}
	for _, params := range []string{`null`, `[]`, `{"name":5}`, `{"name":"create_task_kandev","arguments":`} {
		if status, body, _ := r.send("POST", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`+params+`}`); !strings.Contains(body, "-32602") && status != 400 {
			t.Errorf("%s: %d %s", params, status, body)
		}
	}
}

func TestCallID(t *testing.T) {
	got := make(chan string, 1)
	r := setup(t, set(t, with("id_kandev", func(_ context.Context, c tool.Call) (tool.Result, error) {
		got <- c.CallID
		return tool.Text(""), nil
	}))).init()
	for meta, want := range map[string]string{
		`{"callId":"c1"}`:                               "c1",
		`{"claudecode/toolUseId":"toolu"}`:              "toolu",
		`{"callId":7}`:                                  "",
		`{"callId":"` + strings.Repeat("x", 257) + `"}`: "",
		`null`: "",
	} {
		r.send("POST", callMessage("1", "id_kandev", "{}", meta))
		if id := takes(t, got); id != want {
			t.Errorf("%s: %q", meta, id)
		}
	}
}

// A waiting call shows that it lives: progress with the client's token, a
// comment without, nothing to a client that reads JSON only.
func TestKeepAlive(t *testing.T) {
	beats := make(chan struct{})
	h := func(ctx context.Context, c tool.Call) (tool.Result, error) {
		select {
		case <-beats:
			return tool.Text("answer"), nil
		case <-ctx.Done():
			return tool.Result{}, ctx.Err()
		}
	}
	r := setup(t, set(t, with("ask_kandev", h)), func(o *Options, _ *limits) { o.KeepAlive = 5 * time.Millisecond }).init()
	for meta, beat := range map[string]string{"": ": waiting", `{"progressToken":"tok"}`: `"progressToken":"tok","progress":2`, `{"progressToken":{}}`: ": waiting"} {
		res, err := r.do(t.Context(), "POST", callMessage("1", "ask_kandev", "{}", meta))
		if err != nil || res.Header.Get("Content-Type") != "text/event-stream" {
			t.Fatal(err, res)
		}
		lines := make(chan string, 10_000)
		go readLines(res.Body, lines)
		receive(t, lines, beat)
		beats <- struct{}{}
		receive(t, lines, `"text":"answer"`)
		if _, more := <-lines; more {
			t.Error("something after the result")
		}
	}
	go func() { beats <- struct{}{} }()
	if _, body, header := r.send("POST", callMessage("1", "ask_kandev", "{}", `{"progressToken":1}`), "Accept", "application/json"); header.Get("Content-Type") != "application/json" || !strings.Contains(body, "answer") {
		t.Error(header, body)
	}
}

func TestWaitsSendsHeadersAtOnce(t *testing.T) {
	release := make(chan struct{})
	h, running := blocking(release)
	ask := with("ask_kandev", h)
	ask.Waits, ask.Limit = true, time.Hour
	r := setup(t, set(t, ask)).init()
	res, err := r.do(t.Context(), "POST", callMessage("1", "ask_kandev", "{}", ""))
	if err != nil || res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatal(err, res)
	}
	takes(t, running)
	close(release)
	lines := make(chan string, 16)
	go readLines(res.Body, lines)
	receive(t, lines, `"text":"released"`)
}

func TestCancelledByTheClient(t *testing.T) {
	h, running := blocking(nil)
	r := setup(t, set(t, with("wait_kandev", h), echo("a_kandev"))).init()
	answered := make(chan string, 1)
	go func() { _, body, _ := r.send("POST", callMessage("7", "wait_kandev", "{}", "")); answered <- body }()
	takes(t, running)
	cancel := func(id string) {
		if status, _, _ := r.send("POST", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+id+`}}`); status != 202 {
			t.Error(status)
		}
	}
	cancel(`"7"`) // another id
	cancel(`8`)   // finished or never there
	cancel(`{}`)
	if r.e.Calls() != 1 {
		t.Error("a foreign id cancelled the call")
	}
	other := *r
	other.init()
	other.send("POST", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	if r.e.Calls() != 1 {
		t.Error("another session cancelled the call")
	}
	cancel(`7`)
	if body := takes(t, answered); !containsAll(body, "-32603", "cancelled") {
		t.Error(body)
	}
	if body := r.call("a_kandev", `{"q":"1"}`); !strings.Contains(body, "handler saw") {
		t.Error(body)
	}
}

// atHeaders is told when an answer's headers go out.
type atHeaders struct {
	*httptest.ResponseRecorder
	told func()
}

func (w atHeaders) WriteHeader(status int) {
	w.told()
	w.ResponseRecorder.WriteHeader(status)
}

// TestCancelRightBehindTheHeaders: a client may take its call back as soon as it
// sees that it is being answered, so the call is known before that.
func TestCancelRightBehindTheHeaders(t *testing.T) {
	ask := with("ask_kandev", func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		<-ctx.Done()
		return tool.Result{}, ctx.Err()
	})
	ask.Waits, ask.Limit = true, patience
	r := setup(t, set(t, ask)).init()
	q := httptest.NewRequestWithContext(t.Context(), "POST", r.e.URL(), strings.NewReader(callMessage("1", "ask_kandev", "{}", "")))
	q.RemoteAddr = "127.0.0.1:1"
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Authorization": "Bearer " + r.e.Bearer(), "Mcp-Session-Id": r.sid,
	} {
		q.Header.Set(name, value)
	}
	running := -1
	w := atHeaders{httptest.NewRecorder(), func() {
		running = r.e.Calls()
		r.e.calls.cancel(r.sid, []byte("1"), ErrCancelled)
	}}
	r.server.ServeHTTP(w, q)
	if body := w.Body.String(); running != 1 || !strings.Contains(body, "cancelled") {
		t.Errorf("%d calls known when the headers went out; the answer: %s", running, body)
	}
}

func TestClientDisconnectCancels(t *testing.T) {
	ended := make(chan error, 1)
	running := make(chan struct{}, 1)
	var u uses
	r := setup(t, set(t, with("wait_kandev", func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		running <- struct{}{}
		<-ctx.Done()
		ended <- ctx.Err()
		return tool.Result{}, ctx.Err()
	})), func(o *Options, _ *limits) { o.Used = u.used }).init()
	ctx, hangUp := context.WithCancel(t.Context())
	go func() { _, _ = r.do(ctx, "POST", callMessage("1", "wait_kandev", "{}", "")) }()
	takes(t, running)
	hangUp()
	if err := takes(t, ended); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := r.e.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(u.all) != 1 || u.all[0] != "wait_kandev known=true failed=false" {
		t.Errorf("%q", u.all)
	}
}

func TestCancelCalls(t *testing.T) {
	h, running := blocking(nil)
	r := setup(t, set(t, with("wait_kandev", h))).init()
	answered := make(chan string, 2)
	for _, id := range []string{"1", "1"} { // a client that uses one id twice
		go func() { _, body, _ := r.send("POST", callMessage(id, "wait_kandev", "{}", "")); answered <- body }()
		takes(t, running)
	}
	if n := r.e.Calls(); n != 2 {
		t.Errorf("%d calls", n)
	}
	r.e.CancelCalls(errors.New("the person stopped it"))
	for range 2 {
		if body := takes(t, answered); !containsAll(body, `"isError":true`, "the person stopped it") {
			t.Error(body)
		}
	}
}

// Every call ends, also that of a handler that looks at nothing; Close waits
// for the handler within its ctx only.
func TestStubbornHandler(t *testing.T) {
	release := make(chan struct{})
	stubborn := with("stubborn_kandev", func(context.Context, tool.Call) (tool.Result, error) { <-release; return tool.Text("late"), nil })
	stubborn.Limit = time.Millisecond
	r := setup(t, set(t, stubborn)).init()
	if body := r.call("stubborn_kandev", "{}"); !containsAll(body, `"isError":true`, "did not finish") {
		t.Error(body)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := r.e.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	close(release)
	if err := r.e.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// A panic before the answer is one clean error; after it began, a cut.
func TestPanicInARequest(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev")), func(o *Options, _ *limits) {
		o.Used = func(string, bool, bool, time.Time) { panic("USED") }
	}).init()
	status, body, _ := r.send("POST", callMessage("1", "a_kandev", `{"q":"1"}`, ""))
	if status != http.StatusInternalServerError || !json.Valid([]byte(body)) || !strings.Contains(body, "-32603") {
		t.Error(status, body)
	}
	if strings.Contains(r.logs.String(), "USED") {
		t.Error("the panic's value is in the log")
	}
	if status, _, _ = r.send("POST", listTools); status != 200 {
		t.Error(status)
	}
}

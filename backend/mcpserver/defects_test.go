package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kandev/backend/attach"
	"kandev/backend/tool"
)

// The defects of mcp-go 1.2.1 by their numbers in notes/mcp-go.md.

// D1: one tool that cannot be written empties the whole list.
func TestD1OneBadToolDoesNotEmptyTheList(t *testing.T) {
	bad := echo("bad_kandev")
	bad.InputSchema = json.RawMessage(`{"type":"object"`)
	badMeta := echo("meta_kandev")
	badMeta.Meta = json.RawMessage(`{`)
	s, refused := tool.NewSet(1, bad, echo("good_kandev"), badMeta)
	if len(refused) != 2 {
		t.Fatal(refused)
	}
	r := setup(t, s).init()
	if _, body, _ := r.send("POST", listTools); !json.Valid([]byte(body)) || !strings.Contains(body, `"good_kandev"`) {
		t.Errorf("list %q", body)
	}
}

// D2: a bad x-mcp-header annotation panics at registration.
func TestD2HeaderAnnotationIsRefused(t *testing.T) {
	bad := echo("bad_kandev")
	bad.InputSchema = json.RawMessage(`{"type":"object","properties":{"a":{"type":"object","x-mcp-header":"not a token"}}}`)
	r := setup(t, nil)
	s, refused := tool.NewSet(1, bad, echo("good_kandev"))
	if len(refused) != 1 || !strings.Contains(refused[0].Reason, "x-mcp-header") {
		t.Fatal(refused)
	}
	r.e.SetTools(s)
	r.init()
	if _, body, _ := r.send("POST", listTools); !strings.Contains(body, `"good_kandev"`) {
		t.Errorf("list %q", body)
	}
}

// D3: DELETE leaves the session's streams open and its calls running. Those of
// another session, and of a client without one, are not touched.
func TestD3DeleteEndsStreamsAndCalls(t *testing.T) {
	release := make(chan struct{})
	h, running := blocking(release)
	r := setup(t, set(t, with("wait_kandev", h))).init()
	one, endOne := r.stream()
	defer endOne()
	two, endTwo := r.stream()
	defer endTwo()
	answered := make(chan string, 1)
	go func() { answered <- r.call("wait_kandev", "{}") }()
	takes(t, running)
	other := *r
	other.init()
	kept := make(chan string, 2)
	go func() { kept <- other.call("wait_kandev", "{}") }()
	takes(t, running)
	go func() { _, body := r.modernCall("wait_kandev", "{}", ""); kept <- body }()
	takes(t, running)
	if status, _, _ := r.send("DELETE", ""); status != 200 {
		t.Fatal(status)
	}
	takes(t, answered)
	for _, lines := range []<-chan string{one, two} {
		for range lines { // ends only with the stream
		}
	}
	if closed := r.rec.await(t, attach.ConnectionClosed, 1); closed.Connection != "c1" {
		t.Errorf("%+v", closed)
	}
	if n := r.e.Calls(); n != 2 {
		t.Errorf("%d calls, want the two of others", n)
	}
	close(release)
	for range 2 {
		if body := takes(t, kept); !strings.Contains(body, "released") {
			t.Error(body)
		}
	}
}

// D4: calls without a session are kept under one key, so that one client's
// cancel ends the call of another. Here such a cancel is accepted and means
// nothing, and closing the response ends that call only.
func TestD4CancelOfAnotherClient(t *testing.T) {
	release := make(chan struct{})
	h, running := blocking(release)
	ended := make(chan error, 2)
	r := setup(t, set(t, with("wait_kandev", func(ctx context.Context, c tool.Call) (tool.Result, error) {
		result, err := h(ctx, c)
		ended <- err
		return result, err
	})))
	answered := make(chan string, 1)
	go func() { _, body := r.modernCall("wait_kandev", "{}", ""); answered <- body }()
	takes(t, running)
	cancel := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"_meta":{` + clientMeta + `}}}`
	for _, header := range [][]string{modernHeaders("notifications/cancelled", ""), {"Mcp-Protocol-Version", "2026-07-28"}, {}} {
		if status, body, _ := r.send("POST", cancel, header...); status != 202 || body != "" {
			t.Errorf("%d %s", status, body)
		}
	}
	other := *r
	other.init() // a session's cancel reaches its own calls only
	other.send("POST", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)

	ctx, hangUp := context.WithCancel(t.Context())
	body, header := modernCall("1", "wait_kandev", "{}", "") // the same id, of another client
	gone := make(chan error, 1)
	go func() {
		_, err := r.do(ctx, "POST", body, header...)
		gone <- err
	}()
	takes(t, running)
	hangUp()
	if takes(t, gone) == nil {
		t.Error("answered a client that hung up")
	}
	if err := takes(t, ended); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(release)
	if body := takes(t, answered); !strings.Contains(body, "released") {
		t.Errorf("the other client's call: %s", body)
	}
}

// D7: a handler's lack of a client capability comes out as -32603. None of our
// tools needs one; a tool that does says so, and its handler does not run.
func TestD7MissingClientCapability(t *testing.T) {
	needy := echo("needy_kandev")
	needy.Requires = []string{"elicitation", "sampling"}
	r := setup(t, set(t, needy))
	status, body := r.modernCall("needy_kandev", `{"q":"1"}`, "")
	if status != 400 || !containsAll(body, "-32021", `"requiredCapabilities":{"elicitation":{},"sampling":{}}`) || strings.Contains(body, "handler saw") {
		t.Errorf("%d %s", status, body)
	}
	message, header := modernCall("1", "needy_kandev", `{"q":"1"}`, "")
	able := strings.Replace(message, `clientCapabilities":{}`, `clientCapabilities":{"elicitation":{"form":{}},"sampling":{}}`, 1)
	if status, body, _ := r.send("POST", able, header...); status != 200 || !strings.Contains(body, "handler saw") {
		t.Errorf("%d %s", status, body)
	}
	r.init()
	if body := r.call("needy_kandev", `{"q":"1"}`); !containsAll(body, `"isError":true`, "elicitation, sampling") {
		t.Errorf("2025-11-25: %s", body)
	}
	status, body, sent := r.send("POST", strings.Replace(initialize, `"capabilities":{}`, `"capabilities":{"elicitation":{},"sampling":{}}`, 1))
	if r.sid = sent.Get("Mcp-Session-Id"); status != 200 {
		t.Fatal(body)
	}
	if body := r.call("needy_kandev", `{"q":"1"}`); !strings.Contains(body, "handler saw") {
		t.Errorf("2025-11-25: %s", body)
	}
}

// D9: a time limit for idle sessions unhooks an open, quiet stream, and an hour
// of waiting counts as idle. Here no clock runs for a session whose stream is
// open or whose call waits, in either era.
func TestD9QuietStreamIsNotIdle(t *testing.T) {
	c := newClock()
	release := make(chan struct{})
	h, running := blocking(release)
	ask := with("ask_kandev", h)
	ask.Limit = time.Hour
	r := setup(t, set(t, ask), clocked(c)).init()
	lines, end := r.stream()
	defer end()
	modern, endModern := r.listen("1", `{"toolsListChanged":true}`)
	defer endModern()
	receive(t, modern, "acknowledged")
	r.send("POST", listTools)
	answered := make(chan string, 1)
	go func() { answered <- r.call("ask_kandev", "{}") }()
	takes(t, running)
	if n := c.fire(true); n != 0 { // as if hours went by
		t.Errorf("%d timers run", n)
	}
	r.e.SetTools(set(t, echo("a_kandev")))
	receive(t, lines, "list_changed")
	receive(t, modern, "list_changed")
	close(release)
	takes(t, answered)
	if status, _, _ := r.send("POST", listTools); status != 200 {
		t.Errorf("the session is gone: %d", status)
	}
	if n := r.rec.count(attach.ConnectionClosed); n != 0 {
		t.Errorf("%v", r.rec.kinds())
	}
}

// D10: the ctx of a task-augmented call ends when the task was made. Tasks are
// not offered, and a client that asks for one gets an ordinary call.
func TestD10TasksAreNotOffered(t *testing.T) {
	r := setup(t, set(t, with("work_kandev", func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		select {
		case <-ctx.Done():
			return tool.Result{}, ctx.Err()
		case <-time.After(20 * time.Millisecond):
			return tool.Text("done"), nil
		}
	})))
	_, discovered := r.modern(methodDiscover, "")
	status, initialized, header := r.send("POST", initialize)
	if r.sid = header.Get("Mcp-Session-Id"); status != 200 {
		t.Fatal(initialized)
	}
	_, list, _ := r.send("POST", listTools)
	if all := discovered + initialized + list; strings.Contains(all, "task") || strings.Contains(all, "execution") {
		t.Errorf("offered: %s", all)
	}
	task := `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"work_kandev","arguments":{},"task":{"ttl":60000}}}`
	if _, body, _ := r.send("POST", task); !containsAll(body, `"text":"done"`) || strings.Contains(body, "taskId") {
		t.Errorf("2025-11-25: %s", body)
	}
	body, headers := modernCall("3", "work_kandev", `{},"task":{"ttl":60000}`, `,"io.modelcontextprotocol/tasks":{}`)
	if _, body, _ := r.send("POST", body, headers...); !containsAll(body, `"text":"done"`, `"resultType":"complete"`) {
		t.Errorf("2026-07-28: %s", body)
	}
	for _, method := range []string{"tasks/get", "tasks/list", "tasks/result", "tasks/cancel"} {
		if _, body, _ := r.send("POST", `{"jsonrpc":"2.0","id":4,"method":"`+method+`","params":{"taskId":"x"}}`); !strings.Contains(body, "-32601") {
			t.Errorf("%s: %s", method, body)
		}
		if status, body := r.modern(method, `,"taskId":"x"`); status != 404 || !strings.Contains(body, "-32601") {
			t.Errorf("%s: %d %s", method, status, body)
		}
	}
}

// D5 and D6: progress is lost, or comes out on another call's response or on
// the stream. Four calls at a time, a stream open, two events each.
func TestD5D6ProgressStaysOnItsOwnCall(t *testing.T) {
	r := setup(t, set(t, with("work_kandev", func(_ context.Context, c tool.Call) (tool.Result, error) {
		c.Progress("one")
		c.Progress("two")
		return tool.Text("done"), nil
	}))).init()
	lines, end := r.stream()
	var wg sync.WaitGroup
	var wrong atomic.Int32
	const workers, each = 4, 150
	for n := range workers {
		wg.Go(func() {
			token := fmt.Sprintf(`"T%d"`, n)
			for range each {
				_, body, _ := r.send("POST", callMessage(fmt.Sprint(n), "work_kandev", "{}", `{"progressToken":`+token+`}`))
				own := strings.Count(body, `"progressToken":`+token)
				if own != 2 || strings.Count(body, "progressToken") != 2 || strings.Index(body, `"text":"done"`) < strings.LastIndex(body, "progressToken") {
					wrong.Add(1)
				}
			}
		})
	}
	wg.Wait()
	end()
	for line := range lines {
		if strings.Contains(line, "progress") {
			t.Errorf("on the stream: %s", line)
		}
	}
	if wrong.Load() > 0 {
		t.Errorf("%d of %d calls went wrong", wrong.Load(), workers*each)
	}
}

// D8: shutdown hangs while a stream or a call is open.
func TestD8CloseWithOpenStreamAndCall(t *testing.T) {
	h, running := blocking(nil)
	r := setup(t, set(t, with("wait_kandev", h))).init()
	lines, end := r.stream()
	defer end()
	answered := make(chan string, 1)
	go func() { answered <- r.call("wait_kandev", "{}") }()
	takes(t, running)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	began := time.Now()
	if err := r.server.Close(ctx); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("closing took %v", took)
	}
	if body := takes(t, answered); !strings.Contains(body, ErrSuperseded.Error()) || !strings.Contains(body, `"isError":true`) {
		t.Errorf("the call was told %q", body)
	}
	for range lines {
	}
}

// D11: no Origin check, no body cap, a stream for any session id. TestStatus
// holds every case; this one names the defect.
// Case 75.
func TestD11ForeignOriginIsRefused(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev"))).init()
	if status, _, _ := r.send("POST", listTools, "Origin", "https://evil.example"); status != 403 {
		t.Errorf("Origin: %d", status)
	}
	if status, _, _ := r.send("GET", "", "Mcp-Session-Id", "made-up"); status != 404 {
		t.Errorf("stream of a made-up session: %d", status)
	}
	if status, _, _ := r.send("POST", strings.Repeat(" ", 4<<20+1)); status != 413 {
		t.Errorf("5 MiB: %d", status)
	}
}

// D12: the first tool races with tools/list. Meaningful with -race.
func TestD12SwappingToolsWhileListing(t *testing.T) {
	r := setup(t, nil).init()
	lines, end := r.stream()
	defer end()
	go func() {
		for range lines {
		}
	}()
	one, two := set(t, echo("a_kandev")), set(t, echo("a_kandev"), echo("b_kandev"))
	var wg sync.WaitGroup
	stop := make(chan struct{})
	wg.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				r.e.SetTools([]*tool.Set{one, two, nil}[i%3])
			}
		}
	})
	var clients sync.WaitGroup
	for range 3 {
		clients.Go(func() {
			for range 60 {
				if status, body, _ := r.send("POST", listTools); status != 200 || !strings.Contains(body, "tools") {
					t.Errorf("%d %s", status, body)
				}
				if body := r.call("a_kandev", `{"q":"1"}`); !strings.Contains(body, "handler saw") && !strings.Contains(body, "not found") {
					t.Errorf("call %s", body)
				}
			}
		})
	}
	clients.Wait()
	close(stop)
	wg.Wait()
}

package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

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

// D3, as far as it is ours already: DELETE ends the session's stream and calls.
func TestD3DeleteEndsStreamsAndCalls(t *testing.T) {
	h, running := blocking(nil)
	r := setup(t, set(t, with("wait_kandev", h))).init()
	lines, end := r.stream()
	defer end()
	answered := make(chan string, 1)
	go func() { answered <- r.call("wait_kandev", "{}") }()
	takes(t, running)
	if status, _, _ := r.send("DELETE", ""); status != 200 {
		t.Fatal(status)
	}
	takes(t, answered)
	for range lines { // ends only with the stream
	}
	if n := r.e.Calls(); n != 0 {
		t.Errorf("%d calls run on", n)
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

package mcpserver

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kandev/backend/attach"
	"kandev/backend/tool"
)

func TestEvidenceOfAConnection(t *testing.T) {
	at := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	r := setup(t, set(t, echo("create_task_kandev")), func(o *Options, _ *limits) {
		o.Namespaced = true
		o.Now = func() time.Time { return at }
		o.Estimate = func(b []byte) (int, error) { return len(b), nil }
		o.Count = func(s string) int { return len(s) }
	}).init()
	hs := r.rec.await(t, attach.HandshakeObserved, 1)
	if hs.Client != "tester 9" || hs.Protocol != "2025-11-25" || hs.Connection == "" || hs.Attempt != "attempt-1" || hs.Server != "kandev" || !hs.At.Equal(at) {
		t.Errorf("%+v", hs)
	}
	_, body, _ := r.send("POST", listTools)
	list := r.rec.await(t, attach.ToolsListObserved, 1)
	entry := list.Catalog.Entries[0]
	if entry.Served != "create_task" || entry.Canonical != "create_task_kandev" || entry.Source != builtinSource || entry.Estimate != nil || list.Order != 1 {
		t.Errorf("%+v", list)
	}
	counted := r.rec.await(t, attach.ToolsListCounted, 1)
	served := body[strings.Index(body, "[")+1 : strings.LastIndex(body, "]")]
	if counted.Order != 1 || counted.Counts.Cover != 1 || counted.Counts.Total != len(served) {
		t.Errorf("%+v, served %d bytes", counted.Counts, len(served))
	}
	if !strings.Contains(served, "Says <b>its</b> & name.") {
		t.Errorf("escaped: %s", served)
	}
	r.call("create_task", `{"q":"1"}`)
	r.rec.await(t, attach.ToolCallObserved, 1)
	r.send("DELETE", "")
	if closed := r.rec.await(t, attach.ConnectionClosed, 1); closed.Connection != hs.Connection {
		t.Errorf("%+v", closed)
	}
	want := []attach.Kind{attach.HandshakeObserved, attach.ToolsListObserved, attach.ToolsListCounted, attach.ToolCallObserved, attach.ConnectionClosed}
	if got := r.rec.kinds(); !slices.Equal(got, want) {
		t.Errorf("order %v", got)
	}
}

// Counting blocked for long: the body ends within 50 ms, and that the list was
// served is recorded before any number.
func TestCountingIsNotInTheWay(t *testing.T) {
	release := make(chan struct{})
	r := setup(t, set(t, echo("a_kandev")), func(o *Options, _ *limits) {
		o.Estimate = func([]byte) (int, error) { <-release; return 7, nil }
	}).init()
	best := patience // of several: this machine may be busy with something else
	for range 8 {
		began := time.Now()
		if status, _, _ := r.send("POST", listTools); status != 200 {
			t.Fatal(status)
		}
		best = min(best, time.Since(began))
	}
	if best > 50*time.Millisecond {
		t.Errorf("the body ended after %v", best)
	}
	r.rec.await(t, attach.ToolsListObserved, 1)
	if n := r.rec.count(attach.ToolsListCounted); n != 0 {
		t.Error("counted before it was counted")
	}
	close(release)
	r.rec.await(t, attach.ToolsListCounted, 1)
}

// Two lists, the first slow to count: the second's catalog stays, and no
// figure of the first is recorded.
func TestSecondListStays(t *testing.T) {
	counting, release := make(chan struct{}, 8), make(chan struct{})
	r := setup(t, set(t, echo("a_kandev"), echo("b_kandev")), func(o *Options, _ *limits) {
		o.Estimate = func([]byte) (int, error) { counting <- struct{}{}; <-release; return 7, nil }
	}).init()
	r.send("POST", listTools)
	takes(t, counting)
	r.e.SetTools(set(t, echo("c_kandev")))
	r.send("POST", listTools)
	r.e.requests.Wait() // a body may end before its handler does
	close(release)
	counted := r.rec.await(t, attach.ToolsListCounted, 1)
	second := r.rec.await(t, attach.ToolsListObserved, 2)
	if second.Order != 2 || second.Catalog.Entries[0].Served != "c_kandev" || counted.Order != 2 {
		t.Errorf("second %+v, counted %d", second, counted.Order)
	}
}

// A storm of lists is one catalog, and at most a few are recorded while the
// observer is busy.
func TestListStorm(t *testing.T) {
	release := make(chan struct{})
	var once sync.Once
	busy := make(chan struct{})
	r := setup(t, set(t, echo("a_kandev")), func(o *Options, _ *limits) {
		record := o.Record
		o.Record = func(e attach.Evidence) {
			if e.Kind == attach.ToolsListObserved {
				once.Do(func() { close(busy); <-release })
			}
			record(e)
		}
	}).init()
	r.send("POST", listTools)
	takes(t, busy)
	for range 40 {
		r.send("POST", listTools)
	}
	r.e.requests.Wait()
	close(release)
	r.rec.await(t, attach.ToolsListCounted, 2)
	if n := r.rec.count(attach.ToolsListObserved); n != 2 {
		t.Errorf("%d lists recorded", n)
	}
}

func TestNoTokenizer(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev"))).init()
	r.send("POST", listTools)
	if c := r.rec.await(t, attach.ToolsListCounted, 1); c.Counts != nil {
		t.Errorf("a number without a tokenizer: %+v", c.Counts)
	}
}

// Case 49: no cursor is valid; the catalog stays. 150 tools come in one answer.
func TestNeverPages(t *testing.T) {
	var defs []tool.Definition
	for i := range 150 {
		defs = append(defs, echo(fmt.Sprintf("t%03d_kandev", i)))
	}
	r := setup(t, set(t, defs...)).init()
	if status, body, _ := r.send("POST", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}`); status != 200 || !strings.Contains(body, "-32602") {
		t.Error(status, body)
	}
	_, body, _ := r.send("POST", listTools)
	if n := strings.Count(body, `"inputSchema"`); n != 150 || strings.Contains(body, "nextCursor") {
		t.Errorf("%d tools", n)
	}
	if list := r.rec.await(t, attach.ToolsListObserved, 1); list.Catalog.Total != 150 || list.Order != 1 {
		t.Errorf("total %d, order %d", list.Catalog.Total, list.Order)
	}
}

// Case 62: what clients probe never paints a server red.
func TestProbesAreNoFailure(t *testing.T) {
	r := setup(t, set(t, with("fails_kandev", func(context.Context, tool.Call) (tool.Result, error) { return tool.Result{}, errors.New("x") }))).init()
	for _, method := range []string{"prompts/list", "resources/list", "resources/templates/list", "logging/setLevel", "ping", "completion/complete", "no/such"} {
		r.send("POST", `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{"level":"debug"}}`)
	}
	r.call("nope", "{}")
	r.call("fails_kandev", "{}")
	r.send("DELETE", "")
	r.rec.await(t, attach.ConnectionClosed, 1)
	if n := r.rec.count(attach.Failed); n != 0 {
		t.Errorf("failed: %v", r.rec.kinds())
	}
}

// Case 76: a newer client gets its error at once and can initialize after it.
func TestModernClientFallsBack(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev")))
	r.send("POST", `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`)
	if status, body, _ := r.send("POST", strings.Replace(initialize, "2025-11-25", "2026-07-28", 1)); status != 200 || !strings.Contains(body, `"protocolVersion":"2025-11-25"`) {
		t.Error(status, body)
	}
	r.init()
	r.rec.await(t, attach.HandshakeObserved, 2)
	if r.rec.count(attach.Failed) != 0 {
		t.Error("failed")
	}
}

func TestFailedHandshake(t *testing.T) {
	r := setup(t, nil)
	if status, body, header := r.send("POST", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":[1]}`); status != 200 || !strings.Contains(body, "error") || header.Get("Mcp-Session-Id") != "" {
		t.Error(status, body, header)
	}
	if f := r.rec.await(t, attach.Failed, 1); f.Reason != "handshake_failed" {
		t.Errorf("%+v", f)
	}
}

// A list that did not arrive is no evidence.
func TestCutConnectionIsNoEvidence(t *testing.T) {
	big := echo("big_kandev")
	big.Description = strings.Repeat("x", 32<<20)
	r := setup(t, set(t, echo("a_kandev"))).init()
	r.send("POST", listTools)
	r.rec.await(t, attach.ToolsListCounted, 1)
	r.e.SetTools(set(t, big))

	c, err := net.Dial("tcp4", "127.0.0.1:"+r.server.port)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(c, "POST /mcp/attempt-1 HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nAuthorization: Bearer %s\r\nMcp-Session-Id: %s\r\nContent-Type: application/json\r\nAccept: application/json\r\nContent-Length: %d\r\n\r\n%s",
		r.server.port, r.e.Bearer(), r.sid, len(listTools), listTools)
	if _, err := io.ReadFull(bufio.NewReader(c), make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	_ = c.(*net.TCPConn).SetLinger(0)
	_ = c.Close()
	if err := r.e.Close(t.Context()); err != nil { // waits for the request
		t.Fatal(err)
	}
	if n := r.rec.count(attach.ToolsListObserved); n != 1 {
		t.Errorf("%d lists recorded: %v", n, r.rec.kinds())
	}
}

// A Record that panics costs its piece only; Close is bounded by its ctx.
func TestObserverSurvives(t *testing.T) {
	var n atomic.Int32
	r := setup(t, set(t, echo("a_kandev")), func(o *Options, _ *limits) {
		record := o.Record
		o.Record = func(e attach.Evidence) {
			if n.Add(1) == 1 {
				panic("record")
			}
			record(e)
		}
	}).init()
	r.send("POST", listTools)
	r.rec.await(t, attach.ToolsListObserved, 1)

	hold := make(chan struct{})
	defer close(hold)
	stuck := newObserver(Options{Now: time.Now, Record: func(attach.Evidence) { <-hold }}, setupLog())
	stuck.add(attach.Evidence{Kind: attach.ToolsChanged})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := stuck.close(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

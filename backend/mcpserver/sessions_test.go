package mcpserver

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"kandev/backend/attach"
)

// clock hands out timers that fire when the test says so.
type clock struct {
	mu     sync.Mutex
	timers []*timer
	made   chan time.Duration
}

type timer struct {
	f       func()
	stopped bool
}

func newClock() *clock { return &clock{made: make(chan time.Duration, 64)} }

func (c *clock) after(d time.Duration, f func()) func() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &timer{f: f}
	c.timers = append(c.timers, t)
	c.made <- d
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		was := !t.stopped
		t.stopped = true
		return was
	}
}

// fire lets time pass for every timer, also for stopped ones when late: a
// timer may fire while it is being stopped.
func (c *clock) fire(late bool) (fired int) {
	c.mu.Lock()
	due := c.timers
	c.timers = nil
	c.mu.Unlock()
	for _, t := range due {
		c.mu.Lock()
		run := late || !t.stopped
		c.mu.Unlock()
		if run {
			fired++
			t.f()
		}
	}
	return fired
}

func clocked(c *clock) func(*Options, *limits) {
	return func(o *Options, _ *limits) { o.After = c.after }
}

func TestConnectionEndsWithItsLastStream(t *testing.T) {
	c := newClock()
	r := setup(t, set(t, echo("a_kandev")), clocked(c)).init()
	first := r.rec.await(t, attach.HandshakeObserved, 1)
	_, endOne := r.stream()
	two, endTwo := r.stream()
	endOne()
	endTwo()
	for range two {
	}
	if d := takes(t, c.made); d != 10*time.Second {
		t.Errorf("lingers %v", d)
	}
	c.fire(false)
	if closed := r.rec.await(t, attach.ConnectionClosed, 1); closed.Connection != first.Connection {
		t.Errorf("%+v", closed)
	}
	// The id stays good, and its next request is a new connection.
	if status, _, _ := r.send("POST", listTools); status != 200 {
		t.Error(status)
	}
	if again := r.rec.await(t, attach.HandshakeObserved, 2); again.Connection == first.Connection || again.Client != "tester 9" {
		t.Errorf("%+v", again)
	}
}

func TestReopenedStreamKeepsTheConnection(t *testing.T) {
	c := newClock()
	r := setup(t, set(t, echo("a_kandev")), clocked(c)).init()
	_, end := r.stream()
	end()
	takes(t, c.made)
	_, end = r.stream()
	defer end()
	c.fire(true) // the timer was already on its way
	r.send("POST", listTools)
	r.rec.await(t, attach.ToolsListCounted, 1)
	if n := r.rec.count(attach.ConnectionClosed); n != 0 {
		t.Errorf("closed: %v", r.rec.kinds())
	}
}

// A client that never opened a stream is closed by DELETE or the end only, and
// one that waits for a call is there.
func TestSilentClientStaysConnected(t *testing.T) {
	c := newClock()
	release := make(chan struct{})
	h, running := blocking(release)
	r := setup(t, set(t, with("wait_kandev", h)), clocked(c)).init()
	r.send("POST", listTools)
	if c.fire(true) != 0 {
		t.Error("a timer for a client without a stream")
	}
	answered := make(chan string, 1)
	go func() { answered <- r.call("wait_kandev", "{}") }()
	takes(t, running)
	lines, end := r.stream()
	end()
	for range lines {
	}
	close(release)
	takes(t, answered)
	takes(t, c.made) // only now does the time run
	if n := r.rec.count(attach.ConnectionClosed); n != 0 {
		t.Error("closed while a call waited")
	}
	c.fire(false)
	r.rec.await(t, attach.ConnectionClosed, 1)
}

func TestCloseEndsConnections(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev"))).init()
	lines, end := r.stream()
	defer end()
	r.init()
	if err := r.e.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range lines {
	}
	if n := r.rec.count(attach.ConnectionClosed); n != 2 {
		t.Errorf("%d closed", n)
	}
	if err := r.e.Close(t.Context()); err != nil {
		t.Error("closing twice:", err)
	}
	r.e.SetTools(nil) // after the end: no panic, no evidence
	if r.rec.kinds()[len(r.rec.kinds())-1] != attach.ConnectionClosed {
		t.Errorf("%v", r.rec.kinds())
	}
}

func TestSessionsAreBounded(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev"))).init()
	kept := r.sid
	_, end := r.stream()
	defer end()
	for range maxSessions {
		r.init()
	}
	if status, _, _ := r.send("POST", listTools, "Mcp-Session-Id", kept); status != 200 {
		t.Errorf("a session in use gave way: %d", status)
	}
	r.rec.await(t, attach.ConnectionClosed, 1)
	r.e.sessions.mu.Lock()
	n := len(r.e.sessions.byID)
	r.e.sessions.mu.Unlock()
	if n != maxSessions {
		t.Errorf("%d sessions", n)
	}
}

func TestStreamsAreBounded(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev"))).init()
	first, end := r.stream()
	defer end()
	for range maxStreams {
		_, end := r.stream()
		defer end()
	}
	for range first { // ends when the stream does
	}
}

func TestListChanged(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev")), func(_ *Options, l *limits) { l.cooldown = time.Hour }).init()
	lines, end := r.stream()
	defer end()
	r.send("POST", listTools)
	r.rec.await(t, attach.ToolsListCounted, 1)
	r.e.SetTools(set(t, echo("a_kandev"))) // the same to every client
	for i := range 50 {
		r.e.SetTools(set(t, echo("a_kandev"), echo(fmt.Sprintf("b%d_kandev", i))))
	}
	receive(t, lines, "list_changed")
	r.rec.await(t, attach.ToolsChanged, 1)
	r.send("POST", listTools)
	list := r.rec.await(t, attach.ToolsListObserved, 2)
	if list.Catalog.Total != 2 {
		t.Errorf("%+v", list.Catalog)
	}
	select {
	case line := <-lines:
		t.Errorf("also %s", line)
	default:
	}
}

// Before a list was served there is nothing that it moved past.
func TestToolsChangedNeedsAList(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev"))).init()
	r.e.SetTools(set(t, echo("b_kandev")))
	r.send("DELETE", "")
	r.rec.await(t, attach.ConnectionClosed, 1)
	if n := r.rec.count(attach.ToolsChanged); n != 0 {
		t.Error("tools_changed without a list")
	}
}

// What a lost stream did not deliver, the next answer does, once; and a stream
// that is opened after the change tells it too.
func TestListChangedSurvivesALostStream(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev"))).init()
	r.send("POST", listTools)
	r.e.SetTools(set(t, echo("a_kandev"), echo("b_kandev")))
	if body := r.call("a_kandev", `{"q":"1"}`); !containsAll(body, "list_changed", "handler saw a_kandev") {
		t.Errorf("first answer %s", body)
	}
	if body := r.call("a_kandev", `{"q":"1"}`); containsAll(body, "list_changed") {
		t.Errorf("told twice: %s", body)
	}
	r.e.SetTools(set(t, echo("a_kandev"), echo("c_kandev")))
	lines, end := r.stream()
	defer end()
	receive(t, lines, "list_changed")
}

// What was written to a stream may not have arrived: until the client lists,
// each stream that opens tells it again.
func TestListChangedSurvivesAWriteThatDidNotArrive(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev"))).init()
	r.send("POST", listTools)
	lines, cut := r.stream()
	r.e.SetTools(set(t, echo("a_kandev"), echo("b_kandev")))
	receive(t, lines, "list_changed")
	cut()
	lines, end := r.stream()
	defer end()
	receive(t, lines, "list_changed")
	newest, cut := r.stream()
	receive(t, newest, "list_changed")
	cut()
	receive(t, lines, "list_changed") // the older one is asked to repeat it
	r.send("POST", listTools)
	end()
	lines, cut = r.stream()
	receive(t, lines, ": open")
	cut()
	for line := range lines {
		if containsAll(line, "list_changed") {
			t.Error("told of what it has listed")
		}
	}
}

// A storm of swaps is one tools_changed for each list (case 52).
func TestSwapStormIsOneEvidence(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev"))).init()
	for round := range 2 {
		r.send("POST", listTools)
		r.e.requests.Wait()
		for i := range 200 {
			r.e.SetTools(set(t, echo(fmt.Sprintf("b%d_%d_kandev", round, i))))
		}
	}
	r.send("DELETE", "")
	r.rec.await(t, attach.ConnectionClosed, 1)
	if n := r.rec.count(attach.ToolsChanged); n != 2 {
		t.Errorf("%d tools_changed", n)
	}
}

// Tools that are again what was served have not moved past it: a client that
// never lists again would else be said to have an old list.
func TestToolsThatComeBack(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev"))).init()
	r.send("POST", listTools)
	r.e.SetTools(set(t, echo("b_kandev")))
	r.e.SetTools(set(t, echo("c_kandev")))
	r.rec.await(t, attach.ToolsChanged, 1)
	changed := func() bool {
		history, _ := attach.Reduce(attach.History{}, attach.Evidence{Kind: attach.Started, Attempt: "attempt-1"})
		history, _ = attach.Reduce(history, attach.Evidence{Kind: attach.Configured, Attempt: "attempt-1", Server: attach.BuiltinServer, Source: attach.SourceBuiltin})
		all, _ := r.rec.snapshot()
		for _, e := range all {
			history, _ = attach.Reduce(history, e)
		}
		return history.Current().Servers[0].ToolsChanged
	}
	if !changed() {
		t.Error("not changed")
	}
	r.e.SetTools(set(t, echo("a_kandev")))
	r.rec.await(t, attach.ToolsChanged, 2)
	if changed() {
		t.Error("changed, and the same as served")
	}
	r.e.SetTools(set(t, echo("b_kandev")))
	r.rec.await(t, attach.ToolsChanged, 3)
	if !changed() {
		t.Error("changed again, and not told")
	}
}

package mcpserver

import (
	"strings"
	"testing"
	"time"
)

// drained waits until the only stream of a session has no change left to tell.
func (r *rig) drained() {
	r.t.Helper()
	deadline := time.After(patience)
	for {
		r.e.sessions.mu.Lock()
		n := len(r.e.sessions.byID[r.sid].streams[0].changed)
		r.e.sessions.mu.Unlock()
		if n == 0 {
			return
		}
		select {
		case <-deadline:
			r.t.Fatal("the stream does not look")
		case <-time.After(time.Millisecond):
		}
	}
}

// What is switched on and off again before the client listed is no change to
// it: it was told once, and what it listed is what is served.
func TestToggleIsToldOnce(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev")), func(_ *Options, l *limits) { l.cooldown = time.Millisecond }).init()
	r.send("POST", listTools)
	lines, cut := r.stream()
	r.e.SetTools(set(t, echo("a_kandev"), echo("b_kandev")))
	receive(t, lines, "list_changed")
	r.e.SetTools(set(t, echo("a_kandev")))
	r.drained()
	if body := r.call("a_kandev", `{"q":"1"}`); strings.Contains(body, "list_changed") {
		t.Errorf("told with an answer: %s", body)
	}
	again, cutAgain := r.stream()
	receive(t, again, ": open")
	cutAgain()
	for line := range again {
		if strings.Contains(line, "list_changed") {
			t.Error("told on a new stream")
		}
	}
	r.e.SetTools(set(t, echo("a_kandev"), echo("c_kandev")))
	receive(t, lines, "list_changed")
	cut()
	for line := range lines {
		if strings.Contains(line, "list_changed") {
			t.Error("told once too often")
		}
	}
}

// A list that was on its way while the tools went back is the one the client
// has: at its end the client is told, on its stream or with its next answer.
func TestToggleWhileListing(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev")), func(_ *Options, l *limits) { l.cooldown = time.Millisecond }).init()
	r.send("POST", listTools)
	r.e.requests.Wait()
	s := r.e.sessions.byID[r.sid]
	swing := func() *served {
		r.e.SetTools(set(t, echo("a_kandev"), echo("b_kandev")))
		between := r.e.tools.Load()
		r.e.SetTools(set(t, echo("a_kandev")))
		return between
	}
	r.e.sessions.setListed(s, &written{tools: swing()}) // no stream is open
	if body := r.call("a_kandev", `{"q":"1"}`); !strings.Contains(body, "list_changed") {
		t.Errorf("not told with an answer: %s", body)
	}
	r.send("POST", listTools)
	r.e.requests.Wait()
	lines, cut := r.stream()
	defer cut()
	receive(t, lines, ": open")
	between := swing()
	r.drained()
	r.e.sessions.setListed(s, &written{tools: between})
	receive(t, lines, "list_changed")
}

package attach

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// at is evidence of a kind so many seconds after the start.
func at(k Kind, seconds int) Evidence {
	e := evidence(k)
	e.At = epoch.Add(time.Duration(seconds) * time.Second)
	return e
}

// TestReasonGoesWithTheOldStatus: what was said of a worse status is cleared
// when it improves, and stays with one that does not.
func TestReasonGoesWithTheOldStatus(t *testing.T) {
	for _, c := range []struct {
		first, second Kind
		kept          bool
	}{
		{Filtered, Delivered, false},
		{Unavailable, Accepted, false},
		{Filtered, HandshakeObserved, false},
		{Unavailable, ToolsListObserved, false},
		{Filtered, Configured, true},
		{Failed, HandshakeObserved, true},
		{Failed, ToolsListObserved, true},
		{Failed, ConnectionClosed, true},
	} {
		first := evidence(c.first)
		first.Summary = "a sentence"
		h, _ := Reduce(after(), first)
		h, _ = Reduce(h, evidence(c.second))
		s := h.Current().Servers[0]
		if (s.Reason == "r" && s.Summary == "a sentence") != c.kept || !c.kept && s.Reason+s.Summary != "" {
			t.Errorf("%s then %s: reason %q, summary %q", c.first, c.second, s.Reason, s.Summary)
		}
	}
}

// TestFirstHandshakeWins: the time of the connection is that of the first.
func TestFirstHandshakeWins(t *testing.T) {
	h, _ := Reduce(after(), at(HandshakeObserved, 1))
	second := at(HandshakeObserved, 2)
	second.Connection = "c2"
	h, _ = Reduce(h, second)
	h, _ = Reduce(h, at(ToolsListObserved, 3))
	if got := h.Current().Servers[0].Times; !got.Connected.Equal(at(Started, 1).At) || !got.Observed.Equal(at(Started, 3).At) {
		t.Errorf("connected %v, observed %v", got.Connected, got.Observed)
	}
}

// TestCallSetsTheLastUse and nothing else; one that is told late does not turn
// the time back.
func TestCallSetsTheLastUse(t *testing.T) {
	h := after(HandshakeObserved)
	before := h.Current().Servers[0]
	h, _ = Reduce(h, at(ToolCallObserved, 9))
	h, _ = Reduce(h, at(ToolCallObserved, 4))
	s := h.Current().Servers[0]
	if !s.Times.Used.Equal(at(Started, 9).At) {
		t.Errorf("used %v", s.Times.Used)
	}
	s.Times = before.Times
	if !reflect.DeepEqual(s, before) {
		t.Errorf("a call changed more than a time: %+v", s)
	}
}

// TestUnknownIsNotZero: no tool count and no estimate before a list was seen;
// an empty list is one.
func TestUnknownIsNotZero(t *testing.T) {
	if s := after(Delivered, Accepted, HandshakeObserved, ToolCallObserved).Current().Servers[0]; s.ToolCount != nil || s.TokensTotal != nil || s.Method != "" || s.Counting {
		t.Errorf("%+v", s)
	}
	e := evidence(ToolsListObserved)
	e.Catalog = list()
	h, _ := Reduce(after(), e)
	if s := h.Current().Servers[0]; s.ToolCount == nil || *s.ToolCount != 0 {
		t.Errorf("%+v", s)
	}
}

// TestEndOfAnExecution is noted once, and from then on nothing is being counted.
func TestEndOfAnExecution(t *testing.T) {
	h := after(ToolsListObserved)
	if !h.Current().Servers[0].Counting {
		t.Fatal("nothing is being counted")
	}
	e := at(ExecutionEnded, 5)
	e.Reason = "stopped"
	h, _ = Reduce(h, e)
	a := h.Current()
	if a.EndedAt == nil || !a.EndedAt.Equal(e.At) || a.EndReason != "stopped" || a.Servers[0].Counting {
		t.Errorf("%+v", a)
	}
	e = at(ExecutionEnded, 6)
	e.Reason = "again"
	if _, changed := Reduce(h, e); changed {
		t.Error("an end changed an ended attempt")
	}
	// A list that is told after the end is counted by nobody.
	late := at(ToolsListObserved, 7)
	late.Order = 2
	if h, _ := Reduce(h, late); h.Current().Servers[0].Counting {
		t.Error("counted after the end")
	}
	// Counts that were on their way belong to the list all the same.
	h, _ = Reduce(h, evidence(ToolsListCounted))
	if s := h.Current().Servers[0]; s.TokensTotal == nil || s.Status != StatusDisconnected {
		t.Errorf("%+v", s)
	}
}

// TestAfterBoot: nobody counts on after the app ended in the middle of it, and
// the history that others hold is not written to.
func TestAfterBoot(t *testing.T) {
	h := after(ToolsListObserved)
	if s := h.AfterBoot().Current().Servers[0]; s.Counting || s.ToolCount == nil || s.Status != StatusActive {
		t.Errorf("%+v", s)
	}
	if !h.Current().Servers[0].Counting {
		t.Error("the old history was written to")
	}
	if h := after(ToolsListObserved, ToolsListCounted); !reflect.DeepEqual(h.AfterBoot(), h) {
		t.Error("a history that is whole was changed")
	}
	// An app of before kept more of what was superseded.
	h, _ = Reduce(after(ToolsListObserved), startOf("a2"))
	h.Attempts[0].Servers[0].Target, h.Attempts[0].Servers[0].Client = "http://sentinel", "sentinel"
	if old := h.AfterBoot().Attempts[0].Servers[0]; old.Target+old.Client != "" || old.ToolCount == nil {
		t.Errorf("%+v", old)
	}
	if h.Attempts[0].Servers[0].Target == "" {
		t.Error("the old history was written to")
	}
	if h := (History{}).AfterBoot(); h.Current() != nil {
		t.Errorf("%+v", h)
	}
}

// TestNewAttemptIsTheRecovery of a failure: it begins with nothing known.
func TestNewAttemptIsTheRecovery(t *testing.T) {
	h := after(Failed, HandshakeObserved, ToolsListObserved)
	if got := statusOf(h); got != StatusFailed {
		t.Fatalf("%s before the new attempt", got)
	}
	h, _ = Reduce(h, startOf("a2"))
	if n := len(h.Current().Servers); n != 0 {
		t.Errorf("%d servers before their first evidence", n)
	}
	e := evidence(Configured)
	e.Attempt = "a2"
	if h, _ = Reduce(h, e); statusOf(h) != StatusUnknown {
		t.Errorf("%s after the first evidence", statusOf(h))
	}
}

// TestBoundsOnTheSpot: at each limit everything is there, one over drops the
// oldest.
func TestBoundsOnTheSpot(t *testing.T) {
	h := after() // two pieces: started, configured
	for n := 3; n <= MaxEvidence+1; n++ {
		h, _ = Reduce(h, at(ToolCallObserved, n))
		kept := h.Current().Evidence
		if first := kept[0].Kind; len(kept) != min(n, MaxEvidence) || (first == Started) != (n <= MaxEvidence) {
			t.Fatalf("piece %d: %d kept from %s on", n, len(kept), first)
		}
	}
	for n := 1; n <= MaxConnections+1; n++ {
		e := evidence(HandshakeObserved)
		e.Connection = fmt.Sprint("c", n)
		h, _ = Reduce(h, e)
		open := h.Current().Servers[0].open
		if len(open) != min(n, MaxConnections) || (open[0] == "c1") != (n <= MaxConnections) {
			t.Fatalf("connection %d: %s", n, strings.Join(open, " "))
		}
	}
}

// TestUseSurvivesANewList of the same attempt.
func TestUseSurvivesANewList(t *testing.T) {
	h := after(ToolsListObserved)
	h, _ = Used(h, "a1", "x", true, true, epoch)
	h, _ = Used(h, "a1", "", false, false, epoch)
	e := evidence(ToolsListObserved)
	e.Order, e.Catalog = 2, list("other")
	h, _ = Reduce(h, e)
	if a := h.Current(); len(a.Uses) != 1 || a.Uses[0].Calls != 1 || a.Uses[0].Errors != 1 || a.OtherCalls != 1 {
		t.Errorf("%+v", a)
	}
}

// TestEndThatNobodySaw: an attempt whose execution ended without a word, as when
// the app is killed, ended when it was last seen, not when the next one began.
func TestEndThatNobodySaw(t *testing.T) {
	seen, next := at(Started, 5).At, at(Started, 3600).At
	for execution, want := range map[string]struct {
		end    time.Time
		reason string
	}{"x1": {next, StartReset}, "x2": {seen, EndInterrupted}} {
		h, _ := Reduce(after(), at(ToolsListObserved, 5))
		h, _ = Reduce(h, Evidence{Kind: Started, Attempt: "a2", Execution: execution, Reason: StartReset, At: next})
		a := h.Attempts[0]
		if s := a.Servers[0]; !a.EndedAt.Equal(want.end) || a.EndReason != want.reason || !s.Times.Closed.Equal(want.end) || s.Status != StatusDisconnected || a.Superseded != "a2" {
			t.Errorf("%s: ended %v for %q, closed %v, %s", execution, a.EndedAt, a.EndReason, s.Times.Closed, s.Status)
		}
	}
	h := History{}
	for _, e := range []Evidence{{Attempt: "a1", Execution: "x1", At: seen}, {Attempt: "a2", Execution: "x2", At: next}} {
		e.Kind = Started
		h, _ = Reduce(h, e)
	}
	if a := h.Attempts[0]; !a.EndedAt.Equal(seen) {
		t.Errorf("without evidence: ended %v", a.EndedAt)
	}
}

package backend

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"kandev/backend/agent"
	"kandev/backend/attach"
	"kandev/backend/session"
	"kandev/backend/settings"
)

// reasons are those of the attempts that are kept, oldest first.
func (a *testApp) reasons(id session.ID) string {
	var out []string
	for _, t := range a.history(id).Attempts {
		out = append(out, t.Reason)
	}
	return strings.Join(out, " ")
}

func (a *testApp) preambles(id session.ID) (n int) {
	for _, i := range a.items(id) {
		if i.Kind == session.ItemPreamble {
			n++
		}
	}
	return n
}

// active waits until our server's list was observed.
func (a *testApp) active(id session.ID) {
	a.t.Helper()
	a.until("our server is active", func() bool { return a.builtin(id).Status == string(attach.StatusActive) })
}

// TestLoad: stopped and started again, also by another life of the app, the
// agent knows what was said. What it repeats is not told twice, its servers are
// delivered anew, and no preamble is sent again.
// Case 58.
func TestLoad(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	id := a.begin(mannerLoads, "first")
	a.said(id, "you said first")
	a.inState(id, session.Ready)
	before := len(a.items(id))
	if err := a.StopSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	for n := range 2 {
		if err := a.StartSession(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		a.inState(id, session.Ready)
		a.until("what came after the load", func() bool { return len(a.items(id)) == before+n+1 })
		a.said(id, "loaded")
		a.active(id)
		for _, i := range a.items(id) {
			if strings.Contains(fmt.Sprintf("%+v", i), "eplayed") {
				t.Errorf("told twice: %+v", i)
			}
		}
		if n == 0 {
			a.quit()
			a = openApp(t, home, fakes)
		}
	}
	a.say(id, "recall")
	a.said(id, `recalled ["first" "recall"]`)
	if got := a.reasons(id); got != "new load load" || a.preambles(id) != 1 {
		t.Errorf("%s, %d preambles", got, a.preambles(id))
	}
	if h := a.history(id).Attempts; h[0].Superseded != h[1].ID || h[1].Superseded != h[2].ID {
		t.Error("the attempts before are not superseded")
	}
}

// TestPreambleOff: an agent that the person switched it off for is told nothing,
// and another one is.
func TestPreambleOff(t *testing.T) {
	for off, want := range map[string]int{"fake-" + mannerPlain: 0, "fake-" + mannerLoads: 1} {
		a := fakeApp(t)
		a.SaveSettings(settings.Settings{PreambleOff: []string{off}})
		id := a.begin(mannerPlain, "first")
		a.said(id, "you said first")
		a.inState(id, session.Ready)
		if got := a.preambles(id); got != want {
			t.Errorf("switched off for %s: %d preambles", off, got)
		}
	}
}

// TestLoadRefused: the agent begins anew, the person is told that the context
// was lost, and both deliveries are attempts; also where each attempt needs a
// process of its own.
// Case 59.
func TestLoadRefused(t *testing.T) {
	for _, manner := range []string{mannerForgets, mannerForgEnv} {
		t.Run(manner, func(t *testing.T) {
			a := fakeApp(t)
			id := a.begin(manner, "first")
			a.said(id, "you said first")
			a.inState(id, session.Ready)
			if err := a.StopSession(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			if err := a.StartSession(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			a.inState(id, session.Ready)
			if notes := a.notes(id); strings.Count(notes, "context was lost") != 1 || !strings.Contains(notes, "no such session") {
				t.Errorf("%q", notes)
			}
			if got := a.reasons(id); got != "new load new" {
				t.Error(got)
			}
			load := a.history(id).Attempts[1]
			if s := load.Servers[0]; s.Status != attach.StatusFailed || s.Reason != "session_refused" {
				t.Errorf("%+v", s)
			}
			if own := load.Execution != a.history(id).Current().Execution; own != (manner == mannerForgEnv) {
				t.Errorf("a process of its own: %v", own)
			}
			a.say(id, "recall")
			a.said(id, `recalled ["recall"]`)
			if a.preambles(id) != 2 {
				t.Errorf("%d preambles", a.preambles(id))
			}
			a.active(id)
		})
	}
}

// TestReset: the agent forgets, the transcript stays; in the same process, or
// in a new one where the agent cannot be given a new address.
// Case 58.
func TestReset(t *testing.T) {
	for _, manner := range []string{mannerLoads, mannerPlain, mannerKeeps, mannerEnv} {
		t.Run(manner, func(t *testing.T) {
			a := fakeApp(t)
			id := a.begin(manner, "first")
			a.said(id, "you said first")
			a.inState(id, session.Ready)
			execution := a.history(id).Current().Execution
			if err := a.ResetSession(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			a.until("the reset is told", func() bool { return strings.Contains(a.notes(id), "was reset") })
			a.inState(id, session.Ready)
			a.say(id, "recall")
			a.said(id, `recalled ["recall"]`)
			a.inState(id, session.Ready)
			if got := a.reasons(id); got != "new reset" || a.preambles(id) != 2 {
				t.Errorf("%s, %d preambles", got, a.preambles(id))
			}
			restarted := manner == mannerKeeps || manner == mannerEnv
			if own := execution != a.history(id).Current().Execution; own != restarted {
				t.Errorf("a process of its own: %v", own)
			}
			a.active(id)
		})
	}
}

// TestResetRefused: not during a turn; without an agent it is started afresh,
// and what was forgotten is not loaded later.
func TestResetRefused(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerLoads, "hang")
	a.said(id, "hanging")
	if err := a.ResetSession(t.Context(), id); !errors.Is(err, session.ErrBusy) {
		t.Errorf("during a turn: %v", err)
	}
	if err := a.StopSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := a.ResetSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.inState(id, session.Ready)
	a.say(id, "recall")
	a.said(id, `recalled ["recall"]`)
	if got := a.reasons(id); got != "new reset" {
		t.Error(got)
	}
	if err := a.StopSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := a.StartSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.inState(id, session.Ready)
	a.say(id, "recall")
	a.said(id, `recalled ["recall" "recall"]`)
}

// TestResetStopped: a stop at any moment of a reset ends in order.
func TestResetStopped(t *testing.T) {
	a := fakeApp(t)
	for _, manner := range []string{mannerLoads, mannerEnv} {
		id := a.begin(manner, "")
		for range 4 {
			a.inState(id, session.Ready)
			if err := a.ResetSession(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			if err := a.StopSession(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			a.settled(id)
			if err := a.StartSession(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestCannotLoad: an agent that takes nothing up is started anew, and the person
// is told once there is something it could have known.
func TestCannotLoad(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerAmnesic, "")
	for _, want := range []int{0, 1} {
		a.inState(id, session.Ready)
		if err := a.StopSession(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if err := a.StartSession(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		a.inState(id, session.Ready)
		if got := strings.Count(a.notes(id), "cannot take up"); got != want {
			t.Errorf("told %d times, want %d", got, want)
		}
		a.say(id, "hello")
		a.said(id, "you said hello")
	}
}

// TestResetEmbedded: the agent that everybody has.
func TestResetEmbedded(t *testing.T) {
	a := openApp(t, t.TempDir())
	id, err := a.NewSession(t.Context(), NewSession{Project: a.project().ID, Agent: agent.Toolbench})
	if err != nil {
		t.Fatal(err)
	}
	a.inState(id, session.Ready)
	a.active(id)
	if err := a.ResetSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.until("the reset is told", func() bool { return strings.Contains(a.notes(id), "was reset") })
	a.inState(id, session.Ready)
	a.active(id)
	a.say(id, "list_tasks_kandev {}")
	a.inState(id, session.Ready)
	if i, ok := a.last(id, session.ItemTool); !ok || i.Tool.Status != toolCompleted || a.reasons(id) != "new reset" {
		t.Errorf("%+v, %s", i, a.reasons(id))
	}
}

package backend

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kandev/backend/attach"
	"kandev/backend/session"
)

// settled checks what must hold of a session without an agent.
func (a *testApp) settled(id session.ID) {
	a.t.Helper()
	c := a.conversation(id)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.row.State.Live() || c.instance != nil || len(c.asked)+len(c.permits) != 0 {
		a.t.Errorf("%s: instance %v, %d questions", c.row.State, c.instance, len(c.asked))
	}
	for _, attempt := range c.history.Attempts {
		if attempt.EndedAt == nil {
			a.t.Errorf("attempt %s has no end", attempt.ID)
		}
		for _, s := range attempt.Servers {
			if s.Status == attach.StatusConnected || s.Status == attach.StatusActive || s.Status == attach.StatusFailed {
				a.t.Errorf("attempt %s: the server is %s", attempt.ID, s.Status)
			}
		}
	}
}

// noGuards checks that no process of the app is left.
func (a *testApp) noGuards() {
	a.t.Helper()
	left, err := filepath.Glob(a.path("run", "*"))
	if err != nil || len(left) != 0 {
		a.t.Errorf("pid files are left: %v (%v)", left, err)
	}
}

// TestStartStop: twenty times in a row, each stop at another moment of the start.
func TestStartStop(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "")
	a.inState(id, session.Ready)
	for n := range 20 {
		if err := a.StopSession(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		a.settled(id)
		if err := a.StartSession(t.Context(), id); err != nil {
			t.Fatalf("start %d right after the stop: %v", n, err)
		}
		c, _ := a.find(id)
		switch n % 4 {
		case 1:
			a.until("a new attempt", func() bool { c.mu.Lock(); defer c.mu.Unlock(); return c.history.Current().EndedAt == nil })
		case 2:
			a.until("an instance", func() bool { c.mu.Lock(); defer c.mu.Unlock(); return c.instance != nil })
		case 3:
			a.inState(id, session.Ready)
		}
	}
	if err := a.StartSession(t.Context(), id); !errors.Is(err, session.ErrLive) {
		t.Errorf("a second start: %v", err)
	}
	a.inState(id, session.Ready)
	a.say(id, "hello")
	a.said(id, "you said hello")
	if n := len(a.history(id).Attempts); n != attach.MaxAttempts {
		t.Errorf("%d attempts kept", n)
	}
}

// TestAtOnce: starts, stops, prompts and cancels from everywhere end in a
// session that still works.
func TestAtOnce(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "")
	var wg sync.WaitGroup
	for _, f := range []func(){
		func() { _ = a.StartSession(t.Context(), id) },
		func() { _ = a.StopSession(t.Context(), id) },
		func() { _ = a.Prompt(t.Context(), id, "hello") },
		func() { _ = a.CancelTurn(id) },
		func() { _, _, _, _ = a.Attachment(t.Context(), id) },
		func() { _ = a.Agents(t.Context()) },
		func() { _ = a.ArchiveSession(id, false) },
		func() { a.CheckProjects(); _, _ = a.Storage(t.Context()) },
	} {
		wg.Go(func() {
			for range 10 {
				f()
			}
		})
	}
	wg.Wait()
	if err := a.StopSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.settled(id)
	if err := a.StartSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.inState(id, session.Ready)
	a.say(id, "call get_task {}")
	a.said(id, `"id"`)
}

// TestDelete: while a question is open, and at every moment of a start. What is
// deleted is told once and never comes back.
func TestDelete(t *testing.T) {
	for name, ready := range map[string]func(*testApp, session.ID){
		"starting": func(*testApp, session.ID) {},
		"live": func(a *testApp, id session.ID) {
			a.inState(id, session.Ready)
		},
		"question open": func(a *testApp, id session.ID) {
			a.inState(id, session.Ready)
			a.say(id, "ask")
			a.until("a question", func() bool { return len(a.Snapshot().Questions) == 1 })
		},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			a := openApp(t, home, fakes)
			id := a.begin(mannerPlain, "")
			ready(a, id)
			if err := a.DeleteSession(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			if err := a.StartSession(t.Context(), id); !errors.Is(err, session.ErrNotFound) {
				t.Errorf("a start after the deletion: %v", err)
			}
			snap := a.Snapshot()
			for _, v := range snap.Attachments {
				if v.Session == string(id) {
					t.Error("its attachment is still told")
				}
			}
			if a.row(id).ID != "" || len(snap.Questions) != 0 {
				t.Errorf("%+v", snap)
			}
			a.quit()
			a.noGuards()
			b := openApp(t, home, fakes)
			if b.row(id).ID != "" {
				t.Error("the session is back after a restart")
			}
		})
	}
}

// TestFirstPromptIsKept: a prompt typed for a session that cannot start stands in
// the transcript as one that waits, also after a restart of the app, and goes
// out, once, when the agent can start.
func TestFirstPromptIsKept(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	p := a.project()
	id, err := a.NewSession(t.Context(), NewSession{Project: p.ID, Agent: "fake-" + mannerRefuses, Prompt: " hello\n"})
	if err != nil {
		t.Fatal(err)
	}
	waits := func(a *testApp) {
		t.Helper()
		if i, _ := a.last(id, session.ItemPrompt); i.Text != "hello" || i.Ref != session.RefWaiting {
			t.Errorf("it shows %+v", i)
		}
	}
	waits(a)
	a.inState(id, session.Failed)
	waits(a)
	a.quit()
	a = openApp(t, home, fakes)
	waits(a)
	if err := os.WriteFile(filepath.Join(p.Path, "allow"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := a.StartSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.said(id, "you said hello")
	a.inState(id, session.Ready)
	var prompts, notes int
	for _, i := range a.items(id) {
		if i.Kind == session.ItemPrompt {
			prompts++
			if i.Ref != "" {
				t.Errorf("it is called waiting: %+v", i)
			}
		}
		if i.Text == noteAnew {
			notes++
		}
	}
	if prompts != 1 || notes != 0 {
		t.Errorf("%d prompts, %d notes of a lost context:\n%s", prompts, notes, a.notes(id))
	}
	if err := a.StopSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := a.StartSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.inState(id, session.Ready)
	if i, _ := a.last(id, session.ItemPrompt); i.Text != "hello" || len(a.items(id)) < 3 {
		t.Errorf("sent again: %+v", i)
	}
}

// TestFirstPromptIsSentOnce: when an agent has a first prompt, no kill of the app
// can make the next start send it again: the file calls it sent already.
func TestFirstPromptIsSentOnce(t *testing.T) {
	a := fakeApp(t)
	p := a.project()
	got := filepath.Join(p.Path, "bearer") // written by the agent when it has the prompt
	id, err := a.NewSession(t.Context(), NewSession{Project: p.ID, Agent: "fake-" + mannerPlain, Prompt: "bearer"})
	if err != nil {
		t.Fatal(err)
	}
	a.until("the agent to have it", func() bool { return exists(got) })
	items, err := a.db.Transcript(t.Context(), id, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(items, func(i session.Item) bool { return i.Kind == session.ItemPrompt })
	if at < 0 || items[at].Ref == session.RefWaiting {
		t.Errorf("stored while the agent has it: %+v", items)
	}
}

// TestStopBeforeTheFirstPromptIsSent: a turn that is stopped before its prompt went
// out is over, and the agent gets nothing.
func TestStopBeforeTheFirstPromptIsSent(t *testing.T) {
	a := fakeApp(t)
	lock := a.foreign()
	a.exec(lock, "BEGIN IMMEDIATE")
	id := a.begin(mannerPlain, "hello")
	a.inState(id, session.Working)
	if err := a.CancelTurn(id); err != nil {
		t.Fatal(err)
	}
	a.inState(id, session.Ready)
	a.exec(lock, "ROLLBACK")
	for _, i := range a.items(id) {
		if i.Kind == session.ItemMessage {
			t.Errorf("the agent answered: %q", i.Text)
		}
	}
	if notes := a.notes(id); !strings.Contains(notes, "Stopped.") {
		t.Errorf("%q", notes)
	}
}

// TestFirstPromptStandsBehindThePreamble: as it went out.
func TestFirstPromptStandsBehindThePreamble(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "hello")
	a.said(id, "you said hello")
	var kinds []session.ItemKind
	for n, i := range a.items(id) {
		kinds = append(kinds, i.Kind)
		if i.Number != int64(n+1) {
			t.Errorf("item %d has the number %d", n, i.Number)
		}
	}
	if want := []session.ItemKind{session.ItemPreamble, session.ItemPrompt}; len(kinds) < 2 || !slices.Equal(kinds[:2], want) {
		t.Errorf("%v", kinds)
	}
}

// TestQuitWhileStarting: at every moment of a start; nothing is left.
func TestQuitWhileStarting(t *testing.T) {
	for _, manner := range []string{mannerPlain, mannerMute, mannerSilent} {
		a := fakeApp(t)
		id := a.begin(manner, "hello")
		a.quit()
		a.settled(id)
		a.noGuards()
	}
}

// TestCloseInTime: three live agents, one of which ignores SIGTERM and the end
// of its stdin; all are gone within ten seconds.
func TestCloseInTime(t *testing.T) {
	a := fakeApp(t)
	ids := []session.ID{a.begin(mannerStubborn, "hang"), a.begin(mannerPlain, "ask"), a.begin(mannerPlain, "stream")}
	a.said(ids[0], "hanging")
	a.said(ids[2], "word1")
	a.until("a question", func() bool { return len(a.Snapshot().Questions) == 1 })
	if live := a.LiveAgents(); len(live) != 3 || !a.AskQuit() {
		t.Errorf("%v", live)
	}
	began := time.Now()
	if err := a.Close(context.Background()); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("closing took %v", took)
	}
	for _, id := range ids {
		a.settled(id)
	}
	a.noGuards()
}

package backend

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"kandev/backend/attach"
	"kandev/backend/event"
	"kandev/backend/session"
)

// testApp is a backend with its events, over a data folder of its own.
type testApp struct {
	*Backend
	t *testing.T

	mu     sync.Mutex
	events []event.Event
	wake   chan struct{}
}

func openApp(t *testing.T, home string, change ...func(*Options)) *testApp {
	t.Helper()
	a := &testApp{t: t, wake: make(chan struct{}, 1)}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		Home: home, Version: "test", Self: []string{self}, Environ: os.Environ(), Send: a.take,
		Log: slog.New(slog.DiscardHandler),
	}
	for _, f := range change {
		f(&o)
	}
	if a.Backend, err = Open(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.quit() })
	return a
}

func (a *testApp) quit() {
	a.t.Helper()
	if err := a.Close(context.Background()); err != nil {
		a.t.Errorf("close: %v", err)
	}
}

func (a *testApp) take(e event.Event) {
	a.mu.Lock()
	a.events = append(a.events, e)
	a.mu.Unlock()
	nudge(a.wake)
}

// until waits for a condition that events make true; it looks again at every
// event, and ends the test after twenty seconds.
func (a *testApp) until(what string, ok func() bool) {
	a.t.Helper()
	limit := time.After(20 * time.Second)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-a.wake:
		case <-tick.C:
		case <-limit:
			snap, _ := json.MarshalIndent(a.Snapshot(), "", " ")
			a.t.Fatalf("%s: not within the limit; the window shows\n%s", what, snap)
		}
	}
}

func (a *testApp) row(id session.ID) event.Session {
	for _, s := range a.Snapshot().Sessions {
		if s.ID == string(id) {
			return s
		}
	}
	return event.Session{}
}

func (a *testApp) inState(id session.ID, want session.State) {
	a.t.Helper()
	a.until("session "+string(want), func() bool { return a.row(id).State == string(want) })
}

// builtin is what the window is told of our own server.
func (a *testApp) builtin(id session.ID) event.Server {
	for _, v := range a.Snapshot().Attachments {
		if v.Session == string(id) && len(v.Servers) > 0 {
			return v.Servers[0]
		}
	}
	return event.Server{}
}

func (a *testApp) counted(id session.ID) {
	a.t.Helper()
	a.until("counted list", func() bool {
		s := a.builtin(id)
		return s.Status == string(attach.StatusActive) && s.TokensTotal != nil
	})
}

func (a *testApp) items(id session.ID) []session.Item {
	a.t.Helper()
	items, _, err := a.Transcript(a.t.Context(), id, 0)
	if err != nil {
		a.t.Fatal(err)
	}
	return items
}

func (a *testApp) conversation(id session.ID) *conversation {
	a.t.Helper()
	c, err := a.find(id)
	if err != nil {
		a.t.Fatal(err)
	}
	return c
}

func (a *testApp) say(id session.ID, prompt string) {
	a.t.Helper()
	if err := a.Prompt(a.t.Context(), id, prompt); err != nil {
		a.t.Fatalf("prompt %q: %v", prompt, err)
	}
}

func (a *testApp) history(id session.ID) attach.History {
	a.t.Helper()
	h, _, _, err := a.Attachment(a.t.Context(), id)
	if err != nil {
		a.t.Fatal(err)
	}
	return h
}

func (a *testApp) last(id session.ID, kind session.ItemKind) (session.Item, bool) {
	for _, i := range slices.Backward(a.items(id)) {
		if i.Kind == kind {
			return i, true
		}
	}
	return session.Item{}, false
}

// terminal is what the newest tool call shows of its terminal.
func (a *testApp) terminal(id session.ID) session.Terminal {
	a.t.Helper()
	item, ok := a.last(id, session.ItemTool)
	if !ok || len(item.Tool.Terminals) != 1 {
		return session.Terminal{}
	}
	return item.Tool.Terminals[0]
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

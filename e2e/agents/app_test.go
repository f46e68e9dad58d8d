//go:build linux

package agents

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"

	"kandev/backend"
	"kandev/backend/attach"
	"kandev/backend/catalog"
	"kandev/backend/event"
	"kandev/backend/session"
)

// app is the real backend over a data folder of its own, and the person who
// sits before it.
type app struct {
	*backend.Backend
	t    *testing.T
	wake chan struct{}
}

func openApp(t *testing.T, home string, env []string) *app {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	a := &app{t: t, wake: make(chan struct{}, 1)}
	a.Backend, err = backend.Open(t.Context(), backend.Options{
		Home: home, Version: "e2e", Self: []string{self}, Environ: env,
		Send: func(event.Event) {
			select {
			case a.wake <- struct{}{}:
			default:
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (a *app) quit() {
	a.t.Helper()
	if err := a.Close(context.Background()); err != nil {
		a.t.Errorf("close: %v", err)
	}
}

// until waits for a condition that events make true, a minute at most. Meanwhile
// the person allows once whatever an agent asks permission for.
func (a *app) until(what string, ok func() bool) {
	a.t.Helper()
	if !a.within(time.Minute, ok) {
		snap, _ := json.MarshalIndent(a.Snapshot().Sessions, "", " ")
		a.t.Fatalf("%s: not within the limit; the window shows\n%s", what, snap)
	}
}

func (a *app) within(d time.Duration, ok func() bool) bool {
	limit := time.NewTimer(d)
	defer limit.Stop()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		allowAll(a.t.Context(), a.Backend)
		if ok() {
			return true
		}
		select {
		case <-a.wake:
		case <-tick.C:
		case <-limit.C:
			return false
		}
	}
}

// allowAll answers the open permission requests with the option to allow once.
func allowAll(ctx context.Context, b *backend.Backend) {
	for _, open := range b.Snapshot().Permissions {
		r, _, err := b.Permission(ctx, open.ID)
		if err != nil {
			continue // answered meanwhile
		}
		for _, o := range r.Options {
			if o.Kind == "allow_once" && b.Permit(open.ID, o.ID) == nil {
				break
			}
		}
	}
}

func (a *app) row(id session.ID) event.Session {
	for _, s := range a.Snapshot().Sessions {
		if s.ID == string(id) {
			return s
		}
	}
	return event.Session{}
}

// inState waits for a state; a session that fails instead ends the test with its reason.
func (a *app) inState(id session.ID, want session.State) {
	a.t.Helper()
	a.until("session "+string(want), func() bool {
		row := a.row(id)
		if row.State == string(session.Failed) && want != session.Failed {
			a.t.Fatalf("the session failed: %s\n%s", row.Reason, a.last(id, session.ItemNotice).Text)
		}
		return row.State == string(want)
	})
}

func (a *app) attachment(id session.ID) event.Attachment {
	for _, v := range a.Snapshot().Attachments {
		if v.Session == string(id) {
			return v
		}
	}
	return event.Attachment{}
}

// server is what the window is told of one server.
func (a *app) server(id session.ID, name string) event.Server {
	for _, s := range a.attachment(id).Servers {
		if s.Name == name {
			return s
		}
	}
	return event.Server{}
}

func (a *app) history(id session.ID) attach.History {
	a.t.Helper()
	h, _, _, err := a.Attachment(a.t.Context(), id)
	if err != nil {
		a.t.Fatal(err)
	}
	return h
}

// catalog is the list that our own server served last.
func (a *app) catalog(id session.ID) catalog.Catalog {
	a.t.Helper()
	current := a.history(id).Current()
	if current == nil || len(current.Servers) == 0 || current.Servers[0].Catalog == nil {
		a.t.Fatal("no catalog")
	}
	return *current.Servers[0].Catalog
}

func (a *app) items(id session.ID) []session.Item {
	a.t.Helper()
	items, _, err := a.Transcript(a.t.Context(), id, 0)
	if err != nil {
		a.t.Fatal(err)
	}
	return items
}

// last is the newest item of a kind; the zero item when there is none.
func (a *app) last(id session.ID, kind session.ItemKind) session.Item {
	a.t.Helper()
	for _, i := range slices.Backward(a.items(id)) {
		if i.Kind == kind {
			return i
		}
	}
	return session.Item{}
}

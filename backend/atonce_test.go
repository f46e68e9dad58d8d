package backend

import (
	"context"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"kandev/backend/session"
)

// TestEverythingAtOnce: starts, stops, resets, logins, prompts, renames and
// looks at the same session from many sides. Whatever wins, one agent runs at
// most, and in the end the session can be used.
func TestEverythingAtOnce(t *testing.T) {
	for _, manner := range []string{mannerPlain, mannerEnv, mannerLoads} {
		t.Run(manner, func(t *testing.T) {
			a := fakeApp(t)
			id := a.begin(manner, "")
			ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
			defer cancel()
			acts := []func() error{
				func() error { return a.StartSession(ctx, id) },
				func() error { return a.StopSession(context.Background(), id) },
				func() error { return a.ResetSession(ctx, id) },
				func() error { return a.Authenticate(ctx, id, "key") },
				func() error { return a.Prompt(ctx, id, "hello") },
				func() error { return a.Prompt(ctx, id, "permit 1") },
				func() error { return a.CancelTurn(id) },
				func() error { return a.RenameSession(id, newID("t")) },
				func() error { _, _, err := a.Transcript(ctx, id, 0); return err },
				func() error { _, err := a.LoginMethods(id); return err },
			}
			var wg sync.WaitGroup
			for range 6 {
				wg.Go(func() {
					for ctx.Err() == nil {
						_ = acts[rand.IntN(len(acts))]()
						if n := a.agentsOf(id); n > 1 {
							t.Errorf("%d agents of one session", n)
						}
						<-time.After(time.Duration(rand.IntN(20)) * time.Millisecond) // a pace, not a wait for something
					}
				})
			}
			wg.Wait()
			if err := a.StopSession(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			a.until("session ended", func() bool { // by the stop, or before it by a login that is not offered
				row := a.row(id)
				return row.State == string(session.Stopped) || row.State == string(session.Failed) && strings.HasPrefix(row.Reason, "The login failed")
			})
			if n := a.agentsOf(id); n != 0 {
				t.Errorf("%d agents after the stop", n)
			}
			if n := a.row(id).Waiting; n != 0 {
				t.Errorf("%d wait for the person", n)
			}
			for _, note := range []string{"the agent has ended", "could not be started"} {
				if strings.Contains(a.notes(id), note) {
					t.Errorf("a note says %q: %q", note, a.notes(id))
				}
			}
			for _, i := range a.items(id) {
				if i.Tool != nil && !finished(i.Tool.Status) {
					t.Errorf("a call is %s", i.Tool.Status)
				}
			}
			if err := a.StartSession(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			a.inState(id, session.Ready)
			a.say(id, "fine")
			a.said(id, "you said fine")
		})
	}
}

// agentsOf counts the agents whose attempt has no end.
func (a *testApp) agentsOf(id session.ID) (n int) {
	h, _, _, err := a.Attachment(context.Background(), id)
	if err != nil {
		a.t.Error(err)
	}
	running := map[string]bool{}
	for _, at := range h.Attempts {
		if at.EndedAt == nil {
			running[at.Execution] = true
		}
	}
	return len(running)
}

package backend

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"kandev/backend/session"
)

// TestDeletedAtOnce: sessions are deleted while they start, work, wait for the
// person, are reset and are looked at. Nothing of them runs or is stored.
func TestDeletedAtOnce(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	p := a.project()
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			manner := []string{mannerPlain, mannerEnv}[n%2]
			prompt := []string{"permit 2", "ask", "stream", "S3NT-deleted"}[n%4]
			id, err := a.NewSession(t.Context(), NewSession{Project: p.ID, Agent: "fake-" + manner, Prompt: prompt})
			if err != nil {
				t.Error(err)
				return
			}
			var own sync.WaitGroup
			for range 3 {
				own.Go(func() {
					for range 8 {
						switch rand.IntN(6) {
						case 0:
							_ = a.StartSession(t.Context(), id)
						case 1:
							_ = a.StopSession(context.Background(), id)
						case 2:
							_ = a.ResetSession(t.Context(), id)
						case 3:
							_ = a.CancelTurn(id)
						case 4:
							_, _, _ = a.Transcript(t.Context(), id, 0)
						case 5:
							_ = a.Prompt(t.Context(), id, "permit 1")
						}
					}
				})
			}
			if n%3 != 0 {
				own.Wait()
			}
			if err := a.DeleteSession(context.Background(), id); err != nil {
				t.Error(err)
			}
			own.Wait()
			if err := a.StartSession(t.Context(), id); !errors.Is(err, session.ErrNotFound) {
				t.Errorf("a deleted session starts: %v", err)
			}
		})
	}
	wg.Wait()
	if rows := a.Snapshot(); len(rows.Sessions) != 1 || len(rows.Permissions)+len(rows.Questions) != 0 {
		t.Errorf("%+v", rows)
	}
	if n := a.guarded(); n != 0 {
		t.Errorf("%d processes", n)
	}
	a.quit()
	if names := within(files(t, home), "S3NT-deleted"); len(names) != 0 {
		t.Errorf("the prompt is in %v", names)
	}
}

// TestPlaceBeingRemoved: a session whose worktree is being removed is not
// "not found".
func TestPlaceBeingRemoved(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "")
	a.inState(id, session.Ready)
	if err := a.StopSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	c := a.conversation(id)
	if err := c.holdIdle(); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"start": a.StartSession(t.Context(), id), "remove": a.RemovePlace(t.Context(), id), "delete": a.DeleteSession(t.Context(), id),
	} {
		if !errors.Is(err, session.ErrRemoving) || errors.Is(err, session.ErrNotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	c.remove(false)
	if err := a.StartSession(t.Context(), id); err != nil {
		t.Error(err)
	}
}

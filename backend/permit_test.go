package backend

import (
	"errors"
	"strings"
	"testing"

	"kandev/backend/permission"
	"kandev/backend/session"
)

// openPermits waits for n open requests and returns their ids.
func (a *testApp) openPermits(n int) (ids []string) {
	a.t.Helper()
	a.until("open permission requests", func() bool { return len(a.Snapshot().Permissions) == n })
	for _, p := range a.Snapshot().Permissions {
		ids = append(ids, p.ID)
	}
	return ids
}

func (a *testApp) request(id string) permission.Request {
	a.t.Helper()
	r, _, err := a.Backend.Permission(a.t.Context(), id)
	if err != nil {
		a.t.Fatal(err)
	}
	return r
}

// TestPermissions: three at once, each answered by itself; what the agent left
// out of its request is joined from its tool call.
// Case 87.
func TestPermissions(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "permit 3")
	ids := a.openPermits(3)
	if a.row(id).Waiting != 3 {
		t.Errorf("%d wait", a.row(id).Waiting)
	}
	for n, p := range ids {
		r := a.request(p)
		if !strings.HasPrefix(r.Title, "Remove ") || r.Kind != "delete" || !strings.Contains(string(r.Input), `"n"`) || len(r.Options) != 2 {
			t.Errorf("%+v", r)
		}
		if err := a.Permit(p, "maybe"); err == nil {
			t.Error("an option that was not offered was taken")
		}
		if err := a.Permit(p, []string{"yes", "no", "yes"}[n]); err != nil {
			t.Error(err)
		}
		if err := a.Permit(p, "no"); !errors.Is(err, permission.ErrClosed) {
			t.Errorf("a second answer: %v", err)
		}
	}
	a.said(id, "answers [selected:no selected:yes selected:yes]")
	a.inState(id, session.Ready)
	if r := a.request(ids[1]); r.State != permission.Selected || r.Chosen != "no" {
		t.Errorf("%+v", r)
	}
}

// TestPermissionEnds: a stop of the turn, a stop of the session and the end of
// the app each cancel visibly, with the reason; the agent is not left waiting.
// Case 87.
func TestPermissionEnds(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	id := a.begin(mannerPlain, "permit 2")
	ids := a.openPermits(2)
	if err := a.CancelTurn(id); err != nil {
		t.Fatal(err)
	}
	a.said(id, "answers [cancelled: cancelled:]")
	if r := a.request(ids[0]); r.State != permission.Cancelled || r.Reason != "You stopped the turn." {
		t.Errorf("%+v", r)
	}
	a.inState(id, session.Ready)
	a.say(id, "permit 1")
	last := a.openPermits(1)[0]
	a.quit()
	if r := openApp(t, home, fakes).request(last); r.State != permission.Cancelled || r.Reason == "" {
		t.Errorf("%+v", r)
	}
}

// TestPermissionKilled: what was open when the app was killed is cancelled at
// the next start.
// Case 87.
func TestPermissionKilled(t *testing.T) {
	home := t.TempDir()
	cmd, before := appProcess(t, nil, home, "fake-"+mannerPlain, "permit 2")
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	a := openApp(t, home, fakes)
	if len(before.Snapshot.Permissions) == 0 || len(a.Snapshot().Permissions) != 0 {
		t.Fatalf("%+v", before.Snapshot.Permissions)
	}
	for _, p := range before.Snapshot.Permissions {
		if r := a.request(p.ID); r.State != permission.Cancelled || r.Reason != endedWithApp {
			t.Errorf("%+v", r)
		}
	}
	for _, i := range a.items(before.Session) {
		if i.Tool != nil && i.Tool.Status != toolCancelled {
			t.Errorf("a call of a dead agent is %s", i.Tool.Status)
		}
	}
}

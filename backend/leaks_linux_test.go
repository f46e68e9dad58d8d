package backend

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"kandev/backend/session"
	"kandev/backend/sqlite"
)

// TestNothingPilesUp: starts that fail in every way, logins that fail or are
// cancelled, and commands in terminals leave no goroutine, no descriptor and no
// process behind while the app runs on.
func TestNothingPilesUp(t *testing.T) {
	const login = "fake-" + mannerLogin
	a := fakeApp(t, func(o *Options) { o.limits.Initialize, o.limits.New = 300, 300 })
	ids := map[string]session.ID{}
	for _, m := range []string{mannerDies, mannerVersion2, mannerMute, mannerSilent, mannerRefuses, mannerLogin, mannerPlain} {
		ids[m] = a.begin(m, "")
	}
	settle := func() {
		for m, id := range ids {
			a.until(m+" has started or failed", func() bool {
				state := a.row(id).State
				return state == string(session.Failed) || state == string(session.Ready)
			})
		}
	}
	round := func() {
		for m, id := range ids {
			_ = a.StopSession(t.Context(), id)
			if err := a.StartSession(t.Context(), id); err != nil {
				t.Fatal(m, err)
			}
		}
		settle()
		for _, end := range []func() error{
			func() error { return a.ChooseAgentLogin(login, "bad") },
			func() error { return a.CancelAgentLogin(t.Context(), login) },
		} {
			if err := a.StartAgentLogin(login); err != nil {
				t.Fatal(err)
			}
			a.loginIs(login, LoginChoose)
			if err := end(); err != nil {
				t.Fatal(err)
			}
			a.until("the login has ended", func() bool { return isClosed(a.loginOf(login).over) })
		}
		id := ids[mannerPlain]
		if a.row(id).State == string(session.Ready) { // a slow machine's may have failed
			a.say(id, "term create {\"command\":\"sh\",\"args\":[\"-c\",\"sleep 1000 & echo up\"]}\nwait_for_exit {\"terminalId\":\"$T\"}")
			a.inState(id, session.Ready)
		}
		for _, id := range ids {
			if err := a.StopSession(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
	}
	settle()
	round() // what is opened once is open now
	goroutines, open := runtime.NumGoroutine(), descriptors(t)
	round()
	a.until("what the round began is gone", func() bool {
		return runtime.NumGoroutine() <= goroutines && descriptors(t) <= open && a.guarded() == 0
	})
}

// descriptors counts what is open but the database, whose readers are opened as
// they are needed, up to a number that package sqlite holds.
func descriptors(t *testing.T) (n int) {
	t.Helper()
	const all = "/proc/self/fd"
	open, err := os.ReadDir(all)
	if err != nil {
		t.Skip(err)
	}
	for _, fd := range open {
		if file, _ := os.Readlink(filepath.Join(all, fd.Name())); !strings.Contains(file, sqlite.FileName) {
			n++
		}
	}
	return n
}

//go:build linux || darwin

package backend

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kandev/backend/session"
)

// soon is what a stop may take that has no process to end.
const soon = 2500 * time.Millisecond

// stopped ends a session and says how long that took.
func (a *testApp) stopped(id session.ID) time.Duration {
	a.t.Helper()
	since := time.Now()
	if err := a.StopSession(context.Background(), id); err != nil {
		a.t.Error(err)
	}
	if s := a.row(id); s.State != string(session.Stopped) || s.Reason != "Stopped by you." {
		a.t.Errorf("%+v", s)
	}
	return time.Since(since)
}

// TestStopWhileTheShellIsSlow: a start that waits for the login shell ends with
// its stop, and the shell's answer is still there for others.
func TestStopWhileTheShellIsSlow(t *testing.T) {
	dir := t.TempDir()
	asked, answer := filepath.Join(dir, "asked"), filepath.Join(dir, "go")
	t.Setenv("SHELL", script(t, filepath.Join(dir, "shell"), "touch '"+asked+"'\nwhile [ ! -e '"+answer+"' ]; do sleep 0.05; done\nshift $(($# - 1))\nexec /bin/sh -c \"$1\"\n"))
	a := fakeApp(t)
	id := a.begin(mannerAmnesic, "")
	a.until("the shell to run", func() bool { return exists(asked) })
	if took := a.stopped(id); took > soon {
		t.Errorf("stopping took %v", took)
	}
	if err := os.WriteFile(answer, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := a.StartSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.inState(id, session.Ready)
}

// TestQuitWhileGitIsSlow: a git that looks at a worktree for minutes does not hold
// the app up; one that removes it has a moment.
func TestQuitWhileGitIsSlow(t *testing.T) {
	dir, a := t.TempDir(), fakeApp(t)
	p := a.project()
	committed(t, p.Path)
	id := a.inWorktree(p.ID, "")
	a.inState(id, session.Ready)
	a.stopped(id)
	running := filepath.Join(dir, "running")
	gitIn(t, p.Path, "config", "core.fsmonitor", script(t, filepath.Join(dir, "monitor"), "touch '"+running+"'; exec sleep 60\n"))
	looked := make(chan error, 1)
	go func() { _, err := a.Place(context.Background(), id); looked <- err }()
	a.until("git to look", func() bool { return exists(running) })
	began := time.Now()
	a.quit()
	if took := time.Since(began); took > 2*soon {
		t.Errorf("quitting took %v", took)
	}
	if err := <-looked; err == nil {
		t.Error("it was looked at")
	}
}

// TestUntilEnd: work ends with the app, with its own moment, or with its caller.
func TestUntilEnd(t *testing.T) {
	a := fakeApp(t)
	own, done := a.untilEnd(t.Context(), time.Hour)
	soonOver, doneSoon := a.untilEnd(t.Context(), time.Millisecond)
	defer doneSoon()
	a.quit()
	select {
	case <-soonOver.Done():
	case <-time.After(10 * time.Second):
		t.Error("its moment is over, and it goes on")
	}
	if own.Err() != nil {
		t.Error("it had no moment of its own")
	}
	done()
	<-own.Done()
}

// TestStopWhileGitIsSlow: neither does a worktree that is still made hold a stop
// up, and the next start does not take the half of it for the whole.
func TestStopWhileGitIsSlow(t *testing.T) {
	dir, folder := t.TempDir(), t.TempDir()
	running := filepath.Join(dir, "running")
	gitIn(t, folder, "init", "-q")
	for name, text := range map[string]string{".gitattributes": "*.slow filter=slow\n", "a.slow": "text\n", "z": "last\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	gitIn(t, folder, "add", ".")
	gitIn(t, folder, "commit", "-q", "-m", "first")
	gitIn(t, folder, "config", "filter.slow.smudge", script(t, filepath.Join(dir, "slow"), "cat\n[ -e '"+running+"' ] || { touch '"+running+"'; sleep 30; }\n"))
	a := fakeApp(t)
	p, err := a.AddProject(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	id := a.inWorktree(p.ID, "")
	a.until("git to check out", func() bool { return exists(running) })
	if took := a.stopped(id); took > soon {
		t.Errorf("stopping took %v", took)
	}
	if err := a.StartSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.inState(id, session.Ready)
	place, err := a.Place(t.Context(), id)
	if err != nil || place.Dirty || !exists(filepath.Join(place.Folder, "z")) {
		t.Errorf("%+v %v", place, err)
	}
}

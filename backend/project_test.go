package backend

import (
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"kandev/backend/builtin"
	"kandev/backend/executor"
	"kandev/backend/project"
	"kandev/backend/session"
)

// TestRemoveProject: not under a running agent; then it goes with its tasks and
// sessions, nothing new begins in it, and it is not back after a restart.
func TestRemoveProject(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	id := a.begin(mannerPlain, "hello")
	a.inState(id, session.Ready)
	p := project.ID(a.row(id).Project)
	h := a.bound(id)
	if err := a.RemoveProject(t.Context(), p); !errors.Is(err, ErrProjectLive) {
		t.Fatalf("%v", err)
	}
	a.say(id, "hello") // it stays as it was
	a.inState(id, session.Ready)
	if err := a.StopSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := a.RemoveProject(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if err := a.StartSession(t.Context(), id); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("a start: %v", err)
	}
	if _, err := a.NewSession(t.Context(), NewSession{Project: p, Agent: "fake-" + mannerPlain}); !errors.Is(err, project.ErrNotFound) {
		t.Errorf("a new session: %v", err)
	}
	if _, _, err := h.Create(t.Context(), builtin.NewTask{Title: "late"}); err == nil {
		t.Error("a task came into a project that is gone")
	}
	if err := a.RemoveProject(t.Context(), p); !errors.Is(err, project.ErrNotFound) {
		t.Errorf("again: %v", err)
	}
	if err := a.writer.Flush(t.Context()); err != nil || a.noticed() {
		t.Errorf("%v", err)
	}
	a.quit()
	for _, left := range openApp(t, home, fakes).Snapshot().Projects {
		if left.ID == string(p) {
			t.Error("it is back after a restart")
		}
	}
}

func (a *testApp) storage() Storage {
	a.t.Helper()
	s, err := a.Storage(a.t.Context())
	if err != nil {
		a.t.Fatal(err)
	}
	return s
}

// TestProjectSizes: what is stored of each project, which a removal takes away;
// worktrees are counted apart and named when their project goes.
func TestProjectSizes(t *testing.T) {
	a := fakeApp(t)
	small, big := a.project(), a.project()
	committed(t, small.Path)
	for p, prompt := range map[project.ID]string{small.ID: "hello", big.ID: strings.Repeat("much ", 50_000)} {
		id, err := a.NewSession(t.Context(), NewSession{
			Project: p, Agent: "fake-" + mannerPlain, Prompt: prompt,
			Executor: map[project.ID]string{small.ID: executor.Worktree}[p],
		})
		if err != nil {
			t.Fatal(err)
		}
		a.said(id, "you said")
		a.inState(id, session.Ready)
		if err := a.StopSession(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.writer.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	sizes := func() map[project.ID]ProjectSize {
		out := map[project.ID]ProjectSize{}
		for _, s := range a.storage().Projects {
			out[s.ID] = s
		}
		return out
	}
	got := sizes()
	if s := got[big.ID]; s.Bytes < 250_000 || s.Sessions != 1 {
		t.Errorf("%+v", s)
	}
	if s := got[small.ID]; s.Bytes < 10 || s.Bytes > 100_000 {
		t.Errorf("%+v", s)
	}
	if a.storage().Worktrees == 0 {
		t.Error("the worktree is not counted")
	}
	for _, id := range []project.ID{small.ID, big.ID} {
		if err := a.RemoveProject(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	if _, there := sizes()[big.ID]; there {
		t.Error("still measured")
	}
	var kept string
	for _, n := range a.Snapshot().Notices {
		if n.ID == keptNotice+string(small.ID) {
			kept = n.Text
		}
	}
	if !strings.Contains(kept, a.path("worktrees")) || !strings.Contains(kept, "branch kandev/") {
		t.Errorf("the worktree is not named: %q", kept)
	}
	a.DismissNotice(noticeStore) // is not the person's to close
	a.DismissNotice(keptNotice + string(small.ID))
	for _, n := range a.Snapshot().Notices {
		t.Errorf("still there: %+v", n)
	}
}

// TestModes: the data folder is for its owner alone.
func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes are those of unix")
	}
	home := filepath.Join(t.TempDir(), "home")
	a := openApp(t, home, fakes, func(o *Options) { o.Log = nil })
	id := a.begin(mannerPlain, "hello")
	a.inState(id, session.Ready)
	err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return nil // gone meanwhile
		}
		if want := map[bool]fs.FileMode{true: 0o700, false: 0o600}[d.IsDir()]; info.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o", path, info.Mode().Perm(), want)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

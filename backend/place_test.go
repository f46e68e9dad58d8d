package backend

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kandev/backend/executor"
	"kandev/backend/project"
	"kandev/backend/session"
)

// committed makes a folder a repository with one commit.
func committed(t *testing.T, folder string) {
	t.Helper()
	gitIn(t, folder, "init", "--quiet")
	gitIn(t, folder, "commit", "--quiet", "--allow-empty", "-m", "first")
}

func gitIn(t *testing.T, folder string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	cmd := exec.Command("git", append([]string{"-C", folder, "-c", "user.name=T", "-c", "user.email=t@example.invalid"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// inWorktree begins a session of a project in a worktree of its own.
func (a *testApp) inWorktree(p project.ID, prompt string) session.ID {
	a.t.Helper()
	id, err := a.NewSession(a.t.Context(), NewSession{Project: p, Agent: "fake-" + mannerPlain, Prompt: prompt, Executor: executor.Worktree})
	if err != nil {
		a.t.Fatal(err)
	}
	return id
}

// TestWorktreeSession: two agents of one project do not meet; a worktree with
// work in it stays whatever is asked, a clean one goes when it is asked for.
func TestWorktreeSession(t *testing.T) {
	a := fakeApp(t)
	p := a.project()
	committed(t, p.Path)
	var ids []session.ID
	for range 2 {
		ids = append(ids, a.inWorktree(p.ID, "bearer"))
	}
	var places []executor.Place
	for _, id := range ids {
		a.inState(id, session.Ready)
		a.until("the agent wrote its file", func() bool {
			place, err := a.Place(t.Context(), id)
			return err == nil && place.Dirty
		})
		place, _ := a.Place(t.Context(), id)
		places = append(places, place)
		if _, err := os.Stat(filepath.Join(place.Folder, "bearer")); err != nil || !place.Own || a.row(id).Executor != executor.Worktree {
			t.Errorf("%+v, %v", place, err)
		}
	}
	if _, err := os.Stat(filepath.Join(p.Path, "bearer")); err == nil || places[0].Folder == places[1].Folder {
		t.Error("the agents met")
	}
	id, place := ids[0], places[0]
	if err := a.RemovePlace(t.Context(), id); !errors.Is(err, session.ErrLive) {
		t.Errorf("under a running agent: %v", err)
	}
	if err := a.StopSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := a.RemovePlace(t.Context(), id); !errors.Is(err, executor.ErrDirty) {
		t.Errorf("with work in it: %v", err)
	}
	if err := os.Remove(filepath.Join(place.Folder, "bearer")); err != nil {
		t.Fatal(err)
	}
	if err := a.RemovePlace(t.Context(), id); err != nil {
		t.Error(err)
	}
	if now, err := a.Place(t.Context(), id); err != nil || now.Exists {
		t.Errorf("%+v, %v", now, err)
	}
	if err := a.StartSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.inState(id, session.Ready)
	if err := a.DeleteSession(t.Context(), ids[1]); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(places[1].Folder, "bearer")); err != nil {
		t.Errorf("deleting the session deleted its work: %v", err)
	}
	named := false
	for _, n := range a.Snapshot().Notices {
		named = named || strings.Contains(n.Text, places[1].Folder)
	}
	if !named {
		t.Errorf("%+v", a.Snapshot().Notices)
	}
}

// TestNoWorktree: a folder outside of any repository, and an executor nobody knows.
func TestNoWorktree(t *testing.T) {
	a := fakeApp(t)
	p := a.project()
	if _, err := a.NewSession(t.Context(), NewSession{Project: p.ID, Agent: "fake-" + mannerPlain, Executor: "cloud"}); !errors.Is(err, executor.ErrUnknown) {
		t.Errorf("%v", err)
	}
	id := a.inWorktree(p.ID, "")
	a.inState(id, session.Failed)
	if notes := a.notes(id); !strings.Contains(notes, "needs a git repository") {
		t.Errorf("%q", notes)
	}
	local := a.begin(mannerPlain, "")
	if place, err := a.Place(t.Context(), local); err != nil || place.Own || !place.Exists {
		t.Errorf("%+v, %v", place, err)
	}
}

// TestKeptWithoutItsProject: the worktree of a session is named when it goes, also
// when its project's folder has vanished and git can say nothing about it.
func TestKeptWithoutItsProject(t *testing.T) {
	a := fakeApp(t)
	p := a.project()
	committed(t, p.Path)
	var ids []session.ID
	for range 2 {
		id := a.inWorktree(p.ID, "")
		a.inState(id, session.Ready)
		if err := a.StopSession(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := os.Rename(p.Path, p.Path+" moved"); err != nil {
		t.Fatal(err)
	}
	if err := a.DeleteSession(t.Context(), ids[0]); err != nil {
		t.Fatal(err)
	}
	if err := a.RemoveProject(t.Context(), p.ID); err != nil {
		t.Fatal(err)
	}
	kept := map[string]string{}
	for _, n := range a.Snapshot().Notices {
		kept[n.ID] = n.Text
	}
	for owner, id := range map[string]session.ID{string(ids[0]): ids[0], string(p.ID): ids[1]} {
		if text := kept[keptNotice+owner]; !strings.Contains(text, a.path("worktrees", string(id))) || !strings.Contains(text, "kandev/"+string(id)) {
			t.Errorf("the worktree of %s is not named: %q", id, text)
		}
	}
}

package backend

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kandev/backend/event"
	"kandev/backend/project"
	"kandev/backend/session"
)

// TestAddProject: a folder is one project, by whatever path it is named; what
// is no folder is refused with its path.
func TestAddProject(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	a := fakeApp(t)
	folder := filepath.Join(home, "Ünï côde dir")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	want, err := a.AddProject(t.Context(), folder)
	if err != nil || want.Name != "Ünï côde dir" {
		t.Fatalf("%+v (%v)", want, err)
	}
	link := filepath.Join(home, "link")
	if err := os.Symlink(folder, link); err != nil {
		t.Skip(err)
	}
	for _, same := range []string{folder + string(filepath.Separator), filepath.Join(home, "x", "..", "Ünï côde dir"), link, "~/Ünï côde dir"} {
		if p, err := a.AddProject(t.Context(), same); err != nil || p.ID != want.ID {
			t.Errorf("%q: %+v (%v)", same, p, err)
		}
	}
	file := filepath.Join(home, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, none := range []string{"", "relative", "./x", "~other/x", file, filepath.Join(home, "not there")} {
		if p, err := a.AddProject(t.Context(), none); !errors.Is(err, project.ErrFolder) {
			t.Errorf("%q: %+v (%v)", none, p, err)
		}
	}
}

// TestOrderWithoutTheClock: a project that is used after the clock was set back
// is the one used last all the same.
func TestOrderWithoutTheClock(t *testing.T) {
	var back atomic.Int64
	a := fakeApp(t, func(o *Options) { o.Now = func() time.Time { return time.Now().Add(-time.Duration(back.Load())) } })
	first, second := a.project(), a.project()
	for n, used := range []project.ID{first.ID, second.ID, first.ID} {
		back.Add(int64(time.Hour))
		if _, err := a.NewSession(t.Context(), NewSession{Project: used, Agent: "fake-" + mannerPlain}); err != nil {
			t.Fatal(err)
		}
		if got := a.Snapshot().Projects[0].ID; got != string(used) {
			t.Errorf("use %d: %s stands first, %s was used", n, got, used)
		}
	}
}

// TestLookAtFolders: one that does not answer, as on a share that is away, holds
// nobody longer than the limit, and nothing is said of it. It is looked at once,
// however often one asks meanwhile.
func TestLookAtFolders(t *testing.T) {
	hangs := make(chan struct{})
	defer close(hangs)
	var waiting atomic.Int64
	look := func(path string) bool {
		if path == "away" {
			waiting.Add(1)
			<-hangs
		}
		return path == "here"
	}
	began := time.Now()
	var l looks
	there := l.at([]string{"here", "away", "gone"}, 200*time.Millisecond, look)
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	if gone, answered := there["gone"]; len(there) != 2 || !there["here"] || gone || !answered {
		t.Errorf("%v", there)
	}
	for range 3 {
		if again := l.at([]string{"here", "away"}, 200*time.Millisecond, look); len(again) != 1 || !again["here"] {
			t.Errorf("asked again: %v", again)
		}
	}
	if n := waiting.Load(); n != 1 {
		t.Errorf("%d wait for one folder", n)
	}
}

// nextMilli waits until what happens now has another time than what was.
func (a *testApp) nextMilli() {
	was := time.Now().UnixMilli()
	a.until("another millisecond", func() bool { return time.Now().UnixMilli() > was })
}

// TestLastUsed: the project that was used last is first, with the agent that
// was used in it, also after a restart.
func TestLastUsed(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	first := a.project()
	a.nextMilli()
	second := a.project()
	a.nextMilli()
	names := func(a *testApp) (ids []string) {
		for _, p := range a.Snapshot().Projects {
			if !p.Sample {
				ids = append(ids, p.ID)
			}
		}
		return ids
	}
	if want := []string{string(second.ID), string(first.ID)}; !slices.Equal(names(a), want) {
		t.Errorf("%v, want %v", names(a), want)
	}
	if _, err := a.NewSession(t.Context(), NewSession{Project: first.ID, Agent: "fake-" + mannerPlain}); err != nil {
		t.Fatal(err)
	}
	want := []string{string(first.ID), string(second.ID)}
	if !slices.Equal(names(a), want) {
		t.Errorf("%v, want %v", names(a), want)
	}
	a.quit()
	b := openApp(t, home, fakes)
	if !slices.Equal(names(b), want) {
		t.Errorf("after a restart %v, want %v", names(b), want)
	}
	for _, p := range b.Snapshot().Projects {
		if p.ID == string(first.ID) && p.Agent != "fake-"+mannerPlain {
			t.Errorf("the agent used last is %q", p.Agent)
		}
	}
}

// TestVanishedFolder: the project stays listed and says so; nothing starts in
// it, with a sentence; it works again when the folder is back.
func TestVanishedFolder(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "")
	a.inState(id, session.Ready)
	if err := a.StopSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	p := project.ID(a.row(id).Project)
	missing := func() bool {
		a.CheckProjects()
		for _, v := range a.Snapshot().Projects {
			if v.ID == string(p) {
				return v.Missing
			}
		}
		t.Fatal("the project is not listed")
		return false
	}
	folder := a.folder(id)
	if missing() {
		t.Error("not there before it vanished")
	}
	if err := os.Rename(folder, folder+" moved"); err != nil {
		t.Fatal(err)
	}
	if _, err := a.NewSession(t.Context(), NewSession{Project: p, Agent: "fake-" + mannerPlain}); !errors.Is(err, project.ErrFolder) {
		t.Errorf("a new session: %v", err)
	}
	if !missing() {
		t.Error("not said to be missing")
	}
	if err := os.Rename(folder+" moved", folder); err != nil {
		t.Fatal(err)
	}
	if missing() {
		t.Error("it is back")
	}
	if err := os.Rename(folder, folder+" moved"); err != nil {
		t.Fatal(err)
	}
	if err := a.StartSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.inState(id, session.Failed)
	if v := a.Snapshot().Projects; !slices.ContainsFunc(v, func(v event.Project) bool { return v.ID == string(p) && v.Missing }) {
		t.Error("a start that failed for it does not say so")
	}
	if reason := a.row(id).Reason; reason != "The project's folder is not there any more. Choose it again in the project menu, then start the session again." {
		t.Errorf("%q", reason)
	}
	if err := os.Rename(folder+" moved", folder); err != nil {
		t.Fatal(err)
	}
	if missing() {
		t.Error("still missing")
	}
	if err := a.StartSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.inState(id, session.Ready)
}

// TestMoveProject: a project whose folder was moved is given the new one, and its
// sessions work there; a folder of another project is refused.
func TestMoveProject(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	id := a.begin(mannerPlain, "")
	a.inState(id, session.Ready)
	if err := a.StopSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	p, folder := project.ID(a.row(id).Project), a.folder(id)
	moved := folder + " moved"
	if err := os.Rename(folder, moved); err != nil {
		t.Fatal(err)
	}
	a.CheckProjects()
	if _, err := a.MoveProject(p, folder); !errors.Is(err, project.ErrFolder) {
		t.Errorf("to what is not there: %v", err)
	}
	if _, err := a.MoveProject(p, a.project().Path); !errors.Is(err, project.ErrTaken) {
		t.Errorf("to another project's: %v", err)
	}
	if _, err := a.MoveProject("p_none", moved); !errors.Is(err, project.ErrNotFound) {
		t.Errorf("an unknown one: %v", err)
	}
	got, err := a.MoveProject(p, moved)
	if err != nil || got.ID != p || got.Path != moved || got.Name != filepath.Base(moved) {
		t.Fatalf("%+v (%v)", got, err)
	}
	for _, v := range a.Snapshot().Projects {
		if v.ID == string(p) && v.Missing {
			t.Error("still called missing")
		}
	}
	if err := a.StartSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.inState(id, session.Ready)
	a.quit()
	if after := openApp(t, home, fakes).projects[p]; after.Path != moved {
		t.Errorf("after a restart %+v", after)
	}
}

// TestArchive: not under a live agent; then the session is hidden and kept.
func TestArchive(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	id := a.begin(mannerPlain, "hello")
	a.said(id, "you said hello")
	a.inState(id, session.Ready)
	if err := a.ArchiveSession(id, true); !errors.Is(err, session.ErrLive) {
		t.Errorf("%v", err)
	}
	if err := a.StopSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := a.ArchiveSession(id, true); err != nil {
		t.Fatal(err)
	}
	a.quit()
	b := openApp(t, home, fakes)
	if !b.row(id).Archived || len(b.items(id)) == 0 {
		t.Errorf("%+v", b.row(id))
	}
	if err := b.ArchiveSession(id, false); err != nil || b.row(id).Archived {
		t.Errorf("brought back: %v", err)
	}
}

// TestProjectAddedAgain: a folder that is added while its project is removed is a
// new project, the old one is gone, and both are so after a restart.
func TestProjectAddedAgain(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	for range 5 {
		id := a.begin(mannerPlain, "")
		a.inState(id, session.Ready)
		if err := a.StopSession(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		old, folder := project.ID(a.row(id).Project), a.folder(id)
		removed := make(chan error, 1)
		go func() { removed <- a.RemoveProject(context.Background(), old) }()
		var p project.Project
		a.until("a new project", func() (ok bool) {
			var err error
			if p, err = a.AddProject(t.Context(), folder); err != nil {
				t.Fatal(err)
			}
			return p.ID != old
		})
		if err := <-removed; err != nil {
			t.Fatal(err)
		}
		a.quit()
		a = openApp(t, home, fakes)
		if _, there := a.projects[old]; there || a.projects[p.ID].Path != folder {
			t.Fatalf("after a restart the old one is there: %v, the new one %+v", there, a.projects[p.ID])
		}
	}
}

// TestProjectStays: one that cannot be removed, since an agent runs in it, is not
// off the list for a moment, in which its folder could become another project.
func TestProjectStays(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "")
	a.inState(id, session.Ready)
	p, folder := project.ID(a.row(id).Project), a.folder(id)
	enough, tries := make(chan struct{}), sync.WaitGroup{}
	tries.Go(func() {
		for !isClosed(enough) {
			if _, err := a.leaveProject(p); !errors.Is(err, ErrProjectLive) {
				t.Error(err)
				return
			}
		}
	})
	for range 1000 {
		if got, err := a.AddProject(t.Context(), folder); err != nil || got.ID != p {
			t.Errorf("%+v (%v)", got, err)
			break
		}
	}
	close(enough)
	tries.Wait()
	// A session that goes already is not let start again by a removal that fails.
	c := a.conversation(id)
	other, err := a.NewSession(t.Context(), NewSession{Project: p, Agent: "fake-" + mannerPlain})
	if err != nil {
		t.Fatal(err)
	}
	a.inState(other, session.Ready)
	c.remove(true)
	if err := a.StopSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if _, err := a.leaveProject(p); err == nil {
		t.Error("it left")
	}
	if err := a.StartSession(t.Context(), id); !errors.Is(err, session.ErrRemoving) {
		t.Errorf("a session that goes was started: %v", err)
	}
}

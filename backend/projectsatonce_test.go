package backend

import (
	"context"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"kandev/backend/project"
	"kandev/backend/session"
)

// roots are the projects by id, with their folders.
func (a *testApp) roots() map[project.ID]string {
	a.Backend.mu.Lock()
	defer a.Backend.mu.Unlock()
	out := map[project.ID]string{}
	for id, p := range a.projects {
		out[id] = p.Path
	}
	return out
}

// TestProjectsAtOnce: whatever is added, moved, removed and begun side by side, a
// folder is one project, a session has its project, and the file holds what memory
// does.
func TestProjectsAtOnce(t *testing.T) {
	home, ctx := t.TempDir(), context.Background()
	a := openApp(t, home, fakes)
	var folders []string
	for range 4 {
		folders = append(folders, t.TempDir())
	}
	var wg sync.WaitGroup
	for n := range 4 {
		r := rand.New(rand.NewPCG(uint64(n), 7))
		one := func(all []string) string { return all[r.IntN(len(all))] }
		wg.Go(func() {
			for range 60 {
				ids, sessions := []string{"p_none"}, []string{"s_none"}
				for id := range a.roots() {
					ids = append(ids, string(id))
				}
				for _, c := range a.all() {
					sessions = append(sessions, string(c.row.ID))
				}
				switch p, s := project.ID(one(ids)), session.ID(one(sessions)); r.IntN(6) { // most are refused now and then
				case 0:
					_, _ = a.AddProject(ctx, one(folders))
				case 1:
					_, _ = a.MoveProject(p, one(folders))
				case 2:
					_ = a.RemoveProject(ctx, p)
				case 3:
					_, _ = a.NewSession(ctx, NewSession{Project: p, Agent: "fake-" + mannerPlain, Prompt: "hello"})
				case 4:
					_ = a.DeleteSession(ctx, s)
				case 5:
					_ = a.StopSession(ctx, s)
				}
			}
		})
	}
	wg.Wait()
	want, sessions := a.roots(), a.all()
	if paths := slices.Sorted(maps.Values(want)); len(slices.Compact(paths)) != len(want) {
		t.Errorf("two projects of one folder: %v", want)
	}
	for _, c := range sessions {
		if want[c.row.Project] == "" {
			t.Errorf("%s is of no project", c.row.ID)
		}
	}
	if err := a.writer.Flush(t.Context()); err != nil || a.noticed() {
		t.Errorf("not stored: %v", err)
	}
	a.quit()
	b := openApp(t, home, fakes)
	got := b.roots()
	maps.DeleteFunc(got, func(id project.ID, path string) bool { // of a start that found nothing
		return want[id] == "" && filepath.Base(path) == "sample"
	})
	if !maps.Equal(got, want) {
		t.Errorf("stored %v, want %v", got, want)
	}
	for _, c := range sessions {
		if b.row(c.row.ID).ID == "" {
			t.Errorf("%s is lost", c.row.ID)
		}
	}
}

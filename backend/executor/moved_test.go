package executor

import (
	"os"
	"path/filepath"
	"testing"
)

// TestMovedRepository: a worktree of a repository that was moved is a worktree of
// it still, with what is in it, and can be looked at and removed.
func TestMovedRepository(t *testing.T) {
	s, host := repository(t), hostOfTest()
	folder, err := workDir(t.Context(), s, host)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "a.txt")
	put(t, file, "work")
	move(t, &s)
	if p := where(t, s); !p.Exists || !p.Dirty || p.Branch != "kandev/s_1" {
		t.Errorf("%+v", p)
	}
	move(t, &s)
	if again, err := workDir(t.Context(), s, host); err != nil || again != folder {
		t.Fatalf("%s (%v)", again, err)
	}
	run(t, folder, "commit", "--quiet", "--all", "-m", "second")
	if p := where(t, s); p.Dirty || p.Commits != 1 {
		t.Errorf("%+v", p)
	}
	move(t, &s)
	if err := Remove(t.Context(), s, host); err != nil || isFolder(filepath.Join(s.Worktrees, "s_1")) {
		t.Errorf("not removed: %v", err)
	}
}

// move gives the repository another name, as a person does who then chooses the
// project's folder again.
func move(t *testing.T, s *Spec) {
	t.Helper()
	old := filepath.Dir(s.Project.Path)
	if err := os.Rename(old, old+" moved"); err != nil {
		t.Fatal(err)
	}
	s.Project.Path = filepath.Join(old+" moved", "sub")
}

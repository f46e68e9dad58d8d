package executor

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"kandev/backend/agentctl"
	"kandev/backend/proc"
	"kandev/backend/project"
	"kandev/backend/session"
)

// TestMain makes the test binary its own guard.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "guard" {
		os.Exit(proc.Guard())
	}
	if err := os.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE")); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func hostOfTest() agentctl.Host {
	return agentctl.Host{Guard: []string{os.Args[0], "guard"}, Getenv: os.LookupEnv}
}

// run runs git as a person does.
func run(t *testing.T, folder string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=T", "-c", "user.email=t@example.invalid"}, args...)...)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
		err = os.WriteFile(path, []byte(content), 0o600)
		if err == nil {
			return
		}
	}
	t.Fatalf("%s cannot be written", path)
}

// repository is a project in a sub-folder of a repository with one commit.
func repository(t *testing.T) Spec {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	top := filepath.Join(t.TempDir(), "it's a project")
	put(t, filepath.Join(top, "sub", "a.txt"), "one")
	put(t, filepath.Join(top, ".gitignore"), "ignored\n")
	run(t, top, "init", "--quiet")
	run(t, top, "add", ".")
	run(t, top, "commit", "--quiet", "-m", "first")
	return Spec{
		Session: session.Session{ID: "s_1", Executor: Worktree}, Project: project.Project{Path: filepath.Join(top, "sub")},
		Environment: []string{"PATH", "HOME"}, Worktrees: filepath.Join(t.TempDir(), "worktrees"),
	}
}

func where(t *testing.T, s Spec) Place {
	t.Helper()
	p, err := Where(t.Context(), s, hostOfTest())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestWorktree: made once, on a branch of its own, found again, told apart from
// the project; dirty it stays, clean it goes, and a branch with commits is kept.
func TestWorktree(t *testing.T) {
	s, host := repository(t), hostOfTest()
	t.Setenv("GIT_DIR", "/nowhere") // of a shell that the app was started from
	if p := where(t, s); p.Exists || p.Branch != "kandev/s_1" {
		t.Errorf("%+v", p)
	}
	for range 2 {
		folder, err := workDir(t.Context(), s, host)
		if err != nil {
			t.Fatal(err)
		}
		if want := filepath.Join(s.Worktrees, "s_1", "sub"); folder != want {
			t.Fatalf("%s, want %s", folder, want)
		}
	}
	if err := os.Unsetenv("GIT_DIR"); err != nil {
		t.Fatal(err)
	}
	tree := filepath.Join(s.Worktrees, "s_1")
	file := filepath.Join(tree, "sub", "a.txt")
	put(t, file, "two")
	if b, _ := os.ReadFile(filepath.Join(s.Project.Path, "a.txt")); string(b) != "one" {
		t.Error("the project's own file changed")
	}
	for _, dirty := range []string{file, filepath.Join(tree, "untracked", "x")} {
		run(t, tree, "checkout", "--quiet", ".")
		put(t, dirty, "new")
		if p := where(t, s); !p.Dirty || !p.Exists || !p.Own {
			t.Errorf("%+v", p)
		}
		if err := Remove(t.Context(), s, host); !errors.Is(err, ErrDirty) {
			t.Errorf("a dirty worktree: %v", err)
		}
		if b, err := os.ReadFile(dirty); string(b) != "new" {
			t.Fatalf("work is lost: %v", err)
		}
	}
	run(t, tree, "add", ".")
	run(t, tree, "commit", "--quiet", "-m", "second")
	put(t, filepath.Join(tree, "ignored"), "x")
	p := where(t, s)
	if want := `git -C '` + strings.ReplaceAll(s.Project.Path, "'", `'\''`) + `' merge kandev/s_1`; p.Dirty || p.Commits != 1 || p.Merge != want {
		t.Errorf("%+v", p)
	}
	if err := Remove(t.Context(), s, host); err != nil {
		t.Fatal(err)
	}
	if p := where(t, s); p.Exists {
		t.Errorf("%+v", p)
	}
	if _, err := workDir(t.Context(), s, host); err != nil { // from its branch again
		t.Fatal(err)
	}
	if p := where(t, s); !p.Exists || p.Commits != 1 {
		t.Errorf("%+v", p)
	}
}

// TestWorktreeGone: a folder that was deleted by hand is made again, and one
// without commits of its own leaves no branch.
func TestWorktreeGone(t *testing.T) {
	s, host := repository(t), hostOfTest()
	for range 2 {
		if _, err := workDir(t.Context(), s, host); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(s.Worktrees, "s_1")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := workDir(t.Context(), s, host); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := Remove(t.Context(), s, host); err != nil {
			t.Fatal(err)
		}
	}
	if got := run(t, s.Project.Path, "branch", "--list", "kandev/*"); got != "" {
		t.Errorf("left: %s", got)
	}
}

// TestRemovedWhileLooked: a worktree that goes between two looks of git is gone,
// which is no fault of git's.
func TestRemovedWhileLooked(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the git of this test is a shell script")
	}
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	for _, after := range []string{"status", "rev-parse", "symbolic-ref", "rev-list"} {
		s := repository(t)
		if _, err := workDir(t.Context(), s, hostOfTest()); err != nil {
			t.Fatal(err)
		}
		bin := t.TempDir()
		put(t, filepath.Join(bin, "git"), "#!/bin/sh\n'"+real+"' \"$@\"\ncode=$?\n[ \"$1\" != "+after+" ] || rm -rf '"+treeOf(s)+"'\nexit $code\n")
		if err := os.Chmod(filepath.Join(bin, "git"), 0o700); err != nil {
			t.Fatal(err)
		}
		t.Run(after, func(t *testing.T) {
			t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
			p, err := Where(t.Context(), s, hostOfTest())
			if err != nil || isFolder(treeOf(s)) || after != "rev-list" && p.Exists {
				t.Errorf("%+v %v", p, err)
			}
		})
	}
}

// TestNoRepository: a folder outside of any, and a repository without a commit.
func TestNoRepository(t *testing.T) {
	s := repository(t)
	plain := t.TempDir()
	empty := t.TempDir()
	run(t, empty, "init", "--quiet")
	for _, folder := range []string{plain, empty} {
		s.Project.Path = folder
		if _, err := workDir(t.Context(), s, hostOfTest()); !errors.Is(err, ErrNoRepository) {
			t.Errorf("%v", err)
		}
	}
	s.Environment = nil // no PATH, no git
	s.Project.Path = plain
	if _, err := workDir(t.Context(), s, hostOfTest()); !errors.Is(err, ErrNoGit) {
		t.Errorf("%v", err)
	}
}

// TestKilledWhileMade: a worktree that git was killed over is made anew, not
// taken for a whole one.
func TestKilledWhileMade(t *testing.T) {
	s := repository(t)
	killer := filepath.Join(t.TempDir(), "kill")
	put(t, killer, "#!/bin/sh\nkill -9 0\n")
	if err := os.Chmod(killer, 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(s.Project.Path, "z.slow"), "last\n")
	put(t, filepath.Join(s.Project.Path, ".gitattributes"), "*.slow filter=slow\n")
	run(t, s.Project.Path, "add", ".")
	run(t, s.Project.Path, "commit", "--quiet", "-m", "second")
	run(t, s.Project.Path, "config", "filter.slow.smudge", killer)
	// In a session of its own, which the filter kills whole.
	cmd := exec.Command("setsid", "git", "worktree", "add", "--quiet", "-b", branchOf(s), treeOf(s), "HEAD")
	cmd.Dir = s.Project.Path
	if out, err := cmd.CombinedOutput(); err == nil {
		t.Skipf("git could not be killed here: %s", out)
	}
	if !isFolder(treeOf(s)) {
		t.Skip("git left nothing")
	}
	run(t, s.Project.Path, "config", "filter.slow.smudge", "cat")
	folder, err := workDir(t.Context(), s, hostOfTest())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(folder, "z.slow")); err != nil || where(t, s).Dirty {
		t.Errorf("the worktree is not whole: %v %+v", err, where(t, s))
	}
}

// TestAgentLeavesItsBranch: an agent renames its branch, makes another one, or
// works on none. The window says what is checked out, and no commit is lost.
func TestAgentLeavesItsBranch(t *testing.T) {
	for name, c := range map[string]struct {
		does   [][]string
		branch string
		dirty  bool
	}{
		"renames it":      {[][]string{{"branch", "-m", "feature/x"}, {"commit", "--quiet", "--allow-empty", "-m", "second"}}, "feature/x", false},
		"makes another":   {[][]string{{"checkout", "--quiet", "-b", "it's"}, {"commit", "--quiet", "--allow-empty", "-m", "second"}}, "it's", false},
		"works on none":   {[][]string{{"checkout", "--quiet", "--detach"}, {"commit", "--quiet", "--allow-empty", "-m", "second"}}, "(none, at ", true},
		"commits, leaves": {[][]string{{"commit", "--quiet", "--allow-empty", "-m", "second"}, {"checkout", "--quiet", "--detach"}}, "(none, at ", false},
	} {
		t.Run(name, func(t *testing.T) {
			s, host := repository(t), hostOfTest()
			if _, err := workDir(t.Context(), s, host); err != nil {
				t.Fatal(err)
			}
			for _, args := range c.does {
				run(t, treeOf(s), args...)
			}
			commit := run(t, treeOf(s), "rev-parse", "HEAD")
			p := where(t, s)
			if !strings.HasPrefix(p.Branch, c.branch) || p.Dirty != c.dirty || p.Commits != 1 || p.Merge == "" {
				t.Errorf("%+v", p)
			}
			err := Remove(t.Context(), s, host)
			if errors.Is(err, ErrDirty) != c.dirty || err != nil && !c.dirty {
				t.Fatal(err)
			}
			if found := run(t, s.Project.Path, "branch", "--all", "--contains", commit); found == "" && !c.dirty {
				t.Error("the commit is on no branch any more")
			}
		})
	}
}

// TestMuchIsDirty: more changes than are read of git's answer are changes too.
func TestMuchIsDirty(t *testing.T) {
	s := repository(t)
	if _, err := workDir(t.Context(), s, hostOfTest()); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 240)
	for n := range maxGitOutput/240 + 100 {
		put(t, filepath.Join(treeOf(s), "many", long+strconv.Itoa(n)), "")
	}
	if p := where(t, s); !p.Dirty {
		t.Errorf("%+v", p)
	}
}

//go:build linux || darwin

package backend

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kandev/backend/agent"
	"kandev/backend/attach"
	"kandev/backend/executor"
	"kandev/backend/session"
)

// oddSelf is this program in a folder of an odd name.
func oddSelf(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "kandev desktop")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if os.Link(self, path) == nil {
		return path
	}
	from, err := os.Open(self)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o700)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(to, from)
	if err = closing(to, err); err != nil {
		t.Fatal(err)
	}
	return path
}

func closing(c io.Closer, err error) error {
	if closeErr := c.Close(); err == nil {
		err = closeErr
	}
	return err
}

// TestOddPaths is case 93, with 92: the app, its data, the project and the agent
// lie in folders with blanks, quotes and letters of any script, and PATH is
// empty: the login shell has one. A session works in the folder and in a worktree of it, a command runs
// in a terminal, the database is there again, and no process is left.
func TestOddPaths(t *testing.T) {
	root := filepath.Join(t.TempDir(), "Ünï côde dir", "Анна Б", "it's \"here\" $HOME; 100%")
	home, folder, programs := filepath.Join(root, "data"), filepath.Join(root, "project"), filepath.Join(root, "programs")
	for _, dir := range []string{home, folder, programs} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git here")
	}
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command(git, append([]string{"-c", "user.name=T", "-c", "user.email=t@example.invalid"}, args...)...)
		cmd.Dir = folder
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	run("init", "--quiet")
	run("commit", "--quiet", "--allow-empty", "-m", "first")
	self := oddSelf(t, programs)
	script(t, filepath.Join(root, "shell"), "PATH='"+filepath.Dir(git)+":/usr/bin:/bin'\nexport PATH\nexec /bin/sh -c \"$4\"\n")
	odd := func(o *Options) {
		fakes(o)
		o.Self, o.Log = []string{self}, nil
		o.Environ = append(slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, "PATH=") }), "PATH=", "HOME="+root, "SHELL="+filepath.Join(root, "shell"))
	}
	a := openApp(t, home, odd)
	id, err := a.SaveCustomAgent(t.Context(), CustomChange{Agent: agent.Custom{Name: "Ödd", Line: fmt.Sprintf("'%s' fake %s", strings.ReplaceAll(self, "'", `'\''`), mannerPlain)}})
	if err != nil {
		t.Fatal(err)
	}
	if f := a.found(id); f.Path != self {
		t.Errorf("%+v", f)
	}
	p, err := a.AddProject(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, where := range []string{executor.Local, executor.Worktree} {
		s, err := a.NewSession(t.Context(), NewSession{Project: p.ID, Agent: id, Executor: where})
		if err != nil {
			t.Fatal(err)
		}
		if where == executor.Worktree { // git is not in an empty PATH: said, not guessed
			a.until("the start to end", func() bool { return !session.State(a.row(s).State).Live() || a.row(s).State == string(session.Ready) })
			if a.row(s).State == string(session.Failed) {
				if notes := a.notes(s); !strings.Contains(notes, "git, which was not found") {
					t.Error(notes)
				}
				continue
			}
		}
		a.inState(s, session.Ready)
		a.counted(s)
		a.say(s, "term create {\"command\":\"/bin/sh\",\"args\":[\"-c\",\"pwd\"]}\nshow in_progress\nwait_for_exit {\"terminalId\":\"$T\"}")
		place, err := a.Place(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		real, _ := filepath.EvalSymlinks(place.Folder)
		a.until("its folder", func() bool { return a.terminal(s).Output == real+"\n" })
		a.inState(s, session.Ready)
	}
	a.quit()
	a = openApp(t, home, odd)
	n := 0
	for _, s := range a.Snapshot().Sessions {
		if s.Agent == id && s.AgentName == "Ödd 9" {
			n++
		}
	}
	if n == 0 || a.guarded() != 0 {
		t.Errorf("%d sessions are there again, %d processes", n, a.guarded())
	}
}

// TestNamesStay is cases 29 and 46: a client finds every tool under the same
// name, and with the same estimate, in each attempt: after a reset, a restart, a
// load and a start of the app.
func TestNamesStay(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	id := a.begin(mannerLoads, "hello")
	a.said(id, "you said hello")
	a.inState(id, session.Ready)
	names := func() string {
		a.counted(id)
		s := a.history(id).Current().Servers[0]
		var b bytes.Buffer
		fmt.Fprint(&b, s.Name, ":")
		for _, e := range s.Catalog.Entries {
			if e.Estimate == nil || *e.Estimate == 0 {
				t.Errorf("%s has no estimate", e.Served)
				continue
			}
			fmt.Fprintf(&b, " %s=%d", e.Served, *e.Estimate)
		}
		fmt.Fprintf(&b, " in all %d", *a.builtin(id).TokensTotal)
		return b.String()
	}
	first := names()
	if !strings.HasPrefix(first, attach.BuiltinServer+": ") || strings.Count(first, "_kandev") < 5 {
		t.Fatal(first)
	}
	same := func(when string) {
		t.Helper()
		a.inState(id, session.Ready)
		if got := names(); got != first {
			t.Errorf("%s: %s, not %s", when, got, first)
		}
	}
	if err := a.ResetSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.until("the reset", func() bool { return len(a.history(id).Attempts) == 2 })
	same("after a reset")
	if err := a.StopSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := a.StartSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	same("after a load")
	a.quit()
	a = openApp(t, home, fakes)
	if err := a.StartSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	same("after a start of the app")
}

// TestSixAtOnce is case 66: six sessions started together, before any window
// looks. A snapshot then shows each as it is: none stays "connecting".
func TestSixAtOnce(t *testing.T) {
	a := fakeApp(t)
	var ids []session.ID
	for range 6 {
		ids = append(ids, a.begin(mannerPlain, "hello"))
	}
	for _, id := range ids {
		a.said(id, "you said hello")
		a.inState(id, session.Ready)
		a.counted(id)
	}
}

//go:build linux || darwin

package backend

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kandev/backend/agent"
	"kandev/backend/proc"
	"kandev/backend/session"
)

// launchedBare is an app as a desktop launcher starts it: no PATH, and a login
// shell that adds none.
func launchedBare(t *testing.T, home string, more ...func(*Options)) *testApp {
	t.Helper()
	shell := script(t, filepath.Join(t.TempDir(), "shell"), "exit 1")
	return openApp(t, t.TempDir(), append([]func(*Options){func(o *Options) { o.Environ = []string{"HOME=" + home, "SHELL=" + shell} }}, more...)...)
}

func found(t *testing.T, a *testApp, id string) FoundAgent {
	t.Helper()
	for _, f := range a.Agents(t.Context()) {
		if f.ID == id {
			return f
		}
	}
	t.Fatalf("no agent %s", id)
	return FoundAgent{}
}

// TestFoundWithoutPath: an agent in the default version of nvm is found with an
// empty PATH, and started so that the node beside it is found.
// Case 92.
func TestFoundWithoutPath(t *testing.T) {
	home := filepath.Join(t.TempDir(), "Ünï côde dir")
	bin := filepath.Join(home, ".nvm", "versions", "node", "v20.2.0", "bin")
	tree(t, home, ".nvm/alias/default=20", ".nvm/versions/node/v24.0.0/bin")
	script(t, filepath.Join(home, ".nvm", "versions", "node", "v24.0.0", "bin", "auggie"), "echo auggie 9.9.9")
	script(t, filepath.Join(bin, "node"), "echo node")
	auggie := script(t, filepath.Join(bin, "auggie"), "echo auggie 0.36.0 in $PATH")
	a := launchedBare(t, home)
	f := found(t, a, "auggie")
	if !f.Installed || f.Path != auggie || f.Place != "nvm" {
		t.Errorf("found %+v", f)
	}
	a.until("its version", func() bool { return found(t, a, "auggie").Version == "0.36.0" })
	start, err := a.command(t.Context(), "auggie")
	if err != nil || start.argv[0] != auggie || !strings.HasPrefix(start.path+":", bin+":") {
		t.Errorf("started with %q, PATH %q, %v", start.argv, start.path, err)
	}
	find := Finder("", func(name string) (string, bool) { return home, name == "HOME" }) // as doctor looks
	if path, err := find("auggie"); err != nil || path != auggie {
		t.Errorf("without an app: %q, %v", path, err)
	}
	if path, err := find("absent-kandev"); !errors.Is(err, proc.ErrNotFound) {
		t.Errorf("what is not there: %q, %v", path, err)
	}
	if path, ok := a.getenvWith(start.path)("PATH"); !ok || path != start.path {
		t.Errorf("the child's PATH is %q", path)
	}
}

// TestNodeOfAnotherPlace: an agent that is installed apart from any node gets
// the one of another place behind its own folder.
func TestNodeOfAnotherPlace(t *testing.T) {
	home := t.TempDir()
	script(t, filepath.Join(home, ".bun", "bin", "auggie"), "")
	script(t, filepath.Join(home, ".nvm", "versions", "node", "v20.2.0", "bin", "node"), "")
	p := programs{folders: places{goos: "linux", home: home, getenv: func(string) (string, bool) { return "", false }}.folders()}
	auggie, err := p.find("auggie")
	if err != nil || auggie.place != "bun" {
		t.Fatalf("%+v, %v", auggie, err)
	}
	want := filepath.Join(home, ".bun", "bin") + ":" + filepath.Join(home, ".nvm", "versions", "node", "v20.2.0", "bin")
	if got := p.childPath(auggie); got != want {
		t.Errorf("PATH %q, want %q", got, want)
	}
}

// TestChildSeesItsFolder: the process of a session has the folder on its PATH.
func TestChildSeesItsFolder(t *testing.T) {
	home := t.TempDir()
	bin := filepath.Join(home, ".local", "bin")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script(t, filepath.Join(bin, "fake-cli"), `exec "`+self+`" "$@"`)
	a := launchedBare(t, home, func(o *Options) {
		fakes(o)
		inner := o.agents
		o.agents = func(id string) (agent.Definition, bool) {
			d, ok := inner(id)
			d.Embedded, d.Command = false, "fake-cli"
			return d, ok
		}
	})
	id := a.begin(mannerPlain, "env")
	a.inState(id, session.Ready)
	a.said(id, "PATH="+bin)
}

// TestMissingSentence names what was looked at and the command that installs.
func TestMissingSentence(t *testing.T) {
	home := t.TempDir()
	tree(t, home, ".nvm/versions/node/v20.2.0/bin", ".bun/bin")
	a := launchedBare(t, home)
	_, err := a.command(t.Context(), "auggie")
	got := failure(err)
	for _, part := range []string{"auggie was not found", "PATH is empty", "nvm, bun", "Install it with: npm install -g @augmentcode/auggie"} {
		if !strings.Contains(got, part) {
			t.Errorf("%q is not in %q", part, got)
		}
	}
	p := programs{path: "/a:/b"}
	if got := p.missing("x", "").Error(); got != "The agent's program x was not found. Kandev looked in the 2 folders of your login shell's PATH, and no folder of nvm, npm or another installer is there." {
		t.Error(got)
	}
}

// TestLauncherEnvironment: from a desktop launcher, which sets no TERM, a child
// gets what the login shell exports and we were not given; from a terminal the
// environment is the terminal's.
// Case 92.
func TestLauncherEnvironment(t *testing.T) {
	shell := script(t, filepath.Join(t.TempDir(), "shell"), `export FROM_SHELL='a
b' HOME=/wrong SHLVL=7
for last; do :; done
exec /bin/sh -c "$last"`)
	for _, test := range []struct {
		given []string
		want  string
	}{
		{nil, "a\nb"},
		{[]string{"TERM=xterm"}, ""},
		{[]string{"FROM_SHELL=mine"}, "mine"},
	} {
		a := openApp(t, t.TempDir(), func(o *Options) { o.Environ = append([]string{"HOME=/given", "SHELL=" + shell}, test.given...) })
		a.Agents(t.Context())
		names := a.environNames()
		value, _ := a.getenv("FROM_SHELL")
		home, _ := a.getenv("HOME")
		_, level := a.getenv("SHLVL")
		if value != test.want || home != "/given" || level || (test.want != "") != slices.Contains(names, "FROM_SHELL") {
			t.Errorf("%q: %q, HOME %q, SHLVL %v, %q", test.given, value, home, level, names)
		}
		env := (&agentLogin{b: a.Backend}).environment()
		if slices.Contains(env, "FROM_SHELL="+test.want) != (test.want != "") {
			t.Errorf("%q: a login gets %q", test.given, env)
		}
		a.quit()
	}
}

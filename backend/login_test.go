package backend

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"kandev/backend/acp"
	"kandev/backend/agent"
	"kandev/backend/session"
)

// TestLogin: an agent that wants a login says so in one sentence and offers the ways; by
// the method it offers itself the session starts, with the prompt that was typed.
func TestLogin(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerLogin, "hello")
	a.inState(id, session.Failed)
	if got := a.notes(id); got != loginWanted || a.row(id).Reason != loginWanted {
		t.Errorf("%q, %q", got, a.row(id).Reason)
	}
	if !a.row(id).Login {
		t.Error("the row does not say that a login is wanted")
	}
	offer, err := a.LoginMethods(id)
	const methods = "{fake login [FAKE_KEY] [{key API key  agent  []} {bad Bad  agent  []} {term Terminal  terminal fake 'log in' --now []} " +
		"{odd odd  unknown  []} {vars Key  env_var  [FAKE_KEY]} {hang Hang  agent  []}]}"
	if got := fmt.Sprint(offer); err != nil || got != methods {
		t.Errorf("%s, %v", got, err)
	}
	for method, sentence := range map[string]string{"bad": "The login failed: wrong key.", "term": "does not offer", "none": "does not offer"} {
		if err := a.Authenticate(t.Context(), id, method); err != nil {
			t.Fatal(err)
		}
		a.until("the login by "+method+" fails", func() bool {
			row := a.row(id)
			return row.State == string(session.Failed) && row.Login && strings.Contains(a.notes(id), "The login failed") && strings.Contains(a.notes(id), sentence)
		})
	}
	if err := a.Authenticate(t.Context(), id, "key"); err != nil {
		t.Fatal(err)
	}
	a.said(id, "you said hello")
	if !strings.Contains(a.notes(id), "Logging in: API key.") || a.row(id).Login {
		t.Errorf("%q, %+v", a.notes(id), a.row(id))
	}
}

// TestLoginCommand: what a method adds is quoted for a shell; one with
// characters that nobody sees makes no command.
func TestLoginCommand(t *testing.T) {
	for _, test := range []struct{ arg, want string }{
		{"login", "x login"},
		{"", "x ''"},
		{"a b", "x 'a b'"},
		{"$(rm -r ~)", "x '$(rm -r ~)'"},
		{"it's", `x 'it'\''s'`},
		{"a\nrm -r .", ""},
		{"a\x1b[2Jb", ""},
		{"a\u202eb", ""},
	} {
		got := loginMethods([]acp.AuthMethod{{ID: "t", Type: "terminal", Args: []string{test.arg}}}, "x")[0]
		if got.Command != test.want || (test.want == "") != (got.Kind == authUnknown) {
			t.Errorf("%q: %+v", test.arg, got)
		}
	}
	found := program{path: "/home/a b/bin/x", place: "nvm"}
	if got := inTerminal("x login", "x", found); got != "'/home/a b/bin/x' login" {
		t.Error(got)
	}
}

// TestLoginHangs: a login of a session that never ends is stopped like the
// session, and the session can be started again.
func TestLoginHangs(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerLogin, "hello")
	a.inState(id, session.Failed)
	if err := a.Authenticate(t.Context(), id, "hang"); err != nil {
		t.Fatal(err)
	}
	a.until("it logs in", func() bool { return strings.Contains(a.notes(id), "Logging in: Hang.") })
	if row := a.row(id); row.State != string(session.Starting) || !row.Login {
		t.Errorf("the row does not say that a login runs: %+v", row)
	}
	if err := a.StopSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.inState(id, session.Stopped)
	if !a.row(id).Login {
		t.Error("the ways to log in are gone")
	}
	if err := a.Authenticate(t.Context(), id, "key"); err != nil {
		t.Fatal(err)
	}
	a.said(id, "you said hello")
}

// loginIs waits for a state of a login without a session.
func (a *testApp) loginIs(agentID, state string) AgentLogin {
	a.t.Helper()
	a.until("the login is "+state, func() bool { return a.AgentLogin(agentID).State == state })
	return a.AgentLogin(agentID)
}

// TestAgentLogin: without a session an agent says its ways to log in, carries
// one out, and its process is gone after it.
func TestAgentLogin(t *testing.T) {
	const id = "fake-" + mannerLogin
	a := fakeApp(t)
	if got := a.AgentLogin(id); got.State != LoginIdle {
		t.Errorf("before any: %+v", got)
	}
	if err := a.ChooseAgentLogin(id, "key"); err == nil {
		t.Error("a choice without a login was taken")
	}
	begin := func() {
		t.Helper()
		if err := a.StartAgentLogin(id); err != nil {
			t.Fatal(err)
		}
	}
	begin()
	begin() // the same one
	if got := a.loginIs(id, LoginChoose); len(got.Offer.Methods) != 6 || got.Offer.Command != "fake login" || got.Offer.Env[0] != "FAKE_KEY" {
		t.Errorf("%+v", got)
	}
	for _, method := range []string{"term", "odd", "none"} {
		if err := a.ChooseAgentLogin(id, method); err == nil {
			t.Errorf("%s was taken", method)
		}
	}
	choose := func(method string) {
		t.Helper()
		if err := a.ChooseAgentLogin(id, method); err != nil {
			t.Fatal(err)
		}
	}
	choose("bad")
	if got := a.loginIs(id, LoginFailed); !strings.Contains(got.Text, "The login failed") || !strings.Contains(got.Text, "wrong key") {
		t.Errorf("%+v", got)
	}
	begin()
	a.loginIs(id, LoginChoose)
	choose("hang")
	if got := a.loginIs(id, LoginRunning); !strings.Contains(got.Text, "Logging in: Hang") {
		t.Errorf("%+v", got)
	}
	if err := a.CancelAgentLogin(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if got := a.AgentLogin(id); got.State != LoginCancelled {
		t.Errorf("%+v", got)
	}
	if n := a.guarded(); n != 0 {
		t.Errorf("%d processes are left of cancelled logins", n)
	}
	begin()
	a.loginIs(id, LoginChoose)
	choose("key")
	a.loginIs(id, LoginDone)
	a.begin(mannerLogin, "")
	begin() // left running: Close ends it
	a.loginIs(id, LoginChoose)
}

// TestLoginFolder: the agent of a login runs in an empty folder of its own, the
// same one each time, and what it leaves there goes.
func TestLoginFolder(t *testing.T) {
	const id = "fake-" + mannerLogin
	a := fakeApp(t)
	folder := a.path("scratch", id)
	if err := os.MkdirAll(folder, 0o700); err != nil { // of an app that was killed
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "CLAUDE.md"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := a.StartAgentLogin(id); err != nil {
			t.Fatal(err)
		}
		a.loginIs(id, LoginChoose)
		if names := namesIn(t, folder); fmt.Sprint(names) != "["+leftByLogin+"]" {
			t.Errorf("%q", names)
		}
		if err := a.CancelAgentLogin(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if exists(folder) || exists(a.path(leftByLogin)) {
			t.Errorf("something is left: %q", namesIn(t, a.o.Home))
		}
	}
}

// TestLoginWithoutRoom: where no folder can be made a login goes on all the same,
// away from what the data folder holds.
func TestLoginWithoutRoom(t *testing.T) {
	const id = "fake-" + mannerLogin
	a := fakeApp(t)
	if err := os.WriteFile(a.path("scratch"), nil, 0o600); err != nil { // in its place, as none could be made on a full disk
		t.Fatal(err)
	}
	if err := a.StartAgentLogin(id); err != nil {
		t.Fatal(err)
	}
	a.loginIs(id, LoginChoose)
	if !exists(a.path("run", leftByLogin)) {
		t.Errorf("%q", namesIn(t, a.o.Home))
	}
	if err := os.Remove(a.path("run", leftByLogin)); err != nil {
		t.Error(err)
	}
}

func namesIn(t *testing.T, dir string) (out []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// TestLoginAgainAtOnce: who sees that a login has ended can begin another one
// right away; it is not taken for the one before.
func TestLoginAgainAtOnce(t *testing.T) {
	const id = "fake-" + mannerDies
	a := fakeApp(t, func(o *Options) {
		inner := o.agents
		o.agents = func(id string) (agent.Definition, bool) {
			d, ok := inner(id)
			d.Login = "log in"
			return d, ok
		}
	})
	for range 20 {
		if err := a.StartAgentLogin(id); err != nil {
			t.Fatal(err)
		}
		for began := time.Now(); a.AgentLogin(id).State == LoginStarting; runtime.Gosched() { // at its very end
			if time.Since(began) > 20*time.Second {
				t.Fatal("it does not end")
			}
		}
		if !isClosed(a.loginOf(id).over) {
			t.Fatal("it has ended, and another one cannot begin")
		}
	}
}

// guarded is how many processes of the app run now.
func (a *testApp) guarded() int {
	files, err := os.ReadDir(a.path("run"))
	if err != nil {
		a.t.Fatal(err)
	}
	return len(files)
}

// TestAgentLoginFails: an agent that does not come up says why; one that needs
// no login is not started.
func TestAgentLoginFails(t *testing.T) {
	commands := func(o *Options) {
		inner := o.agents
		o.agents = func(id string) (agent.Definition, bool) {
			d, ok := inner(id)
			d.Login = "log in"
			return d, ok && id != "fake-none"
		}
	}
	a := fakeApp(t, commands)
	hurried := fakeApp(t, commands, func(o *Options) { o.limits.Initialize = 300 }) // for the one that needs it: others may be slow
	for manner, want := range map[string]string{mannerMute: "fake " + mannerMute + ".", mannerDies: "fake " + mannerDies + ": exit code 127. Its last output:\nfake agent", mannerVersion2: "ACP v2"} {
		a := a
		if manner == mannerMute {
			a = hurried
		}
		if err := a.StartAgentLogin("fake-" + manner); err != nil {
			t.Fatal(err)
		}
		if got := a.loginIs("fake-"+manner, LoginFailed); !strings.Contains(got.Text, want) || strings.Contains(got.Text, "sk-ant") {
			t.Errorf("%s: %+v", manner, got)
		}
	}
	if err := a.StartAgentLogin("fake-" + mannerPlain); err != nil { // offers nothing
		t.Fatal(err)
	}
	if got := a.loginIs("fake-"+mannerPlain, LoginTold); got.Offer.Command != "log in" || len(got.Offer.Methods) != 0 {
		t.Errorf("%+v", got)
	}
	if err := a.StartAgentLogin("fake-none"); !errors.Is(err, agent.ErrUnknown) {
		t.Error(err)
	}
	if err := fakeApp(t).StartAgentLogin("fake-" + mannerPlain); !errors.Is(err, errNoLogin) {
		t.Error(err)
	}
}

// TestLoginState: what is there decides, an agent's own word before all; what
// is not known stays unknown.
func TestLoginState(t *testing.T) {
	home := t.TempDir()
	environ := []string{"HOME=" + home, "USERPROFILE=" + home}
	a := openApp(t, t.TempDir(), fakes, func(o *Options) { o.Environ = append(environ, "SET_KEY=x", "EMPTY_KEY= ", "FOLDER="+home+"/other") })
	tree(t, home, ".full/login.json={\"token\":\"t\"}", ".empty/login.json={}\n", "other/login.json={\"token\":\"t\"}")
	file := func(folder string) agent.CredentialFile {
		return agent.CredentialFile{Folder: folder, Name: "login.json"}
	}
	for _, test := range []struct {
		name string
		c    agent.Credentials
		want agent.LoginState
		note string
	}{
		{"nothing known", agent.Credentials{}, agent.LoginUnknown, ""},
		{"a variable", agent.Credentials{Env: []string{"EMPTY_KEY", "SET_KEY"}}, agent.LoginFound, "The variable SET_KEY is set."},
		{"an empty variable", agent.Credentials{Env: []string{"EMPTY_KEY"}}, agent.LoginUnknown, ""},
		{"a file", agent.Credentials{Files: []agent.CredentialFile{file("~/.full")}}, agent.LoginFound, "The file ~/.full/login.json is there."},
		{"an empty file", agent.Credentials{Files: []agent.CredentialFile{file("~/.empty")}}, agent.LoginUnknown, ""},
		{"the only place is empty", agent.Credentials{Files: []agent.CredentialFile{file("~/.none")}, Only: true}, agent.LoginMissing, "Nothing was found where it keeps its login."},
		{"a folder by variable", agent.Credentials{Files: []agent.CredentialFile{{Variable: "FOLDER", Folder: "~/.none", Name: "login.json"}}}, agent.LoginFound, "The file $FOLDER/login.json is there."},
		{"a variable before the home folder", agent.Credentials{Files: []agent.CredentialFile{{Variable: "FOLDER", Folder: "~/.full", Name: "x.json"}}}, agent.LoginUnknown, ""},
	} {
		state, note := a.loginState(agent.Definition{ID: "x", Credentials: test.c})
		if state != test.want || note != test.note {
			t.Errorf("%s: %s, %q", test.name, state, note)
		}
	}
	a.logins.wantsLogin("x", true)
	if state, _ := a.loginState(agent.Definition{ID: "x", Credentials: agent.Credentials{Env: []string{"SET_KEY"}}}); state != agent.LoginMissing {
		t.Errorf("an agent that said so itself is %s", state)
	}
	a.logins.wantsLogin("x", false)
	if state, _ := a.loginState(agent.Definition{Embedded: true}); state != agent.LoginNone {
		t.Errorf("the embedded agent is %s", state)
	}
}

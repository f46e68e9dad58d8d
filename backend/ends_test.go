package backend

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"kandev/backend/agent"
	"kandev/backend/permission"
	"kandev/backend/session"
)

// TestTerminalOfARestartedAgent: a context's reset that costs an agent its
// process ends its commands too, and the row does not say that they run on.
func TestTerminalOfARestartedAgent(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the command is one of a shell's")
	}
	for _, manner := range []string{mannerEnv, mannerPlain} { // a new process, a new attempt
		t.Run(manner, func(t *testing.T) {
			a := fakeApp(t)
			id := a.begin(manner, "")
			a.inState(id, session.Ready)
			a.say(id, "term create {\"command\":\"sh\",\"args\":[\"-c\",\"echo up; exec sleep 600\"]}\nshow in_progress")
			a.inState(id, session.Ready)
			a.until("its output", func() bool { return a.terminal(id).Output == "up\n" })
			if err := a.ResetSession(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			a.inState(id, session.Ready)
			a.until("the row says that it ended", func() bool { return a.terminal(id).Ended })
			if got := a.terminal(id); got.Signal == "" || got.Output != "up\n" {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestLatePermission: a request that comes when its turn is over can be answered,
// and a reset does not leave the agent waiting for what nobody can mean any more.
func TestLatePermission(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "")
	a.inState(id, session.Ready)
	a.say(id, "permitlate")
	a.inState(id, session.Ready)
	if err := a.Permit(a.openPermits(1)[0], "yes"); err != nil {
		t.Error(err)
	}
	a.said(id, "late selected:yes")
	a.say(id, "permitlate")
	a.inState(id, session.Ready)
	p := a.openPermits(1)[0]
	if err := a.ResetSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.said(id, "late cancelled:")
	if r := a.request(p); r.State != permission.Cancelled || r.Reason != "The agent's context was reset." {
		t.Errorf("%+v", r)
	}
	a.inState(id, session.Ready)
}

// TestValuesInNotes: an agent that quotes the person's values when it refuses a
// turn does not put them into our own sentences.
func TestValuesInNotes(t *testing.T) {
	const value = "S3NT-in-a-note"
	a := fakeApp(t)
	_ = a.saveServer(ServerChange{
		Server: agent.OwnServer{Agent: "fake-" + mannerPlain, Name: "own", Transport: "stdio", Command: os.Args[0]},
		Env:    []ServerValue{{Name: "TOKEN", Value: value}},
	})
	id := a.begin(mannerPlain, "")
	a.inState(id, session.Ready)
	a.say(id, "refuse "+value)
	a.inState(id, session.Ready)
	if notes := a.notes(id); !strings.Contains(notes, "refused because of") || strings.Contains(notes, value) {
		t.Errorf("%q", notes)
	}
}

// TestNoiseIsBounded: an agent that prints and prints does not push everything
// else out of the log.
func TestNoiseIsBounded(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes, func(o *Options) { o.Log = nil })
	id := a.begin(mannerPlain, "")
	a.inState(id, session.Ready)
	a.say(id, "spam 20000")
	a.said(id, "spammed")
	a.inState(id, session.Ready)
	a.quit()
	n := 0
	for name, b := range files(t, filepath.Join(home, "logs")) {
		n += strings.Count(string(b), "not JSON-RPC")
		if strings.Contains(string(b), "spamspam") {
			t.Errorf("%s holds what the agent printed", name)
		}
	}
	if n == 0 || n > 60 {
		t.Errorf("%d lines of the log for it", n)
	}
}

// TestPromptWhileStopping: a turn that begins in the moment of a stop is no
// error of the agent's, and the session never says ready again.
func TestPromptWhileStopping(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerStubborn, "")
	a.inState(id, session.Ready)
	c := a.conversation(id)
	done := make(chan error, 1)
	go func() { done <- a.StopSession(context.Background(), id) }()
	a.until("the stop has begun", func() bool { c.mu.Lock(); defer c.mu.Unlock(); return c.stopping != "" })
	if err := a.Prompt(t.Context(), id, "hello"); !errors.Is(err, session.ErrNotLive) {
		t.Errorf("a prompt to an agent that is being stopped: %v", err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if notes := a.notes(id); strings.Contains(notes, "error") {
		t.Errorf("%q", notes)
	}
}

// TestQuitWithLogin: a login of an agent that does not end costs the quit no
// time beside that of a session's.
func TestQuitWithLogin(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerStubborn, "")
	a.inState(id, session.Ready)
	login := "fake-" + mannerStubLog
	if err := a.StartAgentLogin(login); err != nil {
		t.Fatal(err)
	}
	a.loginIs(login, LoginChoose)
	since := time.Now()
	a.quit()
	if took := time.Since(since); took > 9*time.Second {
		t.Errorf("the quit took %v", took)
	}
	if got := a.AgentLogin(login).State; got != LoginCancelled {
		t.Errorf("the login is %q", got)
	}
}

// TestLeftOfAKill: what a run left that was killed in the middle of a write is
// gone after the next start, values before all.
func TestLeftOfAKill(t *testing.T) {
	home := t.TempDir()
	openApp(t, home).quit()
	left := []string{filepath.Join(home, ".secrets-1"), filepath.Join(home, ".probe-1"), filepath.Join(home, "run", ".probe-2")}
	for _, path := range left {
		if err := os.WriteFile(path, []byte("S3NT"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	openApp(t, home).quit()
	if names := within(files(t, home), "S3NT"); len(names) != 0 {
		t.Errorf("%v", names)
	}
}

// TestValuesInALogin: neither does what an agent says when a login fails show
// the person's values.
func TestValuesInALogin(t *testing.T) {
	const value = "S3NT-in-a-login"
	a := fakeApp(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	id, err := a.SaveCustomAgent(t.Context(), CustomChange{
		Agent: agent.Custom{Name: "Own", Line: agent.ShellWord(self) + " fake " + mannerLogin},
		Env:   []ServerValue{{Name: "FAKE_QUOTED", Value: value}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.StartAgentLogin(id); err != nil {
		t.Fatal(err)
	}
	offered := a.loginIs(id, LoginChoose)
	if err := a.ChooseAgentLogin(id, "bad"); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{a.loginIs(id, LoginFailed).Text, offered.Text} {
		if strings.Contains(text, value) {
			t.Errorf("%q", text)
		}
	}
	if got := a.AgentLogin(id).Text; !strings.Contains(got, "wrong key") {
		t.Errorf("%q", got)
	}
}

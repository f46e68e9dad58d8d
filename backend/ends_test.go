package backend

import (
	"context"
	"errors"
	"os"
	"path/filepath"
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
	c, err := a.find(id)
	if err != nil {
		t.Fatal(err)
	}
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

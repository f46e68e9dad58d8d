package backend

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kandev/backend/attach"
	"kandev/backend/project"
	"kandev/backend/session"
)

// fakeApp is an app whose agents are the fakes, with short limits.
func fakeApp(t *testing.T, change ...func(*Options)) *testApp {
	t.Helper()
	return openApp(t, t.TempDir(), append([]func(*Options){fakes}, change...)...)
}

// project adds a folder of its own.
func (a *testApp) project() project.Project {
	a.t.Helper()
	p, err := a.AddProject(a.t.Context(), a.t.TempDir())
	if err != nil {
		a.t.Fatal(err)
	}
	return p
}

// begin starts a session with a fake agent of a manner.
func (a *testApp) begin(manner, prompt string) session.ID {
	a.t.Helper()
	id, err := a.NewSession(a.t.Context(), NewSession{Project: a.project().ID, Agent: "fake-" + manner, Prompt: prompt})
	if err != nil {
		a.t.Fatal(err)
	}
	return id
}

// folder is a session's working folder.
func (a *testApp) folder(id session.ID) string {
	for _, p := range a.Snapshot().Projects {
		if p.ID == a.row(id).Project {
			return p.Path
		}
	}
	return ""
}

// notes are our own sentences in a session's transcript.
func (a *testApp) notes(id session.ID) string {
	var out []string
	for _, i := range a.items(id) {
		if i.Kind == session.ItemNotice {
			out = append(out, i.Text)
		}
	}
	return strings.Join(out, "\n")
}

// said waits until the agent's last message has a text.
func (a *testApp) said(id session.ID, text string) {
	a.t.Helper()
	a.until("the agent says "+text, func() bool {
		i, ok := a.last(id, session.ItemMessage)
		return ok && strings.Contains(i.Text, text)
	})
}

// TestStartFails: each way to fail ends in a sentence, with what was run, how
// it ended and its last output without secrets; no server turns red by silence.
// Case 83.
func TestStartFails(t *testing.T) {
	short := func(o *Options) { o.limits.Initialize, o.limits.New = 400, 400 }
	for manner, want := range map[string][]string{
		mannerMute:     {"did not answer in time", "It ran", "fake " + mannerMute + ".", "fake agent: token"},
		mannerVersion2: {"agent speaks ACP v2", "Kandev supports v1.", "fake " + mannerVersion2 + "."},
		mannerDies:     {"fake " + mannerDies, "exit code 127", "fake agent: token"},
		mannerSilent:   {"did not answer in time", "fake " + mannerSilent + "."},
	} {
		t.Run(manner, func(t *testing.T) {
			a := fakeApp(t)
			if manner == mannerMute || manner == mannerSilent { // the others end by themselves, however slow
				a = fakeApp(t, short)
			}
			id := a.begin(manner, "")
			a.inState(id, session.Failed)
			notes := a.notes(id)
			for _, w := range want {
				if !strings.Contains(notes, w) {
					t.Errorf("no %q in %q", w, notes)
				}
			}
			if strings.Contains(notes, "sk-ant") || strings.Contains(notes, "someone") {
				t.Errorf("a secret or a home folder in %q", notes)
			}
			if s := a.builtin(id); s.Status == string(attach.StatusFailed) {
				t.Errorf("silence turned the server red: %+v", s)
			}
			if c := a.history(id).Current(); c != nil && c.EndedAt == nil {
				t.Error("the attempt has no end")
			}
		})
	}
}

// TestStillStarting: an agent that takes long to say hello is said to; the
// sentence goes with the start.
func TestStillStarting(t *testing.T) {
	a := fakeApp(t, func(o *Options) { o.slowStart = 20 * time.Millisecond })
	id := a.begin(mannerMute, "")
	a.until("it is said to take long", func() bool {
		row := a.row(id)
		return row.State == string(session.Starting) && row.Reason == "The agent is still starting."
	})
	if err := a.StopSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if got := a.row(id).Reason; got != "Stopped by you." {
		t.Errorf("%q", got)
	}
	quick := a.begin(mannerPlain, "")
	a.inState(quick, session.Ready)
	if got := a.row(quick).Reason; got != "" {
		t.Errorf("%q", got)
	}
}

// TestRefused: a refused session/new is one failure per delivered server and
// one notice; a new attempt is the recovery.
func TestRefused(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerRefuses, "")
	a.inState(id, session.Failed)
	s := a.builtin(id)
	if s.Status != string(attach.StatusFailed) || s.Reason != "session_refused" || !strings.Contains(s.Summary, "no room") {
		t.Errorf("%+v", s)
	}
	if notes := a.notes(id); strings.Count(notes, "no room") != 1 || !strings.Contains(notes, "fake "+mannerRefuses+".") || strings.Contains(notes+s.Summary, "hidden") {
		t.Errorf("%q, %q", notes, s.Summary)
	}
	if err := os.WriteFile(filepath.Join(a.folder(id), "allow"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := a.StartSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.inState(id, session.Ready)
	a.counted(id)
	if h := a.history(id); len(h.Attempts) != 2 || h.Current().Reason != attach.StartRestart {
		t.Errorf("%+v", h)
	}
}

// TestAgentEnds: however the agent ends in its turn, the turn ends, the reason
// and its last words are shown, and the server reads disconnected with a time.
// Cases 63 and 84.
func TestAgentEnds(t *testing.T) {
	for prompt, want := range map[string]string{"exit 0": "exit code 0", "exit 1": "exit code 1", "exit 41": "exit code 41", "die": "SIGKILL"} {
		t.Run(prompt, func(t *testing.T) {
			a := fakeApp(t)
			id := a.begin(mannerPlain, "")
			a.inState(id, session.Ready)
			a.counted(id)
			a.say(id, prompt)
			a.inState(id, session.Failed)
			if notes := a.notes(id); !strings.Contains(notes, want) || !strings.Contains(notes, "fake agent: token") || strings.Contains(notes, "sk-ant") {
				t.Errorf("%q", notes)
			}
			s, h := a.builtin(id), a.history(id).Current()
			if s.Status != string(attach.StatusDisconnected) || s.Times.Closed == 0 || h.EndedAt == nil || h.EndReason != "agent_ended" {
				t.Errorf("%+v %+v", s, h)
			}
			if err := a.Prompt(t.Context(), id, "again"); err == nil {
				t.Error("a prompt went to an agent that is gone")
			}
		})
	}
}

// TestDeafAgent: one that ignores session/cancel is ended with a sentence; the
// app and the other sessions live on.
func TestDeafAgent(t *testing.T) {
	a := fakeApp(t, func(o *Options) { o.limits.Cancel = 200 })
	id := a.begin(mannerDeaf, "")
	other := a.begin(mannerPlain, "")
	a.inState(id, session.Ready)
	a.inState(other, session.Ready)
	a.say(id, "hang")
	a.said(id, "hanging")
	if err := a.CancelTurn(id); err != nil {
		t.Fatal(err)
	}
	a.inState(id, session.Stopped)
	if r := a.row(id).Reason; !strings.Contains(r, "did not react to Stop") {
		t.Errorf("%q", r)
	}
	a.say(other, "hello")
	a.said(other, "you said hello")
}

// TestCancelKeepsTheAgent: Stop once; process and attachment survive.
// Case 86.
func TestCancelKeepsTheAgent(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "hang")
	a.said(id, "hanging")
	if err := a.CancelTurn(id); err != nil {
		t.Fatal(err)
	}
	a.inState(id, session.Ready)
	a.say(id, "hello")
	a.said(id, "you said hello")
	if s := a.builtin(id); s.Status != string(attach.StatusActive) || len(a.history(id).Attempts) != 1 {
		t.Errorf("%+v", s)
	}
}

// TestNoise: banners, titles and half frames between the messages lose nothing.
// Case 80.
func TestNoise(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerNoisy, "hello")
	a.said(id, "you said hello")
	a.inState(id, session.Ready)
}

// TestStatusStaysActive: what is no attachment error never changes the status,
// and a client that lists over and over moves nothing.
// Cases 60 and 62.
func TestStatusStaysActive(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "")
	a.inState(id, session.Ready)
	a.counted(id)
	count, before := *a.builtin(id).ToolCount, a.history(id).Current().Servers[0].Catalog
	a.say(id, "odd")
	a.said(id, "not found")
	if i, _ := a.last(id, session.ItemMessage); strings.Contains(i.Text, "SENTINEL") || !strings.Contains(i.Text, "/limit") {
		t.Errorf("the validation error is %q", i.Text)
	}
	a.inState(id, session.Ready)
	a.say(id, "list20")
	a.said(id, "listed")
	a.counted(id)
	h := a.history(id)
	if s := a.builtin(id); s.Status != string(attach.StatusActive) || *s.ToolCount != count || s.Reason != "" {
		t.Errorf("%+v", s)
	}
	if !same(h.Current().Servers[0].Catalog, before) || len(h.Current().Evidence) > attach.MaxEvidence {
		t.Errorf("another catalog, or %d pieces of evidence", len(h.Current().Evidence))
	}
	if h.Current().OtherCalls != 1 || len(h.Current().Uses) != 1 || h.Current().Uses[0].Errors != 1 {
		t.Errorf("%+v", h.Current().Uses)
	}
}

// TestQuitTwice: a second Close waits and does nothing; nothing starts any more.
func TestQuitTwice(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "")
	done := make(chan error, 2)
	for range 2 {
		go func() { done <- a.Close(context.Background()) }()
	}
	for range 2 {
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(15 * time.Second):
			t.Fatal("Close does not return")
		}
	}
	if err := a.StartSession(t.Context(), id); err == nil {
		t.Error("a session started after Close")
	}
}

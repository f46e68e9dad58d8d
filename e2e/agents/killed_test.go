//go:build linux

package agents

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"kandev/backend"
	"kandev/backend/attach"
	"kandev/backend/event"
	"kandev/backend/question"
	"kandev/backend/session"
)

// killLimit is what the descendants of a killed app have to be gone within.
const killLimit = 10 * time.Second

// storedAfter is when what happened before is on disk; a kill may lose what is younger.
const storedAfter = 500 * time.Millisecond

// runApp is the app as a process: it takes up a session with its first prompt,
// says so when that waits for the person, and lives until it is killed.
func runApp(home, folder, agentID, prompt string) int {
	self, err := os.Executable()
	if err != nil {
		return 1
	}
	wake := make(chan struct{}, 1)
	b, err := backend.Open(context.Background(), backend.Options{
		Home: home, Version: "e2e", Self: []string{self}, Environ: os.Environ(),
		Send: func(event.Event) {
			select {
			case wake <- struct{}{}:
			default:
			}
		},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	p, err := b.AddProject(context.Background(), folder)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	id, err := b.NewSession(context.Background(), backend.NewSession{Project: p.ID, Agent: agentID})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	// Some agents ask for the tools after session/new; a model that is asked sooner has none.
	for prompted := false; len(b.Snapshot().Questions) == 0; allowAll(context.Background(), b) {
		<-wake
		if h, _, _, err := b.Attachment(context.Background(), id); !prompted && err == nil && h.Current() != nil && len(h.Current().Servers) > 0 {
			prompted = h.Current().Servers[0].Status == attach.StatusActive && b.Prompt(context.Background(), id, prompt) == nil
		}
	}
	found := ""
	for _, a := range b.Agents(context.Background()) {
		if a.ID == agentID {
			found = a.Version
		}
	}
	<-time.After(storedAfter) // storing is told to nobody outside
	_ = json.NewEncoder(os.Stdout).Encode(appSays{id, found})
	select {}
}

type appSays struct {
	Session session.ID
	Version string // of the agent, as the app found it
}

// killed kills the app while the agent waits for an answer, with a stdio server
// running: everything is gone within ten seconds, no port is held, and the next
// start is clean.
func (w *world) killed(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	d := w.directive(asked, `{"questions":[{"prompt":"Still there?"}]}`)
	prompt := d.Prompt()
	if w.noModel {
		prompt = d.Tool + " " + string(d.Arguments)
	}
	ports := listening()
	cmd := exec.Command(self, partApp, w.home, w.folder, w.rig.id, prompt)
	cmd.Env = append(withoutPath(w.env), "PATH="+os.Getenv("PATH")) // without the tee
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		t.Fatal(err)
	}
	said := make(chan appSays, 1)
	go func() {
		var s appSays
		line, _ := bufio.NewReader(out).ReadBytes('\n')
		_ = json.Unmarshal(line, &s)
		said <- s
	}()
	var says appSays
	select {
	case says = <-said:
	case <-time.After(time.Minute):
	}
	running := inNamespace()
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if says.Session == "" {
		t.Fatalf("the app never came so far; it ran %v", running)
	}
	if w.npm != "" && says.Version != w.facts.Version {
		t.Errorf("the app found version %q, installed is %q", says.Version, w.facts.Version)
	}
	if ran := slices.ContainsFunc(running, func(p process) bool { return contains(p.command, " "+partServer+" ") }); ran != (w.facts.OwnStdio == string(attach.StatusDelivered)) {
		t.Errorf("the person's stdio server ran: %v; its row said %q; running were %v", ran, w.facts.OwnStdio, running)
	}
	if len(running) < 3 { // app, guard and agent, or nobody looked
		t.Errorf("only these ran: %v", running)
	}
	begun := time.Now()
	left := running
	for time.Since(begun) < killLimit && len(left) > 0 {
		time.Sleep(100 * time.Millisecond) //nolint:forbidigo // processes of others end without a word
		left = inNamespace()
	}
	if len(left) > 0 {
		t.Errorf("left %s after the kill: %v", killLimit, left)
	}
	t.Logf("of %d processes none was left after %s", len(running), time.Since(begun).Round(100*time.Millisecond))
	if now := listening(); len(now) > len(ports) {
		t.Errorf("ports held: %v, before the start: %v", now, ports)
	}
	w.nextStart(t, says.Session)
	if !t.Failed() {
		w.facts.Kill = "nothing left after 10 s, next start clean"
	}
}

// nextStart opens the app again after it was killed.
func (w *world) nextStart(t *testing.T, id session.ID) {
	w.app, w.id = openApp(t, w.home, w.env), id
	if row := w.app.row(id); row.State != string(session.Interrupted) {
		t.Errorf("the session is %s after the kill", row.State)
	}
	ref := w.app.last(id, session.ItemQuestion).Ref
	if q, _, err := w.app.Question(t.Context(), ref); err != nil || q.State != question.Cancelled {
		t.Errorf("the question is %s after the kill (%v)", q.State, err)
	}
	if notices := w.app.Snapshot().Notices; len(notices) != 1 || notices[0].ID != "unclean_end" { // and nothing is wrong with what is stored
		t.Errorf("notices: %+v", notices)
	}
	if err := w.app.StartSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	w.app.inState(id, session.Ready)
	w.listed()
	d := w.directive("list_tasks_kandev", `{"limit":5}`)
	w.say(d)
	w.finished(d)
}

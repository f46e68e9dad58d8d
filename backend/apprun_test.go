package backend

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"kandev/backend/attach"
	"kandev/backend/event"
	"kandev/backend/session"
)

// appReport is what an app in a process of its own says when its first
// session stands where the test wants it.
type appReport struct {
	Error      string // of Open
	Snapshot   event.Snapshot
	Memory     bool
	Session    session.ID
	Attachment attach.History
	MCP        string // the endpoint's address
}

// runApp is the app as a process: it opens home, and with the further arguments
// agent and prompt it runs a session of its own. It reports once and lives
// until its stdin ends.
func runApp(home string, args []string) int {
	self, err := os.Executable()
	if err != nil {
		return 1
	}
	wake := make(chan struct{}, 1)
	o := Options{Home: home, Version: "test", Self: []string{self}, Environ: os.Environ(), Send: func(event.Event) {
		select {
		case wake <- struct{}{}:
		default:
		}
	}}
	fakes(&o)
	b, err := Open(context.Background(), o)
	if err != nil {
		return report(appReport{Error: err.Error()})
	}
	r := appReport{Memory: b.Storage().Memory}
	if len(args) > 1 {
		r.Session, err = appSession(b, args[0], args[1], wake)
		if err != nil {
			r.Error = err.Error()
		}
		r.Attachment, _, _, _ = b.Attachment(context.Background(), r.Session)
	}
	r.Snapshot = b.Snapshot()
	report(r)
	_, _ = bufio.NewReader(os.Stdin).ReadByte()
	if err := b.Close(context.Background()); err != nil {
		return 1
	}
	return 0
}

// appSession runs a prompt in a session and comes back when it waits for the
// person, or has ended its turn.
func appSession(b *Backend, agentID, prompt string, wake chan struct{}) (session.ID, error) {
	p, err := b.AddProject(context.Background(), os.Getenv("APP_PROJECT"))
	if err != nil {
		return "", err
	}
	id, err := b.NewSession(context.Background(), NewSession{Project: p.ID, Agent: agentID, Prompt: prompt})
	if err != nil {
		return "", err
	}
	for {
		<-wake
		for _, s := range b.Snapshot().Sessions {
			items, _, _ := b.Transcript(context.Background(), id, 0)
			done := s.Waiting > 0 || s.State == string(session.Ready) && len(items) > 1 || s.State == string(session.Failed)
			if s.ID == string(id) && done {
				return id, b.writer.Flush(context.Background())
			}
		}
	}
}

func report(r appReport) int {
	_ = json.NewEncoder(os.Stdout).Encode(r)
	if r.Error != "" {
		return 2
	}
	return 0
}

// appProcess starts such an app and returns its report. Ending its stdin, or
// the test, ends it.
func appProcess(t *testing.T, prepare func(*exec.Cmd), args ...string) (*exec.Cmd, appReport) {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"app"}, args...)...)
	cmd.Env = append(os.Environ(), "APP_PROJECT="+t.TempDir())
	cmd.Stderr = os.Stderr
	if prepare != nil {
		prepare(cmd)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	var r appReport
	if err := json.NewDecoder(out).Decode(&r); err != nil {
		t.Fatal(fmt.Errorf("the app said nothing: %w", err))
	}
	return cmd, r
}

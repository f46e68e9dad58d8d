package backend

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"testing"

	"kandev/backend/attach"
	"kandev/backend/catalog"
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
	Catalog    *catalog.Catalog // of our server; not part of the attachment's JSON
}

// runApp is the app as a process: it opens home, and with the further arguments
// agent and prompt it runs a session of its own, beside the login of a third. It reports, again for each
// line on stdin, and lives until stdin ends.
func runApp(home string, args []string) int {
	b, wake, err := openChild(home)
	if err != nil {
		return report(appReport{Error: err.Error()})
	}
	r := appReport{Memory: b.memory.Load()}
	if len(args) > 2 {
		if err := b.StartAgentLogin(args[2]); err != nil {
			return report(appReport{Error: err.Error()})
		}
	}
	if len(args) > 1 {
		r.Session, err = appSession(b, args[0], args[1], wake)
		if err != nil {
			r.Error = err.Error()
		}
		r.Attachment, _, _, _ = b.Attachment(context.Background(), r.Session)
		if c := r.Attachment.Current(); c != nil && len(c.Servers) > 0 {
			r.Catalog = c.Servers[0].Catalog
		}
	}
	r.Snapshot = b.Snapshot()
	// What the snapshot shows may be newer than the last flush, and whoever reads
	// the report may kill this process at once.
	if len(args) > 1 && r.Error == "" {
		_ = b.writer.Flush(context.Background()) // a full disk is what some tests are about
	}
	report(r)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); report(r) {
		_ = b.RenameSession(r.Session, newID("title")) // something to store
		r.Snapshot = b.Snapshot()
	}
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
			h, _, _, _ := b.Attachment(context.Background(), id)
			counted := h.Current() != nil && len(h.Current().Servers) > 0 && h.Current().Servers[0].TokensTotal != nil
			done := s.Waiting > 0 && counted || s.State == string(session.Ready) && len(items) > 1 && counted || s.State == string(session.Failed)
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

// appCommand is an app in a process of its own. The test's end ends it.
type appCommand struct {
	*exec.Cmd
	t       *testing.T
	in      io.WriteCloser
	reports *json.Decoder
}

// appProcess starts one and returns its first report.
func appProcess(t *testing.T, prepare func(*exec.Cmd), args ...string) (*appCommand, appReport) {
	t.Helper()
	cmd, in, out := childCommand(t, append([]string{"app"}, args...)...)
	if prepare != nil {
		prepare(cmd)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	c := &appCommand{cmd, t, in, json.NewDecoder(out)}
	return c, c.next()
}

func (c *appCommand) next() (r appReport) {
	c.t.Helper()
	if err := c.reports.Decode(&r); err != nil {
		c.t.Fatalf("the app said nothing: %v", err)
	}
	return r
}

// end quits the app in order.
func (c *appCommand) end() {
	c.t.Helper()
	_ = c.in.Close()
	if err := c.Wait(); err != nil {
		c.t.Errorf("it ended with %v", err)
	}
}

// again asks for another report.
func (c *appCommand) again() appReport {
	c.t.Helper()
	if _, err := io.WriteString(c.in, "\n"); err != nil {
		c.t.Fatal(err)
	}
	return c.next()
}

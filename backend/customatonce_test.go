package backend

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"

	"kandev/backend/agent"
	"kandev/backend/session"
)

// TestCustomAtOnce: an agent of the person's own is removed while a server is
// kept for it, its login begins, it is edited and a session starts. When it is
// gone, so is all that was kept for it, and nothing of it runs.
func TestCustomAtOnce(t *testing.T) {
	a := fakeApp(t)
	for range 12 {
		id := a.custom(mannerLogin, func(c *CustomChange) { c.Env = []ServerValue{{Name: "MY_KEY", Value: customValue}} })
		s := a.with(id)
		var wg sync.WaitGroup
		begin := make(chan struct{})
		for _, f := range []func(){
			func() { _ = a.StartAgentLogin(id) },
			func() {
				_, _ = a.SaveOwnServer(t.Context(), ServerChange{
					Server:  agent.OwnServer{Agent: id, Name: "late", Transport: "http", URL: "http://127.0.0.1:1/mcp"},
					Headers: []ServerValue{{Name: "X", Value: customValue}},
				})
			},
			func() {
				_, _ = a.SaveCustomAgent(t.Context(), CustomChange{
					Agent: agent.Custom{ID: id, Name: newID("n"), Line: agent.ShellWord(os.Args[0]) + " fake " + mannerPlain},
					Env:   []ServerValue{{Name: "OTHER", Value: customValue}},
				})
			},
			func() { _ = a.StopSession(context.Background(), s) },
			func() { _ = a.DeleteCustomAgent(t.Context(), id) },
			func() { _ = a.StartSession(t.Context(), s) },
			func() { _ = a.DeleteCustomAgent(t.Context(), id) },
		} {
			wg.Go(func() { <-begin; f() })
		}
		close(begin)
		wg.Wait()
		if err := a.StopSession(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if a.found(id).Custom != nil { // the start was first
			if err := a.DeleteCustomAgent(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
		if l := a.loginOf(id); l != nil && !isClosed(l.over) {
			t.Error("its login runs on")
		}
		all, err := a.db.Servers(t.Context())
		if err != nil || len(all) != 0 {
			t.Fatalf("servers of no agent: %+v %v", all, err)
		}
		if rows, err := a.db.CustomAgents(t.Context()); err != nil || len(rows) != 0 {
			t.Fatalf("%+v %v", rows, err)
		}
		if b, err := os.ReadFile(a.path(secretsName)); err != nil || strings.Contains(string(b), customValue) {
			t.Fatalf("a value is left: %s %v", b, err)
		}
		if row := a.row(s); session.State(row.State).Live() || !row.Gone {
			t.Errorf("%+v", row)
		}
	}
	if n := a.guarded(); n != 0 {
		t.Errorf("%d processes", n)
	}
}

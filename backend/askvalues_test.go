package backend

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kandev/backend/agent"
	"kandev/backend/attach"
	"kandev/backend/session"
)

// stdioServer is a server that is a program, with one secret variable.
func stdioServer(name, manner, value string) ServerChange {
	return ServerChange{
		Server: agent.OwnServer{Agent: "fake-" + manner, Name: name, Transport: "stdio", Command: os.Args[0]},
		Env:    []ServerValue{{Name: "KEY", Value: value}},
	}
}

// askingApp asks for values, and has one server with a variable for agents of a
// manner.
func askingApp(t *testing.T, home, manner string, change ...func(*Options)) (*testApp, string) {
	t.Helper()
	a := openApp(t, home, append([]func(*Options){fakes}, change...)...)
	id := a.saveServer(stdioServer("notes", manner, "sentinelstored"))
	if err := a.AskValues(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	return a, id
}

// asks waits until a session's start asks for values.
func (a *testApp) asks(id session.ID) []AskedServer {
	a.t.Helper()
	a.until("the start to ask for values", func() bool { return a.row(id).Asks })
	asked, err := a.ValuesAsked(id)
	if err != nil || a.row(id).State != string(session.Starting) {
		a.t.Fatalf("%v, %+v", err, a.row(id))
	}
	return asked
}

// notes is the server of askingApp in the current attempt.
func (a *testApp) notesServer(id session.ID) attach.Server {
	a.t.Helper()
	h := a.history(id)
	i := slices.IndexFunc(h.Current().Servers, func(s attach.Server) bool { return s.Name == "notes" })
	if i < 0 {
		a.t.Fatalf("no server notes in %+v", h.Current().Servers)
	}
	return h.Current().Servers[i]
}

// given is what the agent of a session was given of the person's servers.
func (a *testApp) toldServers(id session.ID) string {
	a.t.Helper()
	path := filepath.Join(a.folder(id), "servers")
	_ = os.Remove(path)
	a.say(id, "servers")
	a.inState(id, session.Ready)
	var text []byte
	a.until("the agent to write what it was given", func() (ok bool) {
		var err error
		text, err = os.ReadFile(path)
		return err == nil && len(text) > 0
	})
	return string(text)
}

// TestAskValues: switched on, stored values are forgotten; a start waits for
// them, gives them to the agent, and no file of ours holds them.
func TestAskValues(t *testing.T) {
	home := t.TempDir()
	a, server := askingApp(t, home, mannerPlain, func(o *Options) { o.Log = nil })
	a.level.Set(-8)
	if got := within(files(t, home), "sentinelstored"); got != nil {
		t.Errorf("switched on, the value is still in %v", got)
	}
	c := stdioServer("notes", mannerPlain, "sentinelignored")
	c.Server.ID = server
	a.saveServer(c)
	id := a.begin(mannerPlain, "")
	asked := a.asks(id)
	if len(asked) != 1 || asked[0].ID != server || asked[0].Name != "notes" || !slices.Equal(asked[0].Env, []string{"KEY"}) || len(asked[0].Headers) != 0 {
		t.Errorf("asked for %+v", asked)
	}
	typed := TypedValue{Server: server, Name: "KEY", Value: "sentinel\x00typed"}
	if err := a.GiveValues(id, []TypedValue{typed}); !errors.Is(err, agent.ErrServer) || strings.Contains(err.Error(), "sentinel") || !a.row(id).Asks {
		t.Errorf("a NUL: %v, %+v", err, a.row(id))
	}
	typed.Value = "sentineltyped"
	if err := a.GiveValues(id, []TypedValue{typed}); err != nil {
		t.Fatal(err)
	}
	if err := a.GiveValues(id, nil); !errors.Is(err, errNotAsked) {
		t.Errorf("given twice: %v", err)
	}
	a.inState(id, session.Ready)
	if s := a.notesServer(id); s.Status != attach.StatusDelivered || a.row(id).Asks {
		t.Errorf("%+v", s)
	}
	if got := a.toldServers(id); !strings.Contains(got, "sentineltyped") {
		t.Errorf("the agent was given %s", got)
	}
	if err := a.StopSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := a.StartSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.asks(id) // what was typed was for that start only
	a.quit()
	if got := within(files(t, home), "sentineltyped"); got != nil {
		t.Errorf("the typed value is in %v", got)
	}
}

// TestValuesNotGiven: without its value a server is withheld with the reason,
// and the session starts all the same: cancelled, left empty, or too late.
func TestValuesNotGiven(t *testing.T) {
	for name, answer := range map[string]func(a *testApp, id session.ID, server string) error{
		"cancelled": func(a *testApp, id session.ID, _ string) error { return a.GiveValues(id, nil) },
		"empty": func(a *testApp, id session.ID, server string) error {
			return a.GiveValues(id, []TypedValue{{Server: server, Name: "KEY"}})
		},
		"of a header": func(a *testApp, id session.ID, server string) error {
			return a.GiveValues(id, []TypedValue{{Server: server, Header: true, Name: "KEY", Value: "x"}})
		},
		"too late": nil,
	} {
		t.Run(name, func(t *testing.T) {
			a, server := askingApp(t, t.TempDir(), mannerPlain, func(o *Options) {
				if answer == nil {
					o.valuesWait = 100 * time.Millisecond
				}
			})
			id := a.begin(mannerPlain, "")
			if answer != nil {
				a.asks(id)
				if err := answer(a, id, server); err != nil {
					t.Fatal(err)
				}
			}
			a.inState(id, session.Ready)
			s := a.notesServer(id)
			if s.Status != attach.StatusFiltered || s.Summary != "The value of KEY is not stored, and was not given at this start." {
				t.Errorf("%+v", s)
			}
			if got := a.toldServers(id); got != "[]" {
				t.Errorf("the agent was given %s", got)
			}
		})
	}
}

// TestStopWhileAsked: a session that is stopped or deleted while it is asked
// starts no agent; the end of the app does not wait either.
func TestStopWhileAsked(t *testing.T) {
	a, _ := askingApp(t, t.TempDir(), mannerPlain)
	id := a.begin(mannerPlain, "")
	a.asks(id)
	if err := a.StopSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if row := a.row(id); row.State != string(session.Stopped) || row.Asks || row.Reason != "Stopped by you." {
		t.Errorf("%+v", row)
	}
	if n := a.guarded(); n != 0 {
		t.Errorf("%d processes", n)
	}
	if err := a.StartSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.asks(id)
	a.quit()
}

// TestRestartAsksOnce: an agent that is restarted for a new attempt is the same
// start, and gets what was typed.
func TestRestartAsksOnce(t *testing.T) {
	a, server := askingApp(t, t.TempDir(), mannerEnv)
	id := a.begin(mannerEnv, "")
	a.asks(id)
	if err := a.GiveValues(id, []TypedValue{{Server: server, Name: "KEY", Value: "typed once"}}); err != nil {
		t.Fatal(err)
	}
	a.inState(id, session.Ready)
	before := len(a.history(id).Attempts)
	if err := a.ResetSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.until("a new attempt", func() bool {
		return len(a.history(id).Attempts) > before && a.row(id).State == string(session.Ready)
	})
	if s := a.notesServer(id); s.Status != attach.StatusDelivered {
		t.Errorf("%+v", s)
	}
}

// TestAskValuesOff: what is not stored stays asked for until it is typed again.
func TestAskValuesOff(t *testing.T) {
	a, server := askingApp(t, t.TempDir(), mannerPlain)
	if err := a.AskValues(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	keep := stdioServer("renamed", mannerPlain, "")
	keep.Server.ID, keep.Env[0].Keep = server, true
	a.saveServer(keep)
	if rows := a.servers(); len(unstoredOf(rows)) != 1 {
		t.Errorf("%+v", rows)
	}
	c := stdioServer("renamed", mannerPlain, "typed again")
	c.Server.ID = server
	a.saveServer(c)
	id := a.begin(mannerPlain, "")
	a.inState(id, session.Ready)
	if got := a.toldServers(id); !strings.Contains(got, "typed again") {
		t.Errorf("the agent was given %s", got)
	}
}

// TestAskValuesBesideABadRow: one server that cannot be read does not keep the
// values of the others stored.
func TestAskValuesBesideABadRow(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	a.saveServer(stdioServer("notes", mannerPlain, "sentinelstored"))
	a.exec(a.foreign(), `INSERT INTO own_server (id, position, body) VALUES ('bad', 9, '{')`)
	if err := a.AskValues(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(home, secretsName)); err == nil && strings.Contains(string(b), "sentinelstored") {
		t.Error("the value is still stored")
	}
}

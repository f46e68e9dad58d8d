package backend

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kandev/backend/agent"
)

// webServer is a server over HTTP with one secret header.
func webServer(name, url, value string) ServerChange {
	return ServerChange{
		Server:  agent.OwnServer{Agent: "fake-plain", Name: name, Transport: "http", URL: url},
		Headers: []ServerValue{{Name: "Authorization", Value: value}},
	}
}

func (a *testApp) saveServer(c ServerChange) string {
	a.t.Helper()
	id, err := a.SaveOwnServer(a.t.Context(), c)
	if err != nil {
		a.t.Fatal(err)
	}
	return id
}

func (a *testApp) servers() []agent.OwnServer {
	a.t.Helper()
	out, err := a.OwnServers(a.t.Context(), "fake-plain")
	if err != nil {
		a.t.Fatal(err)
	}
	return out
}

// given is what an agent is given at a start at which nothing is typed.
func (a *testApp) given(agentID string) []agent.Server {
	return a.withValues(a.t.Context(), a.ownServersOn(a.t.Context(), agentID), nil)
}

// TestOwnServers: a value is kept apart from the row, stays when the person
// changes something else, and is gone from every file when it is replaced or
// its server deleted.
func TestOwnServers(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes, func(o *Options) { o.Log = nil })
	a.level.Set(-8)
	c := webServer("notes", "https://example.test/mcp", "sentinelfirst")
	c.Server.ID = a.saveServer(c)
	holds := func(text string) []string { return within(files(t, home), text) }
	if got := holds("sentinelfirst"); !slices.Equal(got, []string{secretsName}) {
		t.Errorf("the value is in %v", got)
	}
	c.Server.Name, c.Headers[0] = "notes two", ServerValue{Name: "Authorization", Keep: true}
	a.saveServer(c)
	if got := a.given("fake-plain"); len(got) != 1 || got[0].Name != "notes two" || got[0].Headers[0].Value != "sentinelfirst" {
		t.Errorf("after a change: %+v", got)
	}
	c.Headers[0] = ServerValue{Name: "Authorization", Value: "sentinelsecond"}
	a.saveServer(c)
	if got := holds("sentinelfirst"); got != nil {
		t.Errorf("the value of before is in %v", got)
	}
	a.quit()

	b := openApp(t, home, fakes)
	if got := b.given("fake-plain"); len(got) != 1 || got[0].Headers[0].Value != "sentinelsecond" {
		t.Errorf("after a restart: %+v", got)
	}
	if got := b.given("fake-other"); got != nil {
		t.Errorf("another agent is given %+v", got)
	}
	if err := b.DeleteOwnServer(t.Context(), c.Server.ID); err != nil {
		t.Fatal(err)
	}
	if err := b.DeleteOwnServer(t.Context(), c.Server.ID); !errors.Is(err, agent.ErrServerNotFound) {
		t.Errorf("deleted again: %v", err)
	}
	if got := holds("sentinelsecond"); got != nil || len(b.servers()) != 0 {
		t.Errorf("after delete: %v, %v", got, b.servers())
	}
}

// TestServerRefused: nothing is kept of what cannot be kept, and no error holds
// a value.
func TestServerRefused(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	for name, change := range map[string]func(*ServerChange){
		"reserved":      func(c *ServerChange) { c.Server.Name = " KanDev" },
		"unknown agent": func(c *ServerChange) { c.Server.Agent = "nobody" },
		"gone":          func(c *ServerChange) { c.Server.ID = "m_gone" },
		"keeps nothing": func(c *ServerChange) { c.Headers = append(c.Headers, ServerValue{Name: "X", Keep: true}) },
		"line break":    func(c *ServerChange) { c.Headers[0].Value = "sentinelvalue\n" },
		"too long":      func(c *ServerChange) { c.Headers[0].Value = strings.Repeat("sentinelvalue", 999) },
	} {
		c := webServer("notes", "https://example.test", "sentinelvalue")
		change(&c)
		if id, err := a.SaveOwnServer(t.Context(), c); err == nil || id != "" || strings.Contains(err.Error(), "sentinelvalue") {
			t.Errorf("%s: %q %v", name, id, err)
		}
	}
	if got := within(files(t, home), "sentinelvalue"); got != nil || len(a.servers()) != 0 {
		t.Errorf("kept: %v %v", got, a.servers())
	}
}

// TestImportServers: one that is refused does not hold up the others.
func TestImportServers(t *testing.T) {
	a := openApp(t, t.TempDir(), fakes)
	text := `{"mcpServers":{"Kandev ":{"command":"x"},"web":{"url":"https://h/mcp","type":"http","headers":{"K":"v"}},"WEB":{"command":"y"},"tool":{"command":"c","env":{"T":"${TOKEN}"},"cwd":"/"}},"theme":1}`
	got, err := a.ImportServers(t.Context(), "fake-plain", text)
	if err != nil || len(got.Servers) != 4 || !slices.Equal(got.Others, []string{"theme"}) {
		t.Fatalf("%+v %v", got, err)
	}
	for i, says := range []string{"reserved", "", "another server of this agent is named web", ""} {
		if s := got.Servers[i]; (says == "") != (s.Reason == "") || !strings.Contains(s.Reason, says) {
			t.Errorf("%s: %q, want %q", s.Name, s.Reason, says)
		}
	}
	if notes := strings.Join(got.Servers[3].Notes, " "); !strings.Contains(notes, `"cwd"`) || !strings.Contains(notes, "${…}") {
		t.Errorf("notes %q", notes)
	}
	if s := a.given("fake-plain"); len(s) != 2 || s[0].Headers[0].Value != "v" || s[1].Env[0].Value != "${TOKEN}" {
		t.Errorf("%+v", s)
	}
	if _, err := a.ImportServers(t.Context(), "fake-plain", "sentinel"); !errors.Is(err, agent.ErrImport) {
		t.Errorf("no configuration: %v", err)
	}
}

// TestWithheld: a server that cannot be given is filtered, with the reason.
func TestWithheld(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	a.saveServer(ServerChange{Server: agent.OwnServer{Agent: "fake-plain", Name: "no program", Transport: "stdio", Command: "no-such-program sentinelkey"}})
	a.saveServer(ServerChange{Server: agent.OwnServer{Agent: "fake-plain", Name: "unknown program", Transport: "stdio", Command: "no-such-program"}})
	a.saveServer(webServer("no value", "https://example.test/x?key=sentinelkey", "v"))
	off := webServer("switched off", "https://example.test", "v")
	off.Server.Off = true
	a.saveServer(off)
	if err := os.Remove(filepath.Join(home, secretsName)); err != nil {
		t.Fatal(err)
	}
	id := a.begin(mannerPlain, "hello")
	a.said(id, "you said hello")
	servers := a.history(id).Current().Servers
	if len(servers) != 4 {
		t.Fatalf("%+v", servers)
	}
	for i, says := range []string{"no-such-program is a whole command line", "no-such-program is not in the PATH", "Authorization"} {
		s := servers[i+1]
		if s.Status != "filtered" || s.Reason != "withheld" || !strings.Contains(s.Summary, says) || s.Times.Delivered != nil {
			t.Errorf("%+v", s)
		}
		if strings.Contains(s.Target+s.Summary, "sentinelkey") {
			t.Errorf("target %q, summary %q", s.Target, s.Summary)
		}
	}
}

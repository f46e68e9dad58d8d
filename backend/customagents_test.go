package backend

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kandev/backend/agent"
	"kandev/backend/session"
	"kandev/backend/sqlite"
)

const customValue = "S3NT-custom-value"

// custom keeps an agent whose command is this test binary with a manner.
func (a *testApp) custom(manner string, change ...func(*CustomChange)) string {
	a.t.Helper()
	c := CustomChange{Agent: agent.Custom{Name: "Mine " + manner, Line: fmt.Sprintf("%q fake %s", os.Args[0], manner)}}
	for _, f := range change {
		f(&c)
	}
	id, err := a.SaveCustomAgent(a.t.Context(), c)
	if err != nil {
		a.t.Fatal(err)
	}
	return id
}

// with starts a session with an agent.
func (a *testApp) with(agentID string) session.ID {
	a.t.Helper()
	id, err := a.NewSession(a.t.Context(), NewSession{Project: a.project().ID, Agent: agentID})
	if err != nil {
		a.t.Fatal(err)
	}
	return id
}

// found is what the window is told of an agent.
func (a *testApp) found(id string) FoundAgent {
	a.t.Helper()
	all := a.Agents(a.t.Context())
	i := slices.IndexFunc(all, func(f FoundAgent) bool { return f.ID == id })
	if i < 0 {
		return FoundAgent{}
	}
	return all[i]
}

// TestCustomAgent: kept, found, started with its values, renamed, there after a
// restart, and removed with all that was kept for it; its session stays.
func TestCustomAgent(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	id := a.custom(mannerPlain, func(c *CustomChange) { c.Env = []ServerValue{{Name: "MY_KEY", Value: customValue}} })
	if f := a.found(id); !f.Installed || f.Path != os.Args[0] || f.Custom == nil || f.Pending || !strings.HasPrefix(id, agent.CustomPrefix) {
		t.Errorf("%+v", f)
	}
	a.saveServer(ServerChange{Server: agent.OwnServer{Agent: id, Name: "notes", Transport: "http", URL: "http://127.0.0.1:1/mcp"}, Headers: []ServerValue{{Name: "X", Value: "other value"}}})
	s := a.with(id)
	a.inState(s, session.Ready)
	a.say(s, "call list_tasks {}")
	a.said(s, `"tasks"`)
	a.inState(s, session.Ready)
	a.say(s, "env")
	a.said(s, "MY_KEY="+customValue)
	a.inState(s, session.Ready)
	if err := a.DeleteCustomAgent(t.Context(), id); !errors.Is(err, errAgentRuns) || a.found(id).Custom == nil {
		t.Errorf("removed while it runs: %v", err)
	}
	a.custom(mannerPlain, func(c *CustomChange) {
		c.Agent.ID, c.Agent.Name, c.Env = id, "Renamed", []ServerValue{{Name: "MY_KEY", Keep: true}}
	})
	if name := a.row(s).AgentName; name != "Renamed 9" {
		t.Errorf("the row says %q", name)
	}
	a.quit()
	holds := holding(t, home, customValue)
	if want := []string{secretsName}; !slices.Equal(slices.DeleteFunc(holds, func(n string) bool { return strings.HasPrefix(n, sqlite.FileName) }), want) {
		t.Errorf("the value is in %v", holds)
	}

	a = openApp(t, home, fakes)
	if row := a.row(s); row.Gone || row.AgentName != "Renamed 9" {
		t.Errorf("%+v", row)
	}
	if err := a.StartSession(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	a.inState(s, session.Ready)
	if err := a.StopSession(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if err := a.DeleteCustomAgent(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if row := a.row(s); !row.Gone || row.Reason != agentGone || row.AgentName != "Renamed 9" {
		t.Errorf("%+v", row)
	}
	if _, ok := a.last(s, session.ItemMessage); !ok {
		t.Error("its session cannot be read")
	}
	if err := a.StartSession(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	a.inState(s, session.Failed)
	if !strings.Contains(a.notes(s), agentGone) {
		t.Error(a.notes(s))
	}
	if b, err := os.ReadFile(filepath.Join(home, secretsName)); err != nil || strings.Contains(string(b), "value") {
		t.Errorf("%s, %v", b, err)
	}
	for _, err := range []error{a.DeleteCustomAgent(t.Context(), id), a.saveAgain(id)} {
		if !errors.Is(err, agent.ErrCustomGone) {
			t.Error(err)
		}
	}
	a.quit()
	if a = openApp(t, home, fakes); !a.row(s).Gone || a.found(id).Custom != nil {
		t.Errorf("after a restart: %+v", a.row(s))
	}
}

func (a *testApp) saveAgain(id string) error {
	_, err := a.SaveCustomAgent(a.t.Context(), CustomChange{Agent: agent.Custom{ID: id, Name: "x", Line: "x"}})
	return err
}

// holding names the files below a folder that hold a text.
func holding(t *testing.T, home, text string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(home, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if strings.Contains(string(b), text) {
			names = append(names, d.Name())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestCustomValues: what the agent is given is hidden in what it says of its end,
// and a value that is gone ends the start with its name.
func TestCustomValues(t *testing.T) {
	a := fakeApp(t)
	id := a.custom("", func(c *CustomChange) {
		c.Agent.Line = `sh -c "echo the key is $KEY >&2; exit 3"`
		c.Env = []ServerValue{{Name: "KEY", Value: customValue}}
	})
	s := a.with(id)
	a.inState(s, session.Failed)
	if got := a.notes(s); strings.Contains(got, customValue) || !strings.Contains(got, "the key is [redacted]") {
		t.Error(got)
	}
	if err := a.StartAgentLogin(id); err != nil {
		t.Fatal(err)
	}
	a.until("the end of the login", func() bool { return a.AgentLogin(id).State == LoginFailed })
	if got := a.AgentLogin(id).Text; strings.Contains(got, customValue) || !strings.Contains(got, "[redacted]") {
		t.Error(got)
	}
	one, _ := a.customs.find(id)
	if err := a.secrets.Delete(t.Context(), one.Env[0].Secret); err != nil {
		t.Fatal(err)
	}
	if err := a.StartSession(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	a.until("the sentence", func() bool { return strings.Contains(a.notes(s), "The stored value of KEY could not be read.") })
}

// TestCustomBearers: each way that a person can choose reaches our server.
func TestCustomBearers(t *testing.T) {
	a := fakeApp(t)
	for manner, way := range map[string]agent.BearerFrom{
		mannerPlain: agent.BearerHeader, mannerEnv: agent.BearerEnv, mannerPath: agent.BearerPath, mannerBridge: agent.BearerBridge,
	} {
		id := a.custom(manner, func(c *CustomChange) { c.Agent.Bearer = way })
		s := a.with(id)
		a.inState(s, session.Ready)
		a.say(s, "call list_tasks {}")
		a.said(s, `"tasks"`)
	}
}

// TestCustomFaults: each ends in a sentence that says what was run and what to do.
func TestCustomFaults(t *testing.T) {
	a := openApp(t, t.TempDir(), fakes, func(o *Options) { o.limits.Initialize = 400 })
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"no-such-agent --acp":                 "The agent's program no-such-agent was not found. Kandev looked in the",
		dir:                                   dir + " is a folder, not a program.",
		filepath.Join(dir, "none"):            "none does not exist.",
		plain:                                 plain + " cannot be executed.",
		"./agent":                             "./agent is a relative path. Write the whole path, or a name that the PATH has.",
		"~/kandev-no-such-agent":              "kandev-no-such-agent does not exist.",
		`sh -c "echo garbage; sleep 60"`:      "The agent did not answer in time.",
		`sh -c "echo last words >&2; exit 7"`: "It ran sh -c echo last words >&2; exit 7: exit code 7.\nIts last output:\nlast words",
		fmt.Sprintf("%q fake version2", os.Args[0]):  "agent speaks ACP v2, Kandev supports v1",
		fmt.Sprintf("%q fake dies '' x", os.Args[0]): "exit code 127",
	} {
		id := a.custom("", func(c *CustomChange) { c.Agent.Name, c.Agent.Line = newID("name"), line })
		if f := a.found(id); !f.Installed && f.Why == "" || f.Installed && f.Why != "" {
			t.Errorf("%s: %+v", line, f)
		}
		s := a.with(id)
		a.inState(s, session.Failed)
		if got := a.notes(s); !strings.Contains(got, want) {
			t.Errorf("%s: %s", line, got)
		}
	}
	if _, err := a.SaveCustomAgent(t.Context(), CustomChange{Agent: agent.Custom{Name: "x", Line: "x"}, Env: []ServerValue{{Name: "A", Keep: true}}}); !errors.Is(err, agent.ErrCustom) {
		t.Error(err)
	}
}

// TestCheckCommand takes lines apart and runs nothing.
func TestCheckCommand(t *testing.T) {
	a := openApp(t, t.TempDir())
	ran := filepath.Join(t.TempDir(), "ran")
	check, err := a.CheckCommand(t.Context(), fmt.Sprintf(`  sh -c "touch %s"`, ran))
	if err != nil || check.Path == "" || check.Why != "" || !slices.Equal(check.Words, []string{"sh", "-c", "touch " + ran}) {
		t.Errorf("%+v, %v", check, err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("it ran")
	}
	if check, err = a.CheckCommand(t.Context(), "no-such-agent"); err != nil || !strings.Contains(check.Why, "was not found") {
		t.Errorf("%+v, %v", check, err)
	}
	for _, line := range []string{"", "a 'b", "a\x00", strings.Repeat("x", 10000)} {
		if _, err := a.CheckCommand(t.Context(), line); !errors.Is(err, agent.ErrCustom) {
			t.Errorf("%.20q: %v", line, err)
		}
	}
}

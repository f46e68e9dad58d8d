package agent

import (
	"fmt"
	"strings"
	"testing"
)

// TestKnown: one row an agent, as spec/agents.md and the measurements have it.
// What is not in its row is not true of its client.
func TestKnown(t *testing.T) {
	rows := []struct {
		id, command string
		tool        string // how its model sees the tool t of the server s
		limit       int
		bearer      BearerFrom
		more        string // what else it does or does not
	}{
		{"toolbench", " agent", "t", 0, BearerHeader, ""},
		{"claude", "claude-agent-acp", "mcp__s__t", 128, BearerEnv, "defers loads resumes"},
		{"codex", "codex-acp", "mcp__s__t", 128, BearerHeader, "defers keeps-list loads resumes"},
		{"gemini", "gemini --acp", "mcp_s_t", 63, BearerHeader, "name-in-id loads kill-tree"},
		{"opencode", "opencode acp", "s_t", 0, BearerHeader, "loads resumes"},
		{"auggie", "auggie --acp", "t_s", 64, BearerHeader, "by-server assume-http keeps-address loads"},
		{"copilot", "copilot --acp", "s-t", 64, BearerHeader, "no-stdio loads"},
		{"qwen", "qwen --acp", "mcp__s__t", 63, BearerHeader, "defers keeps-list loads"},
	}
	if len(Known()) != len(rows) {
		t.Fatalf("%d agents, %d rows", len(Known()), len(rows))
	}
	for n, d := range Known() {
		row, c := rows[n], d.Capabilities
		got := fmt.Sprint(d.ID, "|", strings.Join(append([]string{d.Command}, d.Args...), " "), "|", form(c), "|", c.NameLimit, "|", c.BearerFrom, "|", does(c))
		want := fmt.Sprint(row.id, "|", row.command, "|", row.tool, "|", row.limit, "|", row.bearer, "|", row.more)
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if !d.Embedded && (d.Install == "" || d.Login == "" || c.MeasuredWith == "" || !strings.HasPrefix(c.MeasuredWith, d.Name)) {
			t.Errorf("%s does not say how to install it, how to log in or what was measured: %+v", d.ID, d)
		}
		if c.NameLimit > 0 != (c.BeyondLimit != "") || d.Facts.Values == "" || (d.Facts.Rewrites != "") != (len(d.Facts.RewriteKeys) > 0) {
			t.Errorf("%s: half of a fact is missing: %+v %+v", d.ID, c, d.Facts)
		}
		if len(c.EnvStrip)+len(c.EnvSet) > 0 {
			t.Errorf("%s: %+v", d.ID, c)
		}
		if found, ok := ByID(d.ID); !ok || found.Name != d.Name || strings.HasPrefix(d.ID, CustomPrefix) {
			t.Errorf("%s is not found by its id", d.ID)
		}
	}
}

func form(c Capabilities) string {
	return strings.NewReplacer("{server}", "s", "{tool}", "t").Replace(c.ModelName)
}

func does(c Capabilities) string {
	var out []string
	for _, is := range []struct {
		so   bool
		word string
	}{
		{c.NamespacesToolsByServer, "by-server"},
		{c.DefersTools, "defers"},
		{c.AssumeHTTP, "assume-http"},
		{c.AssumeSSE, "assume-sse"},
		{c.IgnoresMCPServers, "no-servers"},
		{c.IgnoresStdio, "no-stdio"},
		{c.NameInCallID, "name-in-id"},
		{c.IgnoresListChanged, "keeps-list"},
		{c.KeepsFirstAddress, "keeps-address"},
		{c.NativeLoad, "loads"},
		{c.NativeResume, "resumes"},
		{c.KillTree, "kill-tree"},
	} {
		if is.so {
			out = append(out, is.word)
		}
	}
	return strings.Join(out, " ")
}

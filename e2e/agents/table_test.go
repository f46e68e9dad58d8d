//go:build linux

package agents

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"kandev/backend/agent"
)

// The table that people read, and the part of it that people write.
const (
	tableFile = "../../docs/agents.md"
	notesFile = "notes.md"
)

const intro = "# Real agents\n\n" +
	"What was measured with the agents themselves, each run through the real app, offline, in a network namespace of its own, against a model provider of ours that answers by a script " +
	"([e2e/agents](../e2e/agents/README.md)). `make e2e-agents` writes this file; every CI run compares the rows of Auggie, Copilot, Gemini and Toolbench.\n"

// table is one of the tables: the columns after the agent's name.
type table struct {
	title   string
	text    string
	columns []string
	row     func(facts) []string
}

func tables() []table {
	return []table{
		{
			"Names and definitions",
			"The name is that of `ask_user_question_kandev`. Tokens are o200k_base of the definition as the provider received it, compact, and our estimate of the definition as it was served. " +
				"The third pair is all definitions of ours that the provider received until a list was read and a question answered, and our estimate of all that were served.",
			[]string{"npm package", "MCP client", "protocol", "name the model saw", "tokens, received / estimate", "all tools, received / estimate", "definitions held back"},
			func(f facts) []string {
				return []string{
					f.Version, f.Client, f.Protocol, code(f.Name), pair(f.Received, f.Estimate),
					fmt.Sprintf("%d tools %s", f.ReceivedTools, pair(f.ReceivedAll, f.EstimateAll)), f.Deferral,
				}
			},
		},
		{
			"How our server is reached",
			"The bearer was searched for in the command line of every process, in everything the provider was sent, and in the files that the agent wrote.",
			[]string{"transport", "bearer from", "where the bearer showed", "permission for a tool of ours that only reads"},
			func(f facts) []string { return []string{f.Transport, f.BearerFrom, f.BearerShown, f.Permission} },
		},
		{
			"Sessions",
			"The app was killed while the agent waited for an answer, with a stdio server of the person's configured. " +
				"The last columns are the rows of a person's own HTTP and stdio server, with a header and a variable; their own logs showed the agent where a row says delivered, and never the app.",
			[]string{"load after a stop", "reset", "list_changed", "kill -9 of the app", "own HTTP server", "own stdio server", "their values on a command line"},
			func(f facts) []string {
				return []string{f.Load, f.Reset, f.ListChanged, f.Kill, f.OwnHTTP, f.OwnStdio, f.OwnValues}
			},
		},
	}
}

func code(s string) string { return "`" + s + "`" }

func pair(received, estimate int) string {
	if received == 0 {
		return fmt.Sprintf("– / %d", estimate)
	}
	return fmt.Sprintf("%d / %d", received, estimate)
}

// line is an agent's row of a table.
func (tb table) line(f facts) string {
	known, _ := agent.ByID(f.Agent)
	cells := append([]string{known.Name}, tb.row(f)...)
	for i, c := range cells {
		if cells[i] = strings.ReplaceAll(c, "|", `\|`); c == "" {
			cells[i] = "–"
		}
	}
	return "| " + strings.Join(cells, " | ") + " |"
}

// checkTable writes what was measured into docs/agents.md, where the run wants
// it, and keeps the rows of agents that did not run. Else it compares.
func checkTable(t *testing.T, all []facts) {
	t.Helper()
	old, err := os.ReadFile(tableFile)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	was := strings.Split(string(old), "\n")
	if os.Getenv(envDocs) == "" {
		for _, tb := range tables() {
			for _, f := range all {
				if line := tb.line(f); !slices.Contains(was, line) {
					t.Errorf("docs/agents.md, %s, says something else of %s (`make e2e-agents AGENTS=%s` writes its rows anew). Measured:\n%s", tb.title, f.Agent, f.Agent, line)
				}
			}
		}
		return
	}
	notes, err := os.ReadFile(notesFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(tableFile, []byte(render(all, was)+string(notes)), 0o644); err != nil {
		t.Fatal(err)
	}
}

func render(all []facts, was []string) string {
	var b strings.Builder
	b.WriteString(intro)
	for _, tb := range tables() {
		title := "## " + tb.title
		before := []string{} // the old rows of this table
		if at := slices.Index(was, title); at >= 0 {
			before = was[at:]
			if end := slices.IndexFunc(before[1:], func(l string) bool { return strings.HasPrefix(l, "## ") }); end >= 0 {
				before = before[:end+1]
			}
		}
		fmt.Fprintf(&b, "\n%s\n\n%s\n\n| agent | %s |\n|%s\n", title, tb.text, strings.Join(tb.columns, " | "), strings.Repeat("---|", len(tb.columns)+1))
		for _, known := range agent.Known() {
			line := ""
			for _, l := range before {
				if strings.HasPrefix(l, "| "+known.Name+" |") {
					line = l
				}
			}
			for _, f := range all {
				if f.Agent == known.ID {
					line = tb.line(f)
				}
			}
			if line != "" {
				b.WriteString(line + "\n")
			}
		}
	}
	return b.String() + "\n"
}

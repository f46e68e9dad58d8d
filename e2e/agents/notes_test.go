package agents

import (
	"os"
	"strings"
	"testing"
)

// TestNotes: the end of docs/agents.md, which people write, is notes.md. Unlike
// the tables it needs no agents.
func TestNotes(t *testing.T) {
	notes, err := os.ReadFile("notes.md")
	if err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile("../../docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(string(table), string(notes)) {
		t.Error("docs/agents.md does not end with e2e/agents/notes.md: put the notes there, or run make e2e-agents")
	}
}

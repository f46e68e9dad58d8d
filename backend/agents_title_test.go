package backend

import (
	"strings"
	"testing"

	"kandev/backend/acp"
	"kandev/backend/agent"
)

func TestAgentTitle(t *testing.T) {
	b := &Backend{o: Options{agents: func(string) (agent.Definition, bool) { return agent.Definition{}, false }}}
	for told, want := range map[string]string{
		"":                            "x",
		" \t ":                        "x",
		"1.2.3":                       "x 1.2.3",
		" 0.36.0 (commit 7c61e5bb)\n": "x 0.36.0",
		strings.Repeat("9", 100):      "x " + strings.Repeat("9", 40),
	} {
		if got := b.agentTitle("x", acp.Implementation{Version: told}); got != want {
			t.Errorf("%.50q: %q, want %q", told, got, want)
		}
	}
}

//go:build linux

package agents

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// facts is what was measured of one agent: a row of docs/agents.md. Nothing in
// it depends on the day or the machine.
type facts struct {
	Agent         string
	Version       string // of the npm package
	Client        string // what its MCP client calls itself
	Protocol      string
	Transport     string
	Name          string // of ask_user_question_kandev, as the model saw it
	Received      int    // tokens of that definition as the provider got it; 0 = it never did
	Estimate      int    // ours of the same tool
	ReceivedTools int    // our tools whose definition reached the provider in the first two turns
	ReceivedAll   int    // their tokens
	EstimateAll   int    // ours of all that were served
	Deferral      string
	BearerFrom    string
	BearerShown   string
	Permission    string
	ListChanged   string
	Load          string
	Reset         string
	OwnHTTP       string
	OwnStdio      string
	OwnValues     string // where the values of their headers and variables showed
	Kill          string // "" = something was left, or the next start was not clean
	Long          string // a question stayed open that long; "" = not tried
}

func (f *facts) write(t *testing.T, path string) {
	t.Helper()
	text, err := json.MarshalIndent(f, "", "  ")
	if err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		t.Error(err)
	}
	t.Logf("measured: %s", text)
}

func readFacts(t *testing.T, dir string, ids []string) (out []facts) {
	t.Helper()
	for _, id := range ids {
		var f facts
		text, err := os.ReadFile(filepath.Join(dir, id+".json"))
		if err == nil {
			err = json.Unmarshal(text, &f)
		}
		if err != nil {
			t.Fatalf("what was measured of %s: %v", id, err)
		}
		out = append(out, f)
	}
	return out
}

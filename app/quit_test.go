package app

import "testing"

func TestQuitQuestion(t *testing.T) {
	cases := []struct {
		agents []string
		want   string
	}{
		{[]string{"Toolbench"}, "Quit and stop 1 agent?\n\nToolbench"},
		{[]string{"Codex", "Toolbench"}, "Quit and stop 2 agents?\n\nCodex\nToolbench"},
	}
	for _, c := range cases {
		if got := quitQuestion(c.agents); got != c.want {
			t.Errorf("quitQuestion(%q) = %q, want %q", c.agents, got, c.want)
		}
	}
}

package agent

import "testing"

// Case 24.
func TestToolName(t *testing.T) {
	for _, c := range []struct {
		form  string
		limit int
		want  string
	}{
		{"mcp__{server}__{tool}", 128, "mcp__kandev__list_tasks_kandev"},
		{"{server}-{tool}", 64, "kandev-list_tasks_kandev"},
		{"{tool}_{server}", 64, "list_tasks_kandev_kandev"},
		{"mcp__{server}__{tool}", 29, ""}, // the client would change it
		{"{tool}", 0, ""},                 // any server's tool could have it
		{"", 0, ""},
	} {
		got := Capabilities{ModelName: c.form, NameLimit: c.limit}.ToolName("kandev", "list_tasks_kandev")
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.form, got, c.want)
		}
	}
}

// TestCouldName: a server whose name runs into its tool's name.
func TestCouldName(t *testing.T) {
	for _, c := range []struct {
		form, server, name string
		want               bool
	}{
		{"{server}_{tool}", "github", "kandev_list_tasks_kandev", false},
		{"{server}_{tool}", "kandev_list", "kandev_list_tasks_kandev", true},
		{"{server}_{tool}", "kandev list", "kandev_list_tasks_kandev", true},
		{"mcp__{server}__{tool}", "Kandev.list", "mcp__kandev__list_tasks_kandev", true},
		{"mcp__{server}__{tool}", "kandevious", "mcp__kandev__list_tasks_kandev", false},
		{"{tool}_{server}", "tasks-kandev", "list_tasks_kandev", true},
		{"{tool}_{server}", "github", "list_tasks_kandev", false},
	} {
		if got := (Capabilities{ModelName: c.form}).CouldName(c.server, c.name); got != c.want {
			t.Errorf("%q, server %q, name %q: %v", c.form, c.server, c.name, got)
		}
	}
}

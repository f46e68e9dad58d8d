package backend

import (
	"strings"
	"testing"

	"kandev/backend/agent"
	"kandev/backend/session"
)

// TestGivenValuesAreHidden: an agent that shows the person's values in its error
// and on stderr does not get them into any file but that of the values.
func TestGivenValuesAreHidden(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes, func(o *Options) { o.Log = nil })
	a.level.Set(-8)
	for _, manner := range []string{mannerRefuses, mannerPlain} {
		a.saveServer(ServerChange{
			Server: agent.OwnServer{Agent: "fake-" + manner, Name: "tool", Transport: "stdio", Command: "/bin/true"},
			Env:    []ServerValue{{Name: "A", Value: "sentinel plainvalue"}, {Name: "B", Value: "Bearer sentinel.opaque"}},
		})
	}
	id := a.begin(mannerPlain, "spill")
	a.inState(id, session.Failed)
	if notes := a.notes(id); !strings.Contains(notes, "spilled") || strings.Contains(notes, "sentinel") {
		t.Errorf("notes %q", notes)
	}
	refused := a.begin(mannerRefuses, "hello")
	a.inState(refused, session.Failed)
	if s := a.history(refused).Current().Servers; len(s) != 2 || !strings.Contains(s[1].Summary, "no room") {
		t.Errorf("%+v", s)
	}
	if err := a.writer.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{"sentinel plainvalue", "plainvalue", "sentinel.opaque"} {
		for _, name := range within(files(t, home), value) {
			if name != secretsName {
				t.Errorf("%q is in %s", value, name)
			}
		}
	}
}

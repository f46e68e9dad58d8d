package backend

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"kandev/backend/acp"
	"kandev/backend/agent"
	"kandev/backend/attach"
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
	servers := a.history(refused).Current().Servers
	if len(servers) != 2 {
		t.Fatalf("%+v", servers)
	}
	for _, s := range servers { // a refused request is one failure of each server that was delivered
		if s.Status != attach.StatusFailed || s.Reason != "session_refused" || !strings.Contains(s.Summary, "no room") {
			t.Errorf("%+v", s)
		}
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

// TestNoHalfValue: a value is taken out before a text is cut, in each spelling.
func TestNoHalfValue(t *testing.T) {
	const value = `sentinel "value" of a person`
	long := errors.New(strings.Repeat("word ", 48) + value)
	for name, text := range map[string]string{
		"a start":  failure(long, value),
		"a login":  failure(fmt.Errorf("%w: %w", errLogin, long), value),
		"a turn":   turnNote("", long, value),
		"a reason": turnNote(acp.StopReason(long.Error()), nil, value),
		"as JSON":  without(`said "sentinel \"value\" of a person"`, []string{value}),
		"in a URL": without("?k=sentinel+%22value%22+of+a+person", []string{value}),
	} {
		if strings.Contains(text, "sentinel") {
			t.Errorf("%s: %q", name, text)
		}
	}
}

// TestBearerIsHidden: what an agent says of a failure does not hold our bearer,
// whatever it looks like.
func TestBearerIsHidden(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "bearer")
	a.inState(id, session.Ready)
	bearer := a.bearer(id)
	c := a.conversation(id)
	c.mu.Lock()
	defer c.mu.Unlock()
	if got := c.hide("x" + bearer + "y"); got != "x[redacted]y" {
		t.Errorf("%q", got)
	}
}

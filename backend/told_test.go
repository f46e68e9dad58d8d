package backend

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"kandev/backend/attach"
	"kandev/backend/session"
)

// TestEventsHoldNoDefinition: not one event and no snapshot names a served tool
// or quotes a description, a schema, a prompt or an answer.
func TestEventsHoldNoDefinition(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "")
	a.inState(id, session.Ready)
	a.counted(id)
	a.say(id, `call create_task {"title":"T","prompt":"sentinelargument"}`)
	a.inState(id, session.Ready)
	a.calm()
	e := a.history(id).Current().Servers[0].Catalog.Entries[0]
	never := []string{e.Served, e.Description[:20], `"properties"`, "sentinelargument"}
	told, err := json.Marshal(a.seen())
	if err != nil {
		t.Fatal(err)
	}
	kept, err := json.Marshal(a.Snapshot())
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range never {
		if strings.Contains(string(told), word) || strings.Contains(string(kept), word) {
			t.Errorf("%q was told", word)
		}
	}
}

// TestEvidenceIsNoActivity: a session whose agent only connects, lists and
// calls did nothing that its row tells of.
func TestEvidenceIsNoActivity(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "")
	a.inState(id, session.Ready)
	a.counted(id)
	c := a.conversation(id)
	before := a.row(id)
	attempt := a.history(id).Current().ID
	for _, kind := range []attach.Kind{attach.ToolCallObserved, attach.HandshakeObserved, attach.ToolsChanged, attach.ConnectionClosed} {
		c.record(attach.Evidence{Kind: kind, Attempt: attempt, Server: attach.BuiltinServer, At: time.Now().Add(time.Hour)})
	}
	if after := a.row(id); after != before {
		t.Errorf("the row changed: %+v, %+v", before, after)
	}
	if a.builtin(id).Times.Used == 0 {
		t.Error("the evidence was not applied")
	}
}

// TestSeventhAttempt is told as the seventh, though three are kept.
func TestSeventhAttempt(t *testing.T) {
	var h attach.History
	for n := range 7 {
		h, _ = attach.Reduce(h, attach.Evidence{Kind: attach.Started, Attempt: fmt.Sprint("a", n)})
	}
	if v := attachmentView("s", h, true); v.Number != 7 {
		t.Errorf("number %d", v.Number)
	}
}

// TestAttemptOfAnotherLife: while an agent starts, what a life of it before left
// behind without an end, as a kill does, is not live (case 65).
func TestAttemptOfAnotherLife(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "")
	a.inState(id, session.Ready)
	a.counted(id)
	c := a.conversation(id)
	look := func() (told, pulled bool) {
		c.mu.Lock()
		told = c.attachmentView().Live
		c.mu.Unlock()
		_, _, pulled, err := a.Attachment(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return told, pulled
	}
	if told, pulled := look(); !told || !pulled {
		t.Errorf("the running agent: told %v, pulled %v", told, pulled)
	}
	c.mu.Lock()
	own := c.row.Execution
	c.row.State, c.row.Execution = session.Starting, "x_next"
	c.mu.Unlock()
	if told, pulled := look(); told || pulled {
		t.Errorf("an attempt of another execution: told %v, pulled %v", told, pulled)
	}
	c.mu.Lock()
	c.row.State, c.row.Execution = session.Ready, own
	c.mu.Unlock()
}

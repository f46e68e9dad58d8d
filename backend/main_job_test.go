package backend

import (
	"encoding/json"
	"strings"
	"testing"

	"kandev/backend/attach"
	"kandev/backend/catalog"
	"kandev/backend/question"
	"kandev/backend/session"
	"kandev/backend/tokens"
)

// TestMainJob: the first start runs the embedded agent; what it was served is
// seen, counted, kept, and there again after a restart.
func TestMainJob(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home)
	id := a.FirstRun()
	if id == "" {
		t.Fatal("no session on the first run")
	}
	a.inState(id, session.Ready)
	a.counted(id)
	server := a.builtin(id)
	if server.Name != "kandev" || *server.ToolCount != 5 || server.Method != catalog.Method || server.TokensCover != 5 {
		t.Errorf("%+v", server)
	}
	checkCatalog(t, a.history(id))

	a.say(id, "tools")
	a.inState(id, session.Ready)
	if m, ok := a.last(id, session.ItemMessage); !ok || !strings.Contains(m.Text, "ask_user_question_kandev") {
		t.Errorf("the agent said %q", m.Text)
	}
	a.say(id, `list_tasks {"limit": 10}`)
	a.until("a finished call", func() bool {
		i, ok := a.last(id, session.ItemTool)
		return ok && i.Tool.Status == toolCompleted && strings.Contains(i.Tool.Output, "Look around")
	})
	a.inState(id, session.Ready)
	a.until("the call counted", func() bool { u := a.history(id).Current().Uses; return len(u) == 1 && u[0].Calls == 1 })

	before := a.history(id)
	a.quit()

	b := openApp(t, home)
	if b.FirstRun() != "" {
		t.Error("a second start is no first run")
	}
	if got := b.row(id).State; got != string(session.Stopped) {
		t.Errorf("after the restart the session is %s", got)
	}
	after := b.history(id)
	if cat := after.Current().Servers[0].Catalog; cat == nil || !same(*cat, *before.Current().Servers[0].Catalog) {
		t.Errorf("the catalog is not the one from before")
	}
	if v := b.Snapshot().Attachments[0]; v.Live || v.Servers[0].ToolCount == nil {
		t.Errorf("%+v", v)
	}
	if err := b.StartSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	b.inState(id, session.Ready)
	b.counted(id)
	h := b.history(id)
	old := h.Attempts[0]
	if len(h.Attempts) != 2 || old.Superseded != h.Current().ID || old.Servers[0].Catalog != nil || *old.Servers[0].ToolCount != 5 || old.Servers[0].TokensTotal == nil || old.Uses != nil {
		t.Errorf("the superseded attempt: %+v", old)
	}
	if h.Current().Reason != attach.StartRestart {
		t.Errorf("the new attempt began for %q", h.Current().Reason)
	}
}

func checkCatalog(t *testing.T, h attach.History) {
	t.Helper()
	c := h.Current().Servers[0].Catalog
	if c == nil {
		t.Fatal("no catalog")
	}
	total := 0
	for _, e := range c.Entries {
		if e.Estimate == nil || *e.Estimate <= 0 || e.InputSchema == "" || e.Description == "" || e.Source.Kind != catalog.KindBuiltin {
			t.Errorf("%+v", e)
			continue
		}
		total += *e.Estimate
		if n := tokens.Count(e.InputSchema); e.Parts == nil || e.Parts.InputSchema != n {
			t.Errorf("%s: parts %+v, the schema has %d tokens", e.Served, e.Parts, n)
		}
	}
	if total != *c.TokensTotal {
		t.Errorf("the estimates add up to %d, the total says %d", total, *c.TokensTotal)
	}
}

func same(a, b any) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}

// TestQuestion: a question is asked through the agent, answered in the window,
// and the answer reaches the agent.
func TestQuestion(t *testing.T) {
	a := openApp(t, t.TempDir())
	id := a.FirstRun()
	a.inState(id, session.Ready)
	a.say(id, `ask_user_question {"questions":[{"prompt":"Which one?","options":[{"label":"red"},{"label":"blue"}]}],"context":"C"}`)
	a.until("an open question", func() bool { return len(a.Snapshot().Questions) == 1 })
	if a.row(id).Waiting != 1 {
		t.Error("the rail does not say that the session waits")
	}
	qid := a.Snapshot().Questions[0].ID
	if err := a.Answer(qid, []question.Answer{{Question: "q1", Chosen: []string{"green"}}}); err == nil {
		t.Error("an answer that does not fit was taken")
	}
	if err := a.Answer(qid, []question.Answer{{Question: "q1", Chosen: []string{"blue"}}}); err != nil {
		t.Fatal(err)
	}
	if err := a.Answer(qid, []question.Answer{{Question: "q1", Chosen: []string{"red"}}}); err == nil {
		t.Error("a second answer was taken")
	}
	a.inState(id, session.Ready)
	if i, _ := a.last(id, session.ItemTool); !strings.Contains(i.Tool.Output, "blue") {
		t.Errorf("the agent got %q", i.Tool.Output)
	}
	q, _, err := a.Backend.Question(t.Context(), qid)
	if err != nil || q.State != question.Answered || q.Answers[0].Chosen[0] != "blue" {
		t.Errorf("%+v (%v)", q, err)
	}
}

// TestStopTurnCancelsTheQuestion: the agent lives on, the question is visibly
// cancelled.
func TestStopTurnCancelsTheQuestion(t *testing.T) {
	a := openApp(t, t.TempDir())
	id := a.FirstRun()
	a.inState(id, session.Ready)
	a.say(id, `ask_user_question {"questions":[{"prompt":"?"}]}`)
	a.until("an open question", func() bool { return len(a.Snapshot().Questions) == 1 })
	qid := a.Snapshot().Questions[0].ID
	if err := a.CancelTurn(id); err != nil {
		t.Fatal(err)
	}
	a.inState(id, session.Ready)
	q, _, err := a.Backend.Question(t.Context(), qid)
	if err != nil || q.State != question.Cancelled || q.Reason != "You stopped the turn." {
		t.Errorf("%+v (%v)", q, err)
	}
	a.say(id, "tools")
	a.inState(id, session.Ready)
	if s := a.builtin(id); s.Status != string(attach.StatusActive) {
		t.Errorf("after a stop the server is %s", s.Status)
	}
}

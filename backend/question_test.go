package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kandev/backend/question"
	"kandev/backend/session"
)

// openQuestion waits for the one open question of the app and returns its id.
func (a *testApp) openQuestion(state question.State) string {
	a.t.Helper()
	var id string
	a.until("a question that is "+string(state), func() bool {
		q := a.Snapshot().Questions
		if len(q) == 1 && q[0].State == string(state) {
			id = q[0].ID
		}
		return id != ""
	})
	return id
}

// dropped is a session whose agent asked and hung up, and what it asked.
func (a *testApp) dropped() (id session.ID, q string) {
	a.t.Helper()
	id = a.begin(mannerPlain, "drop")
	a.said(id, "dropped")
	a.inState(id, session.Ready)
	return id, a.openQuestion(question.Detached)
}

// goOn lets an agent go on that waits for it.
func (a *testApp) goOn(id session.ID) {
	a.t.Helper()
	if err := os.WriteFile(filepath.Join(a.folder(id), "go"), nil, 0o600); err != nil {
		a.t.Fatal(err)
	}
}

func (a *testApp) bundle(id string) question.Bundle {
	a.t.Helper()
	q, _, err := a.Backend.Question(a.t.Context(), id)
	if err != nil {
		a.t.Fatal(err)
	}
	return q
}

var blue = []question.Answer{{Question: "q1", Chosen: []string{"blue"}}}

// TestDetached: the client is gone, the question is still answerable, and the
// answer goes out as the next prompt.
func TestDetached(t *testing.T) {
	a := fakeApp(t)
	id, q := a.dropped()
	if err := a.Answer(q, blue); err != nil {
		t.Fatal(err)
	}
	a.until("the answer as a prompt", func() bool {
		i, _ := a.last(id, session.ItemPrompt)
		return strings.Contains(i.Text, "Which?: blue")
	})
	a.said(id, "you said Answers")
	if got := a.bundle(q); got.State != question.Answered {
		t.Errorf("%+v", got)
	}
}

// TestDetachedWhileWorking: the answer waits for the end of the turn that asked.
func TestDetachedWhileWorking(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "dropstream")
	q := a.openQuestion(question.Detached)
	if err := a.Answer(q, blue); err != nil {
		t.Fatal(err)
	}
	a.goOn(id)
	a.said(id, "you said Answers")
	if strings.Contains(a.notes(id), lateNote) {
		t.Error("the answer was sent and is called late")
	}
}

// TestDetachedTooLate: after another prompt the answer is kept and not sent.
func TestDetachedTooLate(t *testing.T) {
	a := fakeApp(t)
	id, q := a.dropped()
	a.say(id, "hello")
	a.said(id, "you said hello")
	a.inState(id, session.Ready)
	if err := a.Answer(q, blue); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(a.notes(id), lateNote) || a.bundle(q).State != question.Answered {
		t.Errorf("%q, %+v", a.notes(id), a.bundle(q))
	}
}

// TestAskedAgain: the same question attaches to the open one, and its answer is
// an answer again, no prompt.
func TestAskedAgain(t *testing.T) {
	a := fakeApp(t)
	id, first := a.dropped()
	a.say(id, "ask")
	if again := a.openQuestion(question.Open); again != first {
		t.Errorf("asked again as %s, was %s", again, first)
	}
	if err := a.Answer(first, blue); err != nil {
		t.Fatal(err)
	}
	a.said(id, `"chosen":["blue"]`)
	a.inState(id, session.Ready)
	if i, _ := a.last(id, session.ItemPrompt); i.Text != "ask" {
		t.Errorf("a prompt %q was sent", i.Text)
	}
	if err := a.Answer(first, blue); !errors.Is(err, question.ErrClosed) {
		t.Errorf("a second answer: %v", err)
	}
}

// TestTwoWaiters: two calls of one question get the one answer.
func TestTwoWaiters(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "ask2")
	q := a.openQuestion(question.Open)
	a.until("two calls wait", func() bool {
		c, _ := a.find(id)
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.asked[q] != nil && c.asked[q].waiting == 2
	})
	if err := a.Answer(q, blue); err != nil {
		t.Fatal(err)
	}
	a.until("both are answered", func() bool {
		i, _ := a.last(id, session.ItemMessage)
		return strings.Count(i.Text, `"chosen":["blue"]`) == 2
	})
}

// TestTwoWaitersGone: when both calls go at once the question is detached, not
// open with nobody waiting.
func TestTwoWaitersGone(t *testing.T) {
	a := fakeApp(t)
	a.begin(mannerPlain, "drop2")
	q := a.openQuestion(question.Detached)
	if a.bundle(q).State != question.Detached {
		t.Error("not detached")
	}
}

// TestWithdrawn: notifications/cancelled takes the question back.
func TestWithdrawn(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "withdraw")
	a.openQuestion(question.Open)
	a.goOn(id)
	a.said(id, "withdrawn")
	a.until("no question", func() bool { return len(a.Snapshot().Questions) == 0 })
	i, ok := a.last(id, session.ItemQuestion)
	if !ok {
		t.Fatal("the question is not in the transcript")
	}
	a.until("cancelled", func() bool { return a.bundle(i.Ref).State == question.Cancelled })
	if got := a.bundle(i.Ref); got.Reason != "The agent took the question back." {
		t.Errorf("%+v", got)
	}
}

// TestStopIsToldFirst: the agent hears of the stop before the call that asked is
// answered, or its model would go on with the answer.
func TestStopIsToldFirst(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "hello")
	a.said(id, "you said hello")
	for range 10 {
		a.inState(id, session.Ready)
		before := len(a.items(id))
		a.say(id, "ask")
		q := a.openQuestion(question.Open)
		if err := a.CancelTurn(id); err != nil {
			t.Fatal(err)
		}
		a.inState(id, session.Ready)
		if got := a.bundle(q); got.State != question.Cancelled || got.Reason != "You stopped the turn." {
			t.Errorf("%+v", got)
		}
		for _, i := range a.items(id)[before:] {
			if i.Kind == session.ItemMessage && strings.Contains(i.Text, "question was cancelled") {
				t.Fatalf("after the stop the agent said %q", i.Text)
			}
		}
	}
}

// TestGaveUp: a client that waits no longer leaves the question to be answered.
// The reasons are those of the official SDK, as in Gemini CLI and Qwen Code after
// ten minutes, and of Codex after five.
func TestGaveUp(t *testing.T) {
	for _, reason := range []string{"McpError: MCP error -32001: Request timed out", "request timeout", "MCP response future dropped"} {
		a := fakeApp(t)
		id := a.begin(mannerPlain, "giveup "+reason)
		a.openQuestion(question.Open)
		a.goOn(id)
		a.said(id, "withdrawn")
		a.inState(id, session.Ready)
		q := a.openQuestion(question.Detached)
		if err := a.Answer(q, blue); err != nil {
			t.Fatal(err)
		}
		a.said(id, "you said Answers")
		if got := a.bundle(q); got.State != question.Answered {
			t.Errorf("%+v", got)
		}
	}
}

// TestExpired: a question ends with its time, a detached one too.
func TestExpired(t *testing.T) {
	for _, prompt := range []string{"ask", "drop"} {
		a := fakeApp(t, func(o *Options) { o.questionWait = 300 * time.Millisecond })
		id := a.begin(mannerPlain, prompt)
		a.until("expired", func() bool {
			i, ok := a.last(id, session.ItemQuestion)
			return ok && a.bundle(i.Ref).State == question.Expired
		})
		if prompt == "ask" {
			a.said(id, "No answer came")
		}
	}
}

// TestQuestionEnds: the end of the session and a rejection are told with their reason.
func TestQuestionEnds(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "ask")
	q := a.openQuestion(question.Open)
	if err := a.RejectQuestion(q, "Not now."); err != nil {
		t.Fatal(err)
	}
	a.said(id, "rejected the question. Not now.")
	a.inState(id, session.Ready)
	a.say(id, "ask")
	q = a.openQuestion(question.Open)
	if err := a.StopSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if got := a.bundle(q); got.State != question.Cancelled || got.Reason == "" {
		t.Errorf("%+v", got)
	}
	if err := a.Answer(q, blue); !errors.Is(err, question.ErrClosed) {
		t.Errorf("%v", err)
	}
}

// TestQuestionsOfAnOldAttempt: a new attempt cancels what waits and what is
// detached: nobody is left who asked.
func TestQuestionsOfAnOldAttempt(t *testing.T) {
	a := fakeApp(t)
	id, detached := a.dropped()
	ended := make(chan struct{})
	client := a.client(id) // its prompt makes another turn the latest
	go func() {
		defer close(ended)
		_, _ = client.CallTool(context.WithoutCancel(t.Context()), &mcp.CallToolParams{
			Name: "ask_user_question_kandev", Arguments: map[string]any{"questions": []any{map[string]any{"prompt": "Which one?"}}},
		})
	}()
	open := ""
	a.until("an open question", func() bool {
		for _, q := range a.Snapshot().Questions {
			if q.State == string(question.Open) {
				open = q.ID
			}
		}
		return open != ""
	})
	if err := a.ResetSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.inState(id, session.Ready)
	for name, q := range map[string]string{"open": open, "detached": detached} {
		a.until(name+" is cancelled", func() bool { return a.bundle(q).State == question.Cancelled })
		if got := a.bundle(q); got.Reason == "" || got.EndedAt == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if a.row(id).Waiting != 0 {
		t.Errorf("%d still wait", a.row(id).Waiting)
	}
	<-ended
}

// TestManyQuestions: an agent that asks and hangs up fills nothing.
func TestManyQuestions(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, fmt.Sprint("askmany ", maxAsked+4))
	a.said(id, "4 refused")
	if n := len(a.Snapshot().Questions); n != maxAsked || a.row(id).Waiting != maxAsked {
		t.Errorf("%d questions are open", n)
	}
}

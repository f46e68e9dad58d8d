//go:build linux

package agents

import (
	"fmt"
	"strings"
	"testing"

	"kandev/backend/question"
	"kandev/backend/session"
)

// ask has the agent ask a question and waits until it is before the person.
func (w *world) ask(prompt string) (wait func(), id string) {
	w.t.Helper()
	d := w.directive(asked, fmt.Sprintf(`{"questions":[{"prompt":%q,"options":[{"label":"Red"},{"label":"Blue"}]}],"context":"C"}`, prompt))
	w.say(d)
	w.app.until("an open question", func() bool { return len(w.app.Snapshot().Questions) == 1 })
	return func() {
		w.t.Helper()
		w.finished(d)
		if got := strings.Join(w.results(d), "\n"); !w.noModel && !contains(got, "Blue") {
			w.t.Errorf("the provider got %q", got)
		}
	}, w.app.Snapshot().Questions[0].ID
}

// answered is a question that the person answers through the window's methods.
func (w *world) answered(t *testing.T) {
	wait, id := w.ask("Red or blue?")
	if err := w.app.Answer(id, []question.Answer{{Question: "q1", Chosen: []string{"Blue"}}}); err != nil {
		t.Fatal(err)
	}
	wait()
	if w.noModel && !contains(w.app.last(w.id, session.ItemTool).Tool.Output, "Blue") {
		t.Error("the answer did not reach the agent")
	}
}

// cancelled is a turn that the person stops while the agent waits for an
// answer: the question ends visibly, the agent lives on.
func (w *world) cancelled(t *testing.T) {
	before := w.app.history(w.id).Current()
	_, id := w.ask("Stop me?")
	if err := w.app.CancelTurn(w.id); err != nil {
		t.Fatal(err)
	}
	w.app.inState(w.id, session.Ready)
	q, _, err := w.app.Question(t.Context(), id)
	if err != nil || q.State != question.Cancelled || q.Reason != "You stopped the turn." {
		t.Errorf("the question is %s, %q (%v)", q.State, q.Reason, err)
	}
	if n := w.app.last(w.id, session.ItemNotice); n.Text != "Stopped." {
		t.Errorf("the turn ended with %q", n.Text)
	}
	d := w.directive("", "")
	w.say(d)
	w.finished(d)
	if after := w.app.history(w.id).Current(); after.ID != before.ID || after.Execution != before.Execution {
		t.Errorf("another attempt or process: %s %s, before %s %s", after.ID, after.Execution, before.ID, before.Execution)
	}
}

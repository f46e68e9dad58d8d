//go:build linux

package agents

import (
	"testing"
	"time"

	"kandev/backend/question"
	"kandev/backend/session"
)

// long keeps a question open for as long as the run wants, and then answers it.
// A client that waits no longer leaves it to be answered: the answer goes out as
// the next prompt.
func (w *world) long(t *testing.T) {
	d := longQuestion()
	if d == 0 {
		t.Skipf("%s is not set", envLong)
	}
	wait, id := w.ask("Take your time?")
	begun := time.Now()
	state := func() question.State {
		q, _, err := w.app.Question(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return q.State
	}
	w.app.within(d, func() bool { return state() != question.Open })
	w.facts.Long = "waits " + time.Since(begun).Round(time.Second).String()
	was := state()
	if !was.Answerable() {
		t.Fatalf("%s, then the question was %s", w.facts.Long, was)
	}
	if was == question.Detached {
		w.facts.Long += " and no longer; the answer is the next prompt"
		w.app.inState(w.id, session.Ready)
	}
	if err := w.app.Answer(id, []question.Answer{{Question: "q1", Chosen: []string{"Blue"}}}); err != nil {
		t.Fatal(err)
	}
	t.Log(w.facts.Long)
	if was == question.Open {
		wait()
		return
	}
	w.app.until("the answer with the model", func() bool {
		requests := w.provider.Requests()
		return contains(string(requests[len(requests)-1].Body), "Answers to your questions")
	})
	w.app.inState(w.id, session.Ready)
}

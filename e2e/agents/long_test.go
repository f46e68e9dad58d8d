//go:build linux

package agents

import (
	"testing"
	"time"

	"kandev/backend/question"
)

// long keeps a question open for as long as the run wants, and then answers it.
func (w *world) long(t *testing.T) {
	d := longQuestion()
	if d == 0 {
		t.Skipf("%s is not set", envLong)
	}
	wait, id := w.ask("Take your time?")
	if w.app.within(d, func() bool { return len(w.app.Snapshot().Questions) == 0 }) {
		t.Fatalf("the question ended before its time")
	}
	begun := time.Now()
	if err := w.app.Answer(id, []question.Answer{{Question: "q1", Chosen: []string{"Blue"}}}); err != nil {
		t.Fatal(err)
	}
	wait()
	w.facts.Long = d.String()
	t.Logf("after %s the answer took %s", d, time.Since(begun).Round(time.Millisecond))
}

//go:build linux

package agents

import (
	"testing"

	"kandev/backend/attach"
	"kandev/backend/session"
)

// reset gives the running agent a new context: it connects to the new address
// and knows nothing of before. An agent whose bearer is in its environment gets
// a new process for it.
func (w *world) reset(t *testing.T) {
	before := w.app.history(w.id).Current()
	if err := w.app.ResetSession(t.Context(), w.id); err != nil {
		t.Fatal(err)
	}
	w.app.until("a new attempt", func() bool { return w.app.history(w.id).Current().ID != before.ID })
	w.app.inState(w.id, session.Ready)
	w.listed()
	after := w.app.history(w.id).Current()
	if after.Reason != attach.StartReset {
		t.Errorf("the attempt began for %q", after.Reason)
	}
	if w.facts.Reset = "connects to the new address"; after.Execution != before.Execution {
		w.facts.Reset = "in a new process"
	}
	d := w.directive("list_tasks_kandev", `{"limit":5}`)
	w.say(d)
	w.finished(d)
	w.app.until("the new address used", func() bool { return w.app.server(w.id, attach.BuiltinServer).Times.Used > 0 })
	for _, q := range w.provider.Requests() {
		if len(q.Results(d.ID)) > 0 && contains(string(q.Body), "Red or blue?") {
			t.Error("the agent remembers what was said before the reset")
		}
	}
}

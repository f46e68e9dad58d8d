//go:build linux

package agents

import (
	"testing"
	"time"

	"kandev/backend/agent"
	"kandev/backend/attach"
	"kandev/backend/session"
)

// load stops the session and takes it up again: the agent loads what it knew,
// or the window says that it did not.
func (w *world) load(t *testing.T) {
	if err := w.app.StopSession(t.Context(), w.id); err != nil {
		t.Fatal(err)
	}
	// Gemini CLI names the file of a conversation after its minute, and a load
	// writes a new head into the file of the running minute.
	began := time.UnixMilli(w.app.row(w.id).CreatedAt).Minute()
	if w.minute && !w.app.within(time.Minute, func() bool { return time.Now().Minute() != began }) {
		t.Fatal("the minute did not end")
	}
	before := len(w.app.items(w.id))
	if err := w.app.StartSession(t.Context(), w.id); err != nil {
		t.Fatal(err)
	}
	w.app.inState(w.id, session.Ready)
	var told []string
	for _, i := range w.app.items(w.id)[before:] {
		if i.Kind == session.ItemNotice {
			told = append(told, i.Text)
		} else {
			t.Errorf("a load added a row of kind %s", i.Kind)
		}
	}
	w.listed()
	current := w.app.history(w.id).Current()
	d := w.directive("list_tasks_kandev", `{"limit":5}`)
	w.say(d)
	w.finished(d)
	w.app.until("the new address used", func() bool { return w.app.server(w.id, attach.BuiltinServer).Times.Used > 0 })
	requests := w.provider.Requests()
	remembers := !w.noModel && contains(string(requests[len(requests)-1].Body), "Red or blue?")
	switch current.Reason {
	case attach.StartLoad:
		w.facts.Load = "loads, connects to the new address"
		if len(told) > 0 || !remembers {
			t.Errorf("loaded, remembers: %v; told: %q", remembers, told)
		}
	case attach.StartRestart, attach.StartNew:
		w.facts.Load = "does not load"
		if !w.noModel && (len(told) == 0 || remembers) {
			t.Errorf("not loaded, remembers: %v; told: %q", remembers, told)
		}
	}
	known, _ := agent.ByID(w.rig.id)
	if loaded := current.Reason == attach.StartLoad; loaded != known.Capabilities.NativeLoad {
		t.Errorf("%s (%q); NativeLoad is %v", w.facts.Load, told, known.Capabilities.NativeLoad)
	}
}

//go:build linux

package agents

import (
	"testing"
	"time"

	"kandev/backend/agent"
	"kandev/backend/attach"
)

// Ways of reacting to list_changed, as the table says them.
const (
	listsAtOnce     = "lists again at once"
	listsNextPrompt = "lists again at the next prompt"
	listsNever      = "ignores it"
)

// listChanged takes a tool away in a running session, by the person naming the
// task, and sees whether the agent asks for the list again.
func (w *world) listChanged(t *testing.T) {
	has := func(tool string) bool {
		for _, e := range w.app.catalog(w.id).Entries {
			if e.Served == tool || e.Canonical == tool {
				return true
			}
		}
		return false
	}
	if !has("set_task_title_kandev") {
		t.Fatal("set_task_title_kandev is not served")
	}
	if err := w.app.RenameSession(w.id, "Named by the person"); err != nil {
		t.Fatal(err)
	}
	again := func() bool {
		return !has("set_task_title_kandev") && !w.app.server(w.id, attach.BuiltinServer).ToolsChanged
	}
	if w.facts.ListChanged = listsAtOnce; !w.app.within(5*time.Second, again) {
		w.facts.ListChanged = listsNextPrompt
	}
	d := w.directive("", "")
	w.say(d)
	w.finished(d)
	if !w.app.within(2*time.Second, again) {
		w.facts.ListChanged = listsNever
		// A client may lose its stream for ten seconds and go on: the row then says connected.
		s := w.app.server(w.id, attach.BuiltinServer)
		back := s.Status == string(attach.StatusConnected) && s.Times.Closed > 0
		if !s.ToolsChanged || s.Status != string(attach.StatusActive) && !back {
			t.Errorf("the row says %s, tools changed %v", s.Status, s.ToolsChanged)
			w.evidence(t)
		}
	}
	known, _ := agent.ByID(w.rig.id)
	if ignores := w.facts.ListChanged == listsNever; ignores != known.Capabilities.IgnoresListChanged {
		t.Errorf("%s; IgnoresListChanged is %v", w.facts.ListChanged, known.Capabilities.IgnoresListChanged)
	}
}

//go:build linux

package agents

import (
	"encoding/json"
	"strings"
	"testing"

	"kandev/backend/attach"
	"kandev/backend/session"
	"kandev/e2e/agents/provider"
)

func contains(text, part string) bool { return strings.Contains(text, part) }

// results is what came back to the model from the calls of a directive.
func (w *world) results(d provider.Directive) (out []string) {
	for _, q := range w.provider.Requests() {
		if got := q.Results(d.ID); len(got) > len(out) {
			out = got
		}
	}
	return out
}

// turn is one with a call of one of our tools, from the person's prompt to the
// agent's last words.
func (w *world) turn(t *testing.T) {
	d := w.directive("list_tasks_kandev", `{"limit":5}`)
	w.say(d)
	w.finished(d)
	if w.noModel {
		if i := w.app.last(w.id, session.ItemTool); i.Tool == nil || !contains(i.Tool.Output, "New session") {
			t.Errorf("the call's row is %+v", i.Tool)
		}
	} else if got := w.results(d); !contains(strings.Join(got, "\n"), "New session") {
		t.Errorf("the provider got %q", got)
	}
	if i := w.app.last(w.id, session.ItemTool); i.Tool == nil || i.Tool.Status != "completed" {
		t.Errorf("the tool's row is %+v", i.Tool)
	}
	w.app.until("the list counted and the call noted", func() bool {
		s := w.app.server(w.id, attach.BuiltinServer)
		return s.Status == string(attach.StatusActive) && s.TokensTotal != nil && s.Times.Used > 0
	})
	s := w.app.server(w.id, attach.BuiltinServer)
	if m := s.Times; m.Delivered == 0 || m.Connected < m.Delivered || m.Listed < m.Connected || m.Used < m.Listed {
		t.Errorf("the row went another way: %+v", m)
	}
	current := w.app.history(w.id).Current()
	if len(current.Uses) != 1 || current.Uses[0].Tool != "list_tasks_kandev" || current.Uses[0].Calls != 1 || current.Uses[0].Errors != 0 {
		t.Errorf("tool use: %+v", current.Uses)
	}
	w.facts.Client, w.facts.Protocol, w.facts.Transport = s.Client, s.Protocol, s.Transport
	if w.npm == "" { // its version is that of the build
		w.facts.Client, _, _ = strings.Cut(s.Client, " ")
	}
	w.facts.Estimate = w.estimate("ask_user_question_kandev")
	w.facts.EstimateAll = *s.TokensTotal
	w.permissions(t)
}

// permissions notes whether the agent asked for our own tool, and who answered.
// What it asks for its own purposes, such as to index the folder, is not meant.
func (w *world) permissions(t *testing.T) {
	call := w.app.last(w.id, session.ItemTool).Tool.CallID
	w.facts.Permission = "not asked"
	for _, i := range w.app.items(w.id) {
		if i.Kind != session.ItemPermission {
			continue
		}
		r, _, err := w.app.Permission(t.Context(), i.Ref)
		if err != nil {
			t.Error(err)
			continue
		}
		t.Logf("it asked for %q, call %q, by rule: %v", r.Title, r.CallID, r.ByRule)
		if r.CallID != call {
			continue
		}
		if w.facts.Permission = "asked, the person answers"; r.ByRule {
			w.facts.Permission = "asked, allowed by rule"
		}
	}
}

// estimate is ours of one tool, by its canonical name.
func (w *world) estimate(canonical string) int {
	for _, e := range w.app.catalog(w.id).Entries {
		if e.Estimate != nil && (e.Canonical == canonical || e.Canonical == "" && e.Served == canonical) {
			return *e.Estimate
		}
	}
	return 0
}

// evidence prints what was seen of the session's attempts.
func (w *world) evidence(t *testing.T) {
	for _, a := range w.app.history(w.id).Attempts {
		for _, e := range a.Evidence {
			t.Logf("evidence %s %s %s %s %s", a.ID, e.At.Format("05.000"), e.Server, e.Kind, e.Reason)
		}
	}
}

// report prints what helps to understand a failure.
func (w *world) report(t *testing.T) {
	for i, q := range w.provider.Requests() {
		names := []string{}
		for _, tool := range q.Tools {
			names = append(names, tool.FullName())
		}
		said, _ := json.Marshal(q.Messages[max(0, len(q.Messages)-3):])
		t.Logf("request %d %s, tools %v, last %.1500s", i, q.Path, names, said)
	}
	if w.app != nil {
		w.evidence(t)
	}
	t.Logf("unknown requests: %q", w.provider.Unknown())
	if w.tee != "" {
		t.Logf("frames:\n%s", tail(w.tee, 64<<10))
	}
	t.Logf("log:\n%s", tail(w.home+"/logs/kandev.log", 4<<10))
}

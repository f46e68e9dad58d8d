//go:build linux

package agents

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"kandev/backend/agent"
	"kandev/backend/attach"
	"kandev/backend/tokens"
	"kandev/e2e/agents/provider"
)

// asked is the tool that every agent's row speaks of.
const asked = "ask_user_question_kandev"

// definitions compares the names and definitions that reached the model with
// what was served and with what the agent's capabilities say.
func (w *world) definitions(t *testing.T) {
	known, _ := agent.ByID(w.rig.id)
	can := known.Capabilities
	for _, e := range w.app.catalog(w.id).Entries {
		canonical := e.Served
		if e.Canonical != "" {
			canonical = e.Canonical
		}
		switch short := strings.TrimSuffix(canonical, "_kandev"); {
		case w.namespaces && e.Served != short:
			t.Errorf("served %s, want %s", e.Served, short)
		case !w.namespaces && e.Served != canonical:
			t.Errorf("served %s for %s", e.Served, canonical)
		}
		if w.noModel {
			continue
		}
		def, ok := w.received(canonical)
		if !ok {
			if !w.defersOthers && !w.defersAll {
				t.Errorf("the model never got %s", canonical)
			}
			continue
		}
		if want := can.ToolName(attach.BuiltinServer, e.Served); def.FullName() != want {
			t.Errorf("the model saw %s, the capabilities say %s", def.FullName(), want)
		}
		if w.namespaces && def.FullName() != canonical {
			t.Errorf("the model saw %s, want the canonical %s", def.FullName(), canonical)
		}
		w.facts.ReceivedAll += tokensOf(def.Raw)
		if w.facts.ReceivedTools++; canonical == asked {
			w.facts.Name, w.facts.Received = def.FullName(), tokensOf(def.Raw)
		}
	}
	if w.noModel {
		w.facts.Name = asked
		return
	}
	if w.facts.Name == "" {
		t.Errorf("the model never got %s", asked)
	}
	w.deferral(t, can.DefersTools)
}

// doubled looks through everything the provider was sent for a name that this
// agent's client made longer although it was served without its suffix.
func (w *world) doubled(t *testing.T) {
	if !w.namespaces {
		return
	}
	for _, q := range w.provider.Requests() {
		if bytes.Contains(q.Body, []byte("_kandev_kandev")) {
			t.Errorf("a request to %s holds _kandev_kandev", q.Path)
		}
	}
	for _, u := range w.provider.Unknown() {
		if contains(u, "_kandev_kandev") {
			t.Errorf("asked for: %s", u)
		}
	}
}

// received is the definition of a tool as it reached the model: among its
// tools, or in the answer of a search.
func (w *world) received(canonical string) (provider.Tool, bool) {
	for _, q := range w.provider.Requests() {
		if t, ok := q.Find(canonical); ok {
			return t, true
		}
		for _, m := range q.Messages {
			if t, ok := definitionIn(m, canonical); ok {
				return t, true
			}
		}
	}
	return provider.Tool{}, false
}

// definitionIn looks for JSON of a definition in the result of a call, such as
// a search answers.
func definitionIn(m provider.Message, canonical string) (provider.Tool, bool) {
	if m.ResultOf == "" || !strings.HasSuffix(m.ResultOf, "_search") {
		return provider.Tool{}, false
	}
	for rest := m.Text; ; {
		at := strings.IndexByte(rest, '{')
		if at < 0 {
			return provider.Tool{}, false
		}
		rest = rest[at:]
		var raw json.RawMessage
		var def struct{ Name string }
		if json.NewDecoder(strings.NewReader(rest)).Decode(&raw) == nil && json.Unmarshal(raw, &def) == nil && strings.HasSuffix(def.Name, canonical) {
			return provider.Tool{Name: def.Name, Deferred: true, Raw: raw}, true
		}
		rest = rest[1:]
	}
}

// deferral notes what the model sees before it searches, and compares it with
// the capability.
func (w *world) deferral(t *testing.T, said bool) {
	first := w.firstRequest()
	_, direct := first.Find("list_tasks_kandev")
	_, loaded := first.Find(asked)
	switch {
	case direct:
		w.facts.Deferral = "no"
	case loaded:
		w.facts.Deferral = "yes, but not what says anthropic/alwaysLoad"
	default:
		w.facts.Deferral = "yes, all"
	}
	if w.rig.id == "codex" { // only its own models make it defer; see the notes of docs/agents.md
		return
	}
	if said == direct {
		t.Errorf("deferred: %s; the capabilities say %v", w.facts.Deferral, said)
	}
}

// firstRequest is the first with tools, which begins the first turn.
func (w *world) firstRequest() provider.Request {
	for _, q := range w.provider.Requests() {
		if len(q.Tools) > 0 {
			return q
		}
	}
	return provider.Request{}
}

// tokensOf counts a definition as it was received, as compact JSON.
func tokensOf(raw json.RawMessage) int {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return 0
	}
	return tokens.Count(b.String())
}

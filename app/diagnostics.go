package app

import (
	"encoding/json"
	"runtime"
	"slices"
	"strings"

	"kandev/backend/agent"
	"kandev/backend/attach"
	"kandev/backend/session"
)

// diagnostics is that text of a session.
func (w *window) diagnostics(id session.ID) (string, error) {
	h, def, live, err := w.backend.Attachment(w.ctx, id)
	if err != nil {
		return "", err
	}
	return diagnostics(w.version, def, h, live)
}

// diagnostics is the text that "Copy diagnostics" gives: statuses, evidence and
// counts of a session's attempts. No definition, argument, result, prompt,
// credential or full address is in what it is made from. It leaves out the tool
// names, and what an agent said when it refused a session.
func diagnostics(version string, def agent.Definition, h attach.History, live bool) (string, error) {
	attempts := make([]attach.Attempt, len(h.Attempts))
	calls := 0
	for i, a := range h.Attempts {
		for _, u := range a.Uses {
			calls += u.Calls
		}
		a.Uses, a.Servers = nil, slices.Clone(a.Servers)
		for n := range a.Servers {
			if a.Servers[n].Reason == attach.SessionRefused {
				a.Servers[n].Summary = ""
			}
		}
		attempts[i] = a
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	err := e.Encode(struct {
		Version  string           `json:"version"`
		System   string           `json:"system"`
		Agent    string           `json:"agent"`
		Live     bool             `json:"live"`
		Calls    int              `json:"calls"`
		Attempts []attach.Attempt `json:"attempts"`
	}{version, runtime.GOOS + "/" + runtime.GOARCH, def.ID, live, calls, attempts})
	return b.String(), err
}

package attach

import (
	"slices"

	"kandev/backend/redact"
)

// supersede ends an attempt because a newer one came and reduces it to what a
// superseded attempt may keep: ids, times, statuses with their codes, counts and
// totals. No tool name, description, schema or figure of one tool; nor how a
// server was reached, who its client was, or what was said of a failure.
func (a *Attempt) supersede(e Evidence) bool {
	if a.Superseded != "" {
		return false
	}
	a.Superseded = e.By
	if a.EndedAt == nil {
		at := e.At
		a.EndedAt, a.EndReason = &at, "superseded"
		if e.Reason != "" {
			a.EndReason = redact.Summary(e.Reason)
		}
	}
	a.Servers = slices.Clone(a.Servers)
	for i := range a.Servers {
		a.Servers[i].disconnect(e.At)
		a.Servers[i].figuresOnly()
	}
	a.Uses, a.OtherCalls, a.previous = nil, 0, nil
	return true
}

func (s *Server) figuresOnly() {
	s.Catalog, s.digests, s.Counting, s.ToolsChanged = nil, nil, false, false
	s.Stored, s.Truncated, s.ListOrder = 0, false, 0
	s.Target, s.Client, s.Protocol, s.Summary = "", "", "", ""
}

// previousDefinitions are the digests a next attempt compares its first list
// with: those of this attempt, or, when it never listed, of the one before.
func (a *Attempt) previousDefinitions() Digests {
	if d := a.builtin().digests; d != nil {
		return d
	}
	return a.previous
}

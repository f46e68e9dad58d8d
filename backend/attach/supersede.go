package attach

import (
	"slices"

	"kandev/backend/redact"
)

// supersede ends an attempt because a newer one came and reduces it to what a
// superseded attempt may keep: ids, times, statuses, counts and totals. No
// tool name, description, schema or figure of one tool.
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
		s := &a.Servers[i]
		s.disconnect(e.At)
		s.Catalog, s.digests, s.Counting, s.ToolsChanged, s.Stored = nil, nil, false, false, 0
	}
	a.Uses, a.OtherCalls, a.previous = nil, 0, nil
	return true
}

// previousDefinitions are the digests a next attempt compares its first list
// with: those of this attempt, or, when it never listed, of the one before.
func (a *Attempt) previousDefinitions() Digests {
	if d := a.builtin().digests; d != nil {
		return d
	}
	return a.previous
}

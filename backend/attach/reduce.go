package attach

import (
	"slices"
	"time"

	"kandev/backend/redact"
)

// Reduce applies one piece of evidence. It returns the new history and whether
// anything changed; an unchanged history is returned as it was. Evidence of
// another attempt than the current one is dropped, and so is a start of an
// attempt that is kept already.
func Reduce(h History, e Evidence) (History, bool) {
	if e.Kind == Started {
		return start(h, e)
	}
	cur := h.Current()
	if cur == nil || e.Attempt != cur.ID {
		return h, false
	}
	a, before := *cur, *cur
	var changed bool
	switch e.Kind {
	case ExecutionEnded:
		changed = a.end(e)
	case Superseded:
		changed = a.supersede(e)
	default:
		changed = a.observe(e)
	}
	if !changed {
		return h, false
	}
	a.keep(e)
	return h.with(a, catalogChanged(before, a)), true
}

// start begins an attempt: the one before it is superseded and reduced to what
// it may keep, the oldest beyond MaxAttempts is dropped.
func start(h History, e Evidence) (History, bool) {
	if e.Attempt == "" || slices.ContainsFunc(h.Attempts, func(a Attempt) bool { return a.ID == e.Attempt }) {
		return h, false
	}
	next := Attempt{ID: e.Attempt, Number: h.Number() + 1, Execution: e.Execution, Reason: e.Reason, StartedAt: e.At}
	kept := slices.Clone(h.Attempts)
	rev := h.CatalogRev
	if cur := h.Current(); cur != nil {
		next.previous = cur.previousDefinitions()
		old := *cur
		if old.Execution != e.Execution { // its process is gone: where nobody saw the end, it is that of what was seen
			old.end(Evidence{At: old.lastSeen(), Reason: EndInterrupted})
		}
		old.supersede(Evidence{At: e.At, Reason: e.Reason, By: e.Attempt})
		old.keep(Evidence{Kind: Superseded, At: e.At, Reason: e.Reason})
		if catalogChanged(*cur, old) {
			rev++
		}
		kept[len(kept)-1] = old
	}
	next.keep(e)
	kept = append(kept, next)
	if over := len(kept) - MaxAttempts; over > 0 {
		kept = slices.Clone(kept[over:])
	}
	return History{Attempts: kept, CatalogRev: rev}, true
}

// with returns the history with its current attempt replaced.
func (h History) with(a Attempt, catalogChanged bool) History {
	h.Attempts = slices.Clone(h.Attempts)
	h.Attempts[len(h.Attempts)-1] = a
	if catalogChanged {
		h.CatalogRev++
	}
	return h
}

// observe applies evidence of one server.
func (a *Attempt) observe(e Evidence) bool {
	if e.Server == "" {
		return false
	}
	i := slices.IndexFunc(a.Servers, func(s Server) bool { return s.Name == e.Server })
	if i < 0 {
		if a.EndedAt != nil {
			return false // nothing new appears in an attempt that has ended
		}
		a.Servers = append(slices.Clone(a.Servers), Server{Name: e.Server, Source: SourcePerson, Status: StatusUnknown})
		i = len(a.Servers) - 1
	} else {
		a.Servers = slices.Clone(a.Servers)
	}
	s := a.Servers[i]
	if !s.apply(e, a) {
		return false
	}
	s.Times.Observed = later(s.Times.Observed, e.At)
	a.Servers[i] = s
	return true
}

// keep records the evidence itself, bounded; counting is a figure of a list
// that was recorded, not a line of its own.
func (a *Attempt) keep(e Evidence) {
	if e.Kind == ToolsListCounted {
		return
	}
	a.Evidence = append(slices.Clone(a.Evidence), Record{Kind: e.Kind, Server: e.Server, At: e.At, Reason: redact.Summary(e.Reason)})
	if over := len(a.Evidence) - MaxEvidence; over > 0 {
		a.Evidence = slices.Clone(a.Evidence[over:])
	}
}

// end marks the end of the execution: nothing observed is live any more.
func (a *Attempt) end(e Evidence) bool {
	if a.EndedAt != nil {
		return false
	}
	at := e.At
	a.EndedAt, a.EndReason = &at, redact.Summary(e.Reason)
	a.Servers = slices.Clone(a.Servers)
	for i := range a.Servers {
		a.Servers[i].disconnect(e.At)
		a.Servers[i].Counting = false // its endpoint is closed: nobody counts any more
	}
	return true
}

// lastSeen is the time of the newest evidence.
func (a *Attempt) lastSeen() time.Time {
	at := &a.StartedAt
	for _, r := range a.Evidence {
		at = later(at, r.At)
	}
	for _, s := range a.Servers {
		if s.Times.Observed != nil {
			at = later(at, *s.Times.Observed)
		}
	}
	return *at
}

func later(old *time.Time, at time.Time) *time.Time {
	if old != nil && old.After(at) {
		return old
	}
	return &at
}

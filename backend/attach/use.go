package attach

import (
	"slices"
	"time"
)

// Used counts one call in the tool-use table of the current attempt. Names
// that neither catalog nor registry hold (known is false) and names beyond
// MaxUses add to one figure, so that an agent cannot grow the table.
func Used(h History, attempt, canonical string, known, failed bool, at time.Time) (History, bool) {
	cur := h.Current()
	if cur == nil || cur.ID != attempt || cur.Superseded != "" {
		return h, false
	}
	a := *cur
	i := slices.IndexFunc(a.Uses, func(u Use) bool { return u.Tool == canonical })
	switch {
	case !known, i < 0 && len(a.Uses) >= MaxUses:
		a.OtherCalls++
		return h.with(a, false), true
	case i < 0:
		a.Uses = append(slices.Clone(a.Uses), Use{Tool: canonical})
		i = len(a.Uses) - 1
	default:
		a.Uses = slices.Clone(a.Uses)
	}
	u := &a.Uses[i]
	u.Calls++
	if failed {
		u.Errors++
	}
	if u.Last.Before(at) {
		u.Last = at
	}
	return h.with(a, false), true
}

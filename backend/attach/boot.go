package attach

import "slices"

// AfterBoot is what a stored history says when the app starts. An app that was
// killed while it counted does not count on: without this the window would say
// "counting" for ever. Nothing else is changed.
func (h History) AfterBoot() History {
	cur := h.Current()
	if cur == nil || !slices.ContainsFunc(cur.Servers, func(s Server) bool { return s.Counting }) {
		return h
	}
	a := *cur
	a.Servers = slices.Clone(a.Servers)
	for i := range a.Servers {
		a.Servers[i].Counting = false
	}
	return h.with(a, false)
}

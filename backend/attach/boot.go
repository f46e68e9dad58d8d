package attach

import "slices"

// AfterBoot is what a stored history says when the app starts. An app that was
// killed while it counted does not count on: without this the window would say
// "counting" for ever. What an older app kept of superseded attempts, and this one
// does not, goes. Nothing else is changed.
func (h History) AfterBoot() History {
	h.Attempts = slices.Clone(h.Attempts)
	for n := range h.Attempts {
		a := &h.Attempts[n]
		a.Servers = slices.Clone(a.Servers)
		for i := range a.Servers {
			if a.Superseded != "" {
				a.Servers[i].figuresOnly()
			}
			a.Servers[i].Counting = false
		}
	}
	return h
}

package attach

import (
	"reflect"

	"kandev/backend/catalog"
)

// list takes the catalog of a list that was served. Estimates of an older list
// never stay beside it. The first list of an attempt is compared with the
// definitions of the attempt before, once.
func (s *Server) list(e Evidence, a *Attempt) bool {
	if e.Catalog == nil || e.Order < s.ListOrder {
		return false
	}
	c := *e.Catalog
	switch {
	case s.Times.Listed == nil && a.previous != nil && s.Source == SourceBuiltin:
		c = catalog.Mark(c, a.previous, e.Digests)
	case s.Catalog != nil:
		c = catalog.KeepMarks(c, *s.Catalog, s.digests, e.Digests)
	}
	if s.Source == SourceBuiltin {
		a.previous = nil
	}
	s.opened(e.Connection)
	s.Times.Listed = &e.At
	if s.Times.Connected == nil {
		s.Times.Connected = &e.At
	}
	total := c.Total
	s.ToolCount, s.ListOrder, s.digests = &total, e.Order, e.Digests
	s.Stored, s.Truncated = len(c.Entries), c.Truncated
	s.TokensTotal, s.TokensCover, s.Method = nil, 0, ""
	s.Catalog, s.Counting, s.ToolsChanged = &c, a.EndedAt == nil, false // after an end nobody counts
	if s.Status != StatusFailed {
		s.improve(StatusActive)
	}
	return true
}

// count sets the estimates of the list with the same order number.
func (s *Server) count(e Evidence) bool {
	if s.Catalog == nil || e.Order != s.ListOrder {
		return false
	}
	s.Counting = false
	if e.Counts == nil {
		return true // the tokenizer is unavailable: no number, and no waiting for one
	}
	c := s.Catalog.WithCounts(*e.Counts)
	s.Catalog, s.TokensTotal, s.TokensCover, s.Method = &c, c.TokensTotal, c.TokensCover, c.Method
	return true
}

// catalogChanged reports whether what is stored of the catalog differs.
func catalogChanged(before, after Attempt) bool {
	a, b := before.builtin().Catalog, after.builtin().Catalog
	if a == b {
		return false
	}
	return a == nil || b == nil || !reflect.DeepEqual(*a, *b)
}

func (a *Attempt) builtin() *Server {
	for i := range a.Servers {
		if a.Servers[i].Source == SourceBuiltin {
			return &a.Servers[i]
		}
	}
	return &Server{}
}

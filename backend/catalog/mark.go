package catalog

import "crypto/sha256"

// Digests reduces a list to sha256(served name) → sha256(compact definition).
// It is what may be known of a superseded attempt's definitions: in memory,
// never stored, dropped after one comparison. It covers every tool with a
// name. Tools with equal names share one digest over all of them, in order.
func Digests(l List) map[[32]byte][32]byte {
	digests := make(map[[32]byte][32]byte, len(l.tools))
	for _, t := range l.tools {
		key := sha256.Sum256([]byte(t.served))
		digest := sha256.Sum256(t.definition)
		if first, twice := digests[key]; twice {
			digest = sha256.Sum256(append(first[:], digest[:]...))
		}
		digests[key] = digest
	}
	return digests
}

// Mark returns a copy of c in which each entry is marked new or changed
// against the last list of the attempt before. current are the digests of the
// list that c was made from. A nil previous means that there is nothing to
// compare with: no marks, and Compared stays false. An empty one is a list
// without tools: everything is new.
func Mark(c Catalog, previous, current map[[32]byte][32]byte) Catalog {
	if previous == nil {
		return c
	}
	entries := make([]Entry, len(c.Entries))
	for i, e := range c.Entries {
		key := sha256.Sum256([]byte(e.Served))
		before, known := previous[key]
		switch {
		case !known:
			e.Mark = MarkNew
		case before != current[key]:
			e.Mark = MarkChanged
		}
		entries[i] = e
	}
	c.Entries, c.Compared = entries, true
	return c
}

// KeepMarks returns a copy of c, a later list of the same attempt, with the marks
// of old, the list before it. A tool that is as it was there keeps its mark, and
// a new one is new whatever becomes of it. All else was never compared with the
// attempt before, whose digests are gone: it is MarkUnknown. before and current
// are the digests of old and of c.
func KeepMarks(c, old Catalog, before, current map[[32]byte][32]byte) Catalog {
	if !old.Compared {
		return c
	}
	marks := make(map[string]string, len(old.Entries))
	for _, e := range old.Entries {
		marks[e.Served] = e.Mark
	}
	entries := make([]Entry, len(c.Entries))
	for i, e := range c.Entries {
		key := sha256.Sum256([]byte(e.Served))
		mark, stored := marks[e.Served]
		was, listed := before[key]
		switch {
		case mark == MarkNew, stored && listed && was == current[key]:
			e.Mark = mark
		default:
			e.Mark = MarkUnknown
		}
		entries[i] = e
	}
	c.Entries, c.Compared = entries, true
	return c
}

package backend

import (
	"slices"
	"time"

	"kandev/backend/session"
)

// Bounds of one transcript. The window holds it whole, and an agent that runs
// wild must not fill memory and disk. See RATIONALE, "How long may a
// conversation be?".
const (
	maxItems  = 50_000
	maxBytes  = 256 << 20 // as weight counts them
	roomEvery = 256       // rows between two looks at the bytes
)

// noteFull ends what is kept of an agent.
const noteFull = "This conversation has become too long: what the agent shows from here on is not kept. Begin a new session to go on."

// room reports whether another row of the agent is kept, and says once that none
// is. Rows that are there change on; what the person does, and what is asked, is
// always kept.
func (t *transcript) room(now time.Time) bool {
	if t.full {
		return false
	}
	measured := t.measured && len(t.items)%roomEvery != 0
	t.measured = true
	if len(t.items) < maxItems && (measured || t.size() < maxBytes) {
		return true
	}
	t.full = true
	if !slices.ContainsFunc(t.items, func(i session.Item) bool { return i.Kind == session.ItemNotice && i.Text == noteFull }) {
		t.add(now, session.Item{Kind: session.ItemNotice, Text: noteFull})
	}
	return false
}

func (t *transcript) size() (n int) {
	for _, i := range t.items {
		n += weight(i)
	}
	return n
}

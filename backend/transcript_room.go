package backend

import (
	"slices"
	"time"

	"kandev/backend/acp"
	"kandev/backend/session"
)

// Bounds of one transcript. The window holds it whole, and an agent that runs
// wild must not fill memory and disk. See RATIONALE, "How long may a
// conversation be?".
const (
	maxItems  = 50_000
	maxBytes  = 256 << 20 // as weight counts them
	roomEvery = 256       // rows between two looks at the bytes
	newsEvery = 1 << 20   // bytes that came between two looks
)

// noteFull ends what is kept of an agent.
const noteFull = "This conversation has become too long: what the agent shows from here on is not kept. Begin a new session to go on."

// room reports whether another row of the agent is kept, and says once that none
// is. Rows that are there change on, by what is short; what the person does, and
// what is asked, is always kept.
func (t *transcript) room(now time.Time) bool {
	if t.full {
		return false
	}
	if len(t.items)%roomEvery == 0 {
		t.measured = false
	}
	if len(t.items) < maxItems && t.fits() {
		return true
	}
	t.full = true
	if !slices.ContainsFunc(t.items, func(i session.Item) bool { return i.Kind == session.ItemNotice && i.Text == noteFull }) {
		t.add(now, session.Item{Kind: session.ItemNotice, Text: noteFull})
	}
	return false
}

// fits reports whether the bytes leave room. To count them goes through every row:
// that is done when enough may have come to matter.
func (t *transcript) fits() bool {
	if !t.measured || t.news >= newsEvery {
		t.measured, t.news, t.over = true, 0, t.size() >= maxBytes
	}
	return !t.over
}

// shortened is an update of a call that has a row, without what there is no room
// for: how the call stands is always told. cut says that something is left out.
func (t *transcript) shortened(now time.Time, c *acp.ToolCall) (rest *acp.ToolCall, cut bool) {
	if c.Input == nil && c.Content == nil && c.Output == nil || t.fits() {
		return c, false
	}
	t.room(now) // says so
	next := *c
	next.Input, next.Content, next.Output = nil, nil, nil
	return &next, true
}

// incoming is about how many bytes an update may bring.
func incoming(u acp.Update) int {
	n := len(u.Raw)
	if u.Chunk != nil {
		n += len(u.Chunk.Text)
	}
	if u.Tool != nil {
		n += len(u.Tool.Input) + len(u.Tool.Output)
		for _, c := range u.Tool.Content {
			n += len(c.Text) + len(c.Raw)
			if c.Diff != nil {
				n += len(c.Diff.New)
			}
		}
	}
	return n
}

func (t *transcript) size() (n int) {
	for _, i := range t.items {
		n += weight(i)
	}
	return n
}

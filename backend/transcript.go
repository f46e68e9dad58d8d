package backend

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"kandev/backend/acp"
	"kandev/backend/session"
)

// transcript is the items of one session in memory. Numbers and revisions only
// grow. Not safe for concurrent use: the session's lock guards it. Items that
// were handed out are copies; what their slices hold is never written to.
type transcript struct {
	items    []session.Item
	revision int64
	calls    map[string]int // ACP tool call id → index, of the current execution

	terminals map[string]session.Terminal // how those of the current execution stand, by id
	shown     map[string]int              // id → index of the call that shows it

	open     int // index of the message or thought that grows, -1 = none
	text     strings.Builder
	full     bool // no further rows of the agent are kept
	measured bool // its bytes were counted
	over     bool // they were too many then
	news     int  // bytes that may have come since
	plan     int  // index of this turn's plan, -1 = none
	turn     int  // index that this turn's items begin at
	question questionRow
}

// questionRow is the last question shown, and the MCP call that asks it.
type questionRow struct {
	index  int
	callID string // "" = the client sends no id
}

func newTranscript(items []session.Item, revision int64) *transcript {
	t := &transcript{items: items, revision: revision, open: -1, plan: -1, calls: map[string]int{}, terminals: map[string]session.Terminal{}, shown: map[string]int{}}
	for _, i := range items {
		t.revision = max(t.revision, i.Revision)
	}
	return t
}

// add appends an item and returns its number.
func (t *transcript) add(now time.Time, i session.Item) int64 {
	t.open = -1
	t.revision++
	i.Number, i.Revision, i.At, i.UpdatedAt = 1, t.revision, now, now
	if n := len(t.items); n > 0 {
		i.Number = t.items[n-1].Number + 1
	}
	i.Text, i.Cut = bounded(i.Text, session.MaxText, i.Cut)
	t.items = append(t.items, i)
	return i.Number
}

func (t *transcript) touch(index int, now time.Time) *session.Item {
	t.revision++
	i := &t.items[index]
	i.Revision, i.UpdatedAt = t.revision, now
	return i
}

// asked notes that the newest item is a question, asked by a call.
func (t *transcript) asked(callID string) { t.question = questionRow{len(t.items) - 1, callID} }

// behindItsCall puts a question behind the row of the call that asks it. The
// call comes over MCP and its row over ACP: either may be first.
func (t *transcript) behindItsCall(now time.Time, callID string) int {
	call := len(t.items) - 1
	q := t.question
	if callID == "" || q.callID != callID || q.index != call-1 {
		return call
	}
	t.swap(q.index, now)
	t.question.callID = ""
	return q.index
}

// swap exchanges an item with the next one. Both get a new revision, since readers
// know items by their number.
func (t *transcript) swap(at int, now time.Time) {
	a, b := &t.items[at], &t.items[at+1]
	*a, *b = *b, *a
	a.Number, b.Number = b.Number, a.Number
	t.touch(at, now)
	t.touch(at+1, now)
}

// waiting is the index of the prompt that no agent was sent yet, -1 = none.
func (t *transcript) waiting() int {
	for index, i := range slices.Backward(t.items) {
		if i.Kind == session.ItemPrompt && i.Ref == session.RefWaiting {
			return index
		}
	}
	return -1
}

// sent says that the prompt that waited went out now, behind the preamble that
// was shown a moment ago. What was said meanwhile stays between them.
func (t *transcript) sent(now time.Time) {
	at, last := t.waiting(), len(t.items)-1
	if at < 0 {
		return
	}
	if at == last-1 && t.items[last].Kind == session.ItemPreamble {
		t.swap(at, now)
		at = last
	}
	i := t.touch(at, now)
	i.Ref, i.At = "", now
}

// newTurn says that what comes next belongs to another prompt.
func (t *transcript) newTurn() { t.open, t.plan, t.turn = -1, -1, len(t.items) }

// newExecution forgets the ids of an agent process that is gone.
func (t *transcript) newExecution() {
	t.newTurn()
	clear(t.calls)
	clear(t.terminals)
	clear(t.shown)
}

// apply merges one session/update. It reports whether an item changed.
func (t *transcript) apply(now time.Time, u acp.Update) bool {
	before := t.revision
	t.news += incoming(u)
	t.merge(now, u)
	return t.revision != before
}

func (t *transcript) merge(now time.Time, u acp.Update) {
	switch u.Kind {
	case acp.KindMessageChunk:
		t.chunk(now, session.ItemMessage, u.Chunk)
	case acp.KindThoughtChunk:
		t.chunk(now, session.ItemThought, u.Chunk)
	case acp.KindToolCall, acp.KindToolUpdate:
		if u.Kind == acp.KindToolCall && u.Tool != nil {
			t.forgetCall(u.Tool.CallID)
		}
		t.tool(now, u.Tool)
	case acp.KindPlan:
		t.setPlan(now, u.Plan)
	case acp.KindUserChunk, acp.KindCommands, acp.KindMode, acp.KindInfo, acp.KindUsage:
		// The person's own words are here already; the others are no rows.
	default:
		if !t.room(now) {
			return
		}
		raw, cut := u.Raw, false
		if len(raw) > session.MaxRaw {
			raw, cut = quoted(raw, session.MaxRaw), true
		}
		t.add(now, session.Item{Kind: session.ItemUnknown, Text: u.Kind, Raw: slices.Clone(raw), Cut: cut})
	}
}

// chunk joins pieces of one message. Another message id, another kind or any
// row in between begins a new item.
func (t *transcript) chunk(now time.Time, kind session.ItemKind, c *acp.Chunk) {
	if c == nil || c.Text == "" {
		return
	}
	if t.open >= 0 {
		i := t.items[t.open]
		if i.Kind == kind && (c.MessageID == "" || i.Ref == "" || c.MessageID == i.Ref) {
			t.grow(now, c.Text)
			return
		}
	}
	if !t.room(now) {
		return
	}
	t.add(now, session.Item{Kind: kind, Ref: c.MessageID})
	t.open = len(t.items) - 1
	t.text.Reset()
	t.grow(now, c.Text)
}

func (t *transcript) grow(now time.Time, s string) {
	i := t.touch(t.open, now)
	if i.Cut {
		return
	}
	s, i.Cut = bounded(s, session.MaxText-t.text.Len(), false)
	t.text.WriteString(s)
	i.Text = t.text.String() // shares the builder's bytes, which are only appended to
}

func (t *transcript) setPlan(now time.Time, entries []session.PlanEntry) {
	cut := len(entries) > maxPlan
	entries = slices.Clone(entries[:min(len(entries), maxPlan)])
	for i := range entries {
		e := &entries[i]
		for _, text := range []*string{&e.Content, &e.Priority, &e.Status} {
			set(text, text)
		}
	}
	if t.plan < 0 {
		if !t.room(now) {
			return
		}
		t.add(now, session.Item{Kind: session.ItemPlan})
		t.plan = len(t.items) - 1
	}
	i := t.touch(t.plan, now)
	i.Plan, i.Cut = entries, cut
}

// after returns copies of the items newer than a revision, in order of their
// number, until limit bytes of text are reached; at least one.
func (t *transcript) after(revision int64, limit int) (items []session.Item, more bool) {
	changed := make([]int, 0, 16)
	for i := range t.items {
		if t.items[i].Revision > revision {
			changed = append(changed, i)
		}
	}
	// Pages go by revision, so that the reader's number says what it has.
	slices.SortFunc(changed, func(a, b int) int { return int(t.items[a].Revision - t.items[b].Revision) })
	size := 0
	for n, i := range changed {
		size += weight(t.items[i])
		if n > 0 && size > limit {
			more = true
			break
		}
		items = append(items, t.items[i])
	}
	return items, more
}

func weight(i session.Item) int {
	n := 256 + len(i.Text) + len(i.Raw)
	if i.Tool != nil {
		n += len(i.Tool.Input) + len(i.Tool.Output)
		for _, d := range i.Tool.Diffs {
			n += len(d.New)
			if d.Old != nil {
				n += len(*d.Old)
			}
		}
		for _, one := range i.Tool.Terminals {
			n += len(one.Command) + len(one.Output)
		}
	}
	return n
}

// bounded cuts text to limit bytes on a rune boundary and makes it valid UTF-8.
func bounded(s string, limit int, cut bool) (string, bool) {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= limit {
		return s, cut
	}
	limit = max(limit, 0)
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit], true
}

// quoted is the beginning of JSON that is too long to keep, as a JSON string.
func quoted(raw json.RawMessage, limit int) json.RawMessage {
	s, _ := bounded(string(raw), limit/2, false)
	b, err := json.Marshal(s)
	if err != nil {
		return json.RawMessage(`""`)
	}
	return b
}

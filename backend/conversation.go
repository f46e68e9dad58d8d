package backend

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"kandev/backend/acp"
	"kandev/backend/agentctl"
	"kandev/backend/attach"
	"kandev/backend/event"
	"kandev/backend/permission"
	"kandev/backend/question"
	"kandev/backend/session"
	"kandev/backend/sqlite"
	"kandev/backend/tool"
)

// conversation is one session in memory. Its mutex is the session's lock:
// reduce, publish and mark dirty happen under it, nothing slow does.
type conversation struct {
	b *Backend

	mu       sync.Mutex
	row      session.Session
	items    *transcript // nil until loaded
	history  attach.History
	loaded   bool // items and the catalog of the current attempt are in memory
	instance *agentctl.Instance
	over     chan struct{}      // closed when the running execution has ended
	endStart context.CancelFunc // of what the running start waits for before it has a process
	stopping string             // why the agent is being stopped; "" = it is not
	ran      string             // the command of the execution, as a person is told it
	given    []string           // the person's values and our bearers that the agent was given; never shown
	wants    beginning          // of the running start
	next     chan delivery      // attempts to make in the running execution
	first    string             // the prompt to begin with, kept until it is sent; the transcript shows it as waiting
	later    string             // the late answer of a detached question, sent when its turn ends
	fresh    bool               // the attempt began with session/new and got no prompt yet
	auth     []acp.AuthMethod   // what the agent offered last to log in by
	program  string             // how the person calls the agent's program in a terminal
	asking   *valueAsk          // the running start waits for values; nil = it does not
	typed    []TypedValue       // for this start alone; nil = not asked yet
	loginAsk bool               // the agent wants a login: the last start failed for it, or carries one out
	turn     int
	served   atomic.Pointer[tool.Set] // our tools as they are served now
	joined   map[string]string        // MCP calls of the turn: the agent's own id → canonical name
	removing bool                     // it or its worktree is about to go: no new start
	deleted  bool                     // gone: nothing is told or stored any more

	asked   map[string]*asked  // open and detached questions
	permits map[string]*permit // open permission requests

	// What is not stored yet.
	dirty struct {
		row, attachment bool
		revision        int64 // items up to this one are stored
		questions       map[string]question.Bundle
		permissions     map[string]permission.Request
	}
}

func (b *Backend) newConversation(row session.Session) *conversation {
	c := &conversation{b: b, row: row, asked: map[string]*asked{}, permits: map[string]*permit{}, joined: map[string]string{}}
	c.dirty.questions = map[string]question.Bundle{}
	c.dirty.permissions = map[string]permission.Request{}
	return c
}

// find returns the conversation of a session.
func (b *Backend) find(id session.ID) (*conversation, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.sessions[id]
	if c == nil {
		return nil, fmt.Errorf("%w: %s", session.ErrNotFound, id)
	}
	return c, nil
}

// load brings transcript and catalog into memory, once.
func (c *conversation) load(ctx context.Context) error {
	c.mu.Lock()
	id, loaded := c.row.ID, c.loaded
	c.mu.Unlock()
	if loaded {
		return nil
	}
	// A row that cannot be read costs itself: the others are there.
	items, err := c.b.db.Transcript(ctx, id, 0, 0)
	if err != nil && !errors.Is(err, sqlite.ErrRow) {
		return fmt.Errorf("read the transcript of %s: %w", id, err)
	}
	history, err := c.b.db.LoadAttachment(ctx, id)
	if err != nil && !errors.Is(err, sqlite.ErrRow) {
		return fmt.Errorf("read the attachment of %s: %w", id, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.loaded {
		return nil
	}
	c.items, c.history, c.loaded = newTranscript(items, c.row.Revision), history.AfterBoot(), true
	c.dirty.revision = c.items.revision
	if at := c.items.waiting(); at >= 0 {
		c.first = c.items.items[at].Text
	}
	if c.items.endAll(c.b.o.Now()) { // the app ended while they ran
		c.touched()
	}
	return nil
}

// changed says what is to be stored; now = without waiting 250 ms. Called with
// the lock held: the writer calls back on its own goroutine.
func (c *conversation) changed(now bool) {
	if c.deleted {
		return
	}
	key := string(c.row.ID)
	if now {
		c.b.writer.Now(key, c.change)
	} else {
		c.b.writer.Dirty(key, c.change)
	}
}

// change is what is true now and not stored yet; called by the writer.
func (c *conversation) change() sqlite.Change {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.deleted {
		return sqlite.Change{ID: c.row.ID, Deleted: true}
	}
	ch := sqlite.Change{ID: c.row.ID}
	if c.dirty.row {
		row := c.row
		ch.Session = &row
	}
	revision := c.dirty.revision
	if c.items != nil {
		for i := range c.items.items {
			if c.items.items[i].Revision > revision {
				ch.Items = append(ch.Items, stored(c.items.items[i]))
			}
		}
		revision = c.items.revision
	}
	if c.dirty.attachment && c.loaded {
		history := c.history
		ch.Attachment = &history
	}
	ch.Questions = slices.Collect(maps.Values(c.dirty.questions))
	ch.Permissions = slices.Collect(maps.Values(c.dirty.permissions))
	ch.Saved = c.saved(ch, revision)
	return ch
}

// saved marks as stored what a change held, unless it changed meanwhile.
func (c *conversation) saved(ch sqlite.Change, revision int64) func() {
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.dirty.revision = max(c.dirty.revision, revision)
		if ch.Session != nil && *ch.Session == c.row {
			c.dirty.row = false
		}
		if ch.Attachment != nil && sameHistory(*ch.Attachment, c.history) {
			c.dirty.attachment = false
		}
		for _, q := range ch.Questions {
			if c.dirty.questions[q.ID].State == q.State {
				delete(c.dirty.questions, q.ID)
			}
		}
		for _, p := range ch.Permissions {
			if c.dirty.permissions[p.ID].State == p.State {
				delete(c.dirty.permissions, p.ID)
			}
		}
	}
}

// sameHistory compares by identity: histories are immutable, so the same
// backing array means that nothing changed.
func sameHistory(a, b attach.History) bool {
	return len(a.Attempts) == len(b.Attempts) && a.CatalogRev == b.CatalogRev &&
		(len(a.Attempts) == 0 || &a.Attempts[0] == &b.Attempts[0])
}

// tell publishes a view of this session, unless it is gone. Lock held.
func (c *conversation) tell(v event.View) {
	if !c.deleted {
		c.b.out.publish(v)
	}
}

// publishRow tells the window about the session's row. Lock held.
func (c *conversation) publishRow() {
	c.dirty.row = true
	c.tell(c.rowView())
}

func (c *conversation) rowView() event.View {
	row := c.b.sessionView(c.row, len(c.asked)+len(c.permits))
	row.Login, row.Asks = c.loginAsk, c.asking != nil
	return event.View{Session: row}
}

// enter changes the state. Lock held.
func (c *conversation) enter(state session.State, reason string) {
	c.row.State, c.row.Reason, c.row.UpdatedAt = state, reason, c.b.o.Now()
	c.publishRow()
	c.changed(!state.Live())
}

// note adds one of our own sentences to the transcript. What an agent says in
// it does not hold the person's values. Lock held.
func (c *conversation) note(text string) {
	c.add(session.Item{Kind: session.ItemNotice, Text: c.hide(text)})
}

// add appends an item and tells the window. Lock held; the session is loaded.
func (c *conversation) add(i session.Item) {
	c.items.add(c.b.o.Now(), i)
	c.touched()
}

// touched publishes the newest transcript revision. Lock held.
func (c *conversation) touched() {
	c.row.Revision = c.items.revision
	c.dirty.row = true
	if c.deleted {
		return
	}
	c.b.out.keep(c.rowView()) // a snapshot's row has the revision that this event tells
	c.tell(event.View{Transcript: &event.Transcript{Session: string(c.row.ID), Revision: c.row.Revision}})
	c.changed(false)
}

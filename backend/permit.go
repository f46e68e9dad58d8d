package backend

import (
	"context"
	"slices"

	"kandev/backend/acp"
	"kandev/backend/event"
	"kandev/backend/permission"
	"kandev/backend/question"
	"kandev/backend/session"
)

// permit is an open permission request: the take-once entry that the waiting
// request and the window share. Guarded by the session's lock.
type permit struct {
	request  permission.Request
	revision int64
	done     chan struct{}
}

// permission asks the person before the agent acts, and waits.
func (c *conversation) permission(ctx context.Context, r acp.PermissionRequest) (acp.PermissionOutcome, error) {
	p, id := c.openPermit(r)
	select {
	case <-p.done:
	case <-ctx.Done():
		c.cancelPermit(id)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return acp.PermissionOutcome{OptionID: p.request.Chosen}, nil
}

func (c *conversation) openPermit(r acp.PermissionRequest) (*permit, string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	q := permission.Request{
		ID: newID("r"), Session: c.row.ID, CallID: r.Call.CallID, Options: r.Options, Input: r.Call.Input,
		State: permission.Open, AskedAt: c.b.o.Now(),
	}
	var name string
	set(&name, r.Call.Name)
	set(&q.Title, r.Call.Title)
	set(&q.Kind, r.Call.Kind)
	if i, ok := c.items.calls[q.CallID]; ok { // often only the call's id is sent: join it
		t := c.items.items[i].Tool
		if q.Title == "" {
			q.Title = t.Title
		}
		if name == "" && i >= c.items.turn { // the id of an earlier turn's call proves nothing
			name = t.Name
		}
		if q.Kind == "" {
			q.Kind = t.Kind
		}
		if q.Input == nil {
			q.Input = t.Input
		}
	}
	q.Options = slices.Clone(q.Options)
	for i := range q.Options { // their ids stay: the agent knows them by those
		set(&q.Options[i].Name, &q.Options[i].Name)
	}
	if len(q.Input) > session.MaxToolOutput {
		q.Input = quoted(q.Input, session.MaxToolOutput)
	}
	p := &permit{request: q, done: make(chan struct{})}
	c.permits[q.ID] = p
	c.add(session.Item{Kind: session.ItemPermission, Ref: q.ID})
	if option, ok := c.rule(q, name); ok {
		if next, err := q.Select(option, c.b.o.Now()); err == nil {
			p.request, p.request.ByRule = next, true
			c.settlePermit(p)
			return p, q.ID
		}
	}
	c.permitChanged(p)
	return p, q.ID
}

// cancelPermit ends a request that nobody waits for any more.
func (c *conversation) cancelPermit(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	reason := "The agent took the request back."
	if c.instance == nil || isClosed(c.instance.Lost()) {
		reason = "The agent has ended."
	}
	p := c.permits[id]
	if p == nil {
		return
	}
	if next, changed := p.request.Cancel(reason, c.b.o.Now()); changed {
		p.request = next
		c.settlePermit(p)
	}
}

// settlePermit takes an ended request out of the table. Lock held.
func (c *conversation) settlePermit(p *permit) {
	delete(c.permits, p.request.ID)
	c.permitChanged(p)
	close(p.done)
}

// permitChanged stores and tells. Lock held.
func (c *conversation) permitChanged(p *permit) {
	p.revision++
	c.dirty.permissions[p.request.ID] = p.request
	c.tell(event.View{Permission: &event.Permission{
		ID: p.request.ID, Session: string(c.row.ID), Title: c.b.title(c.row.Task), State: string(p.request.State), Revision: p.revision,
	}})
	c.publishRow()
	c.changed(true)
}

// Permit answers a permission request with one of its options.
func (b *Backend) Permit(id, option string) error {
	for _, c := range b.all() {
		c.mu.Lock()
		p := c.permits[id]
		if p == nil {
			c.mu.Unlock()
			continue
		}
		next, err := p.request.Select(option, b.o.Now())
		if err == nil {
			p.request = next
			c.settlePermit(p)
		}
		c.mu.Unlock()
		return err
	}
	return permission.ErrClosed
}

// Permission returns a request with its content and its revision.
func (b *Backend) Permission(ctx context.Context, id string) (permission.Request, int64, error) {
	for _, c := range b.all() {
		c.mu.Lock()
		request, revision := c.dirty.permissions[id], int64(lastRevision)
		if p := c.permits[id]; p != nil {
			request, revision = p.request, p.revision
		}
		c.mu.Unlock()
		if request.ID != "" {
			return request, revision, nil
		}
	}
	r, err := b.db.Permission(ctx, id)
	return r, lastRevision, err
}

// cancelAll ends every question and permission request of a session that still
// waits for the person.
func (c *conversation) cancelAll(reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range c.asked {
		c.move(a, question.Cancelled, reason)
	}
	c.endPermits(reason)
}

// endPermits ends every permission request that waits for the person. Lock held.
func (c *conversation) endPermits(reason string) {
	for _, p := range c.permits {
		if next, changed := p.request.Cancel(reason, c.b.o.Now()); changed {
			p.request = next
			c.settlePermit(p)
		}
	}
}

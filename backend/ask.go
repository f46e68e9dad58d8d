package backend

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"time"

	"kandev/backend/event"
	"kandev/backend/question"
	"kandev/backend/session"
)

// maxAsked bounds the answerable questions of one session: an agent that asks
// and hangs up, over and over, fills neither memory nor the window.
const maxAsked = 16

// holdLimit bounds how long the answer of a stopped call is held back.
const holdLimit = 3 * time.Second

// asked is a question that can still be answered: the take-once entry that the
// waiting call and the window share. Guarded by the session's lock.
type asked struct {
	bundle   question.Bundle
	turn     int // in which it was asked last
	waiting  int // calls that wait for it
	revision int64
	expiry   *time.Timer
	done     chan struct{} // closed when the bundle ended
}

// ask shows a bundle to the person and waits: for its end, its deadline, or
// the end of ctx. A call that is gone leaves the question detached: it can
// still be answered, and the answer goes out as the next prompt.
func (c *conversation) ask(ctx context.Context, b question.Bundle, callID string, progress func(string)) (question.Bundle, error) {
	c.mu.Lock()
	if !c.row.State.Live() || c.stopping != "" {
		defer c.mu.Unlock()
		b.State, b.Reason = question.Cancelled, "The session is being stopped."
		return b, nil
	}
	a := c.sameQuestion(b)
	if a == nil {
		if len(c.asked) >= maxAsked {
			defer c.mu.Unlock()
			return b, fmt.Errorf("%w: %d questions of this session are open already; wait for the answers", question.ErrAsked, maxAsked)
		}
		a = c.open(b, callID)
	}
	a.waiting++
	a.turn = c.turn
	if a.bundle.State == question.Detached {
		a.bundle.State = question.Open
		c.questionChanged(a)
	}
	c.mu.Unlock()
	progress("Waiting for the person's answer")
	select {
	case <-a.done:
		c.untilStopped(ctx)
	case <-ctx.Done():
		c.leave(a, context.Cause(ctx))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return a.bundle, nil
}

// untilStopped holds the answer of a call back while the turn is being stopped:
// CancelTurn ends the call once the agent can have heard of the stop.
func (c *conversation) untilStopped(ctx context.Context) {
	c.mu.Lock()
	stopping := c.row.State == session.Cancelling
	c.mu.Unlock()
	if !stopping {
		return
	}
	select {
	case <-ctx.Done():
	case <-time.After(holdLimit):
	}
}

// sameQuestion finds an open bundle that asks the same. Lock held.
func (c *conversation) sameQuestion(b question.Bundle) *asked {
	for _, a := range c.asked {
		if a.bundle.Context == b.Context && reflect.DeepEqual(a.bundle.Questions, b.Questions) {
			return a
		}
	}
	return nil
}

// open stores and shows a new bundle. Lock held.
func (c *conversation) open(b question.Bundle, callID string) *asked {
	now, wait := c.b.o.Now(), cmp.Or(c.b.o.questionWait, question.Wait)
	b.ID, b.Session, b.CallID, b.State = newID("q"), c.row.ID, callID, question.Open
	b.AskedAt, b.Deadline = now, now.Add(wait)
	if cur := c.history.Current(); cur != nil {
		b.Attempt = cur.ID
	}
	a := &asked{bundle: b, done: make(chan struct{})}
	// Not the call's timer: a detached question expires as well.
	a.expiry = time.AfterFunc(wait, func() { c.endQuestion(b.ID, question.Expired, "") })
	c.asked[b.ID] = a
	c.add(session.Item{Kind: session.ItemQuestion, Ref: b.ID})
	c.items.asked(callID)
	c.questionChanged(a)
	return a
}

// leave is what becomes of a question whose last call ended first: the person's
// stop, a new attempt and the agent's own cancel end it; a client that is
// merely gone leaves it to be answered.
func (c *conversation) leave(a *asked, cause error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.waiting--; a.waiting > 0 {
		return
	}
	to, reason := question.Cancelled, cancelReason(cause)
	if isGone(cause) {
		to, reason = question.Detached, ""
	}
	c.move(a, to, reason)
}

// endQuestion ends an answerable bundle; the first end wins.
func (c *conversation) endQuestion(id string, to question.State, reason string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.asked[id]
	return a != nil && c.move(a, to, reason)
}

// move takes a bundle to another state, when its rule allows that. Lock held.
func (c *conversation) move(a *asked, to question.State, reason string) bool {
	next, changed := a.bundle.End(to, reason, c.b.o.Now())
	switch {
	case !changed:
	case to.Answerable():
		a.bundle = next
		c.questionChanged(a)
	default:
		a.bundle = next
		c.settle(a)
	}
	return changed
}

// settle takes an ended bundle out of the table, stores it and wakes the call.
// Lock held.
func (c *conversation) settle(a *asked) {
	delete(c.asked, a.bundle.ID)
	a.expiry.Stop()
	c.questionChanged(a)
	close(a.done)
}

// questionChanged stores and tells. Lock held.
func (c *conversation) questionChanged(a *asked) {
	a.revision++
	c.dirty.questions[a.bundle.ID] = a.bundle
	c.tell(event.View{Question: &event.Question{
		ID: a.bundle.ID, Session: string(c.row.ID), Title: c.b.title(c.row.Task), State: string(a.bundle.State), Revision: a.revision,
	}})
	c.publishRow()
	c.changed(true)
}

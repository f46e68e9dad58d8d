package backend

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"kandev/backend/event"
	"kandev/backend/question"
	"kandev/backend/session"
)

// asked is a question that can still be answered: the take-once entry that the
// waiting call and the window share. Guarded by the session's lock.
type asked struct {
	bundle   question.Bundle
	turn     int
	waiting  int // calls that wait for it
	revision int64
	done     chan struct{} // closed when the bundle ended
}

// ask shows a bundle to the person and waits: for its end, its deadline, or
// the end of ctx. A call that is gone leaves the question detached: it can
// still be answered, and the answer goes out as the next prompt.
func (c *conversation) ask(ctx context.Context, b question.Bundle, callID string, progress func(string)) (question.Bundle, error) {
	c.mu.Lock()
	a := c.sameQuestion(b)
	if a == nil {
		a = c.open(b, callID)
	}
	a.waiting++
	if a.bundle.State == question.Detached {
		a.bundle.State = question.Open
		c.questionChanged(a)
	}
	c.mu.Unlock()
	progress("Waiting for the person's answer")
	timer := time.NewTimer(a.bundle.Deadline.Sub(c.b.o.Now()))
	defer timer.Stop()
	select {
	case <-a.done:
	case <-timer.C:
		c.endQuestion(a.bundle.ID, question.Expired, "")
	case <-ctx.Done():
		c.leave(a, context.Cause(ctx))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	a.waiting--
	return a.bundle, nil
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
	now := c.b.o.Now()
	b.ID, b.Session, b.CallID, b.State = newID("q"), c.row.ID, callID, question.Open
	b.AskedAt, b.Deadline = now, now.Add(question.Wait)
	if cur := c.history.Current(); cur != nil {
		b.Attempt = cur.ID
	}
	a := &asked{bundle: b, turn: c.turn, done: make(chan struct{})}
	c.asked[b.ID] = a
	c.add(session.Item{Kind: session.ItemQuestion, Ref: b.ID})
	c.questionChanged(a)
	return a
}

// leave is what becomes of a question whose call ended first: the person's
// stop, a new attempt and the agent's own cancel end it; a client that is
// merely gone leaves it to be answered.
func (c *conversation) leave(a *asked, cause error) {
	c.mu.Lock()
	others := a.waiting > 1
	c.mu.Unlock()
	if others {
		return
	}
	if isGone(cause) {
		c.detach(a)
		return
	}
	c.endQuestion(a.bundle.ID, question.Cancelled, cancelReason(cause))
}

func (c *conversation) detach(a *asked) {
	c.mu.Lock()
	defer c.mu.Unlock()
	next, changed := a.bundle.End(question.Detached, "", c.b.o.Now())
	if changed {
		a.bundle = next
		c.questionChanged(a)
	}
}

// endQuestion ends an answerable bundle; the first end wins.
func (c *conversation) endQuestion(id string, to question.State, reason string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.asked[id]
	if a == nil {
		return false
	}
	next, changed := a.bundle.End(to, reason, c.b.o.Now())
	if changed {
		a.bundle = next
		c.settle(a)
	}
	return changed
}

// settle takes an ended bundle out of the table, stores it and wakes the call.
// Lock held.
func (c *conversation) settle(a *asked) {
	delete(c.asked, a.bundle.ID)
	c.questionChanged(a)
	close(a.done)
}

// questionChanged stores and tells. Lock held.
func (c *conversation) questionChanged(a *asked) {
	a.revision++
	c.dirty.questions[a.bundle.ID] = a.bundle
	c.b.out.publish(event.View{Question: &event.Question{
		ID: a.bundle.ID, Session: string(c.row.ID), Title: c.b.title(c.row.Task), State: string(a.bundle.State), Revision: a.revision,
	}})
	c.publishRow()
	c.changed(true)
}

// Answer takes a person's answers. The first answer wins, everywhere.
func (b *Backend) Answer(id string, answers []question.Answer) error {
	c, a, err := b.question(id)
	if err != nil {
		return err
	}
	c.mu.Lock()
	if c.asked[id] == nil {
		c.mu.Unlock()
		return question.ErrClosed
	}
	detached := a.bundle.State == question.Detached
	next, err := a.bundle.Answer(answers, b.o.Now())
	if err != nil {
		c.mu.Unlock()
		return err
	}
	a.bundle = next
	latest := a.turn == c.turn
	c.settle(a)
	c.mu.Unlock()
	if detached {
		return c.late(next, latest)
	}
	return nil
}

// late sends the answer of a detached question as the next prompt, while the
// turn that asked is the latest.
func (c *conversation) late(b question.Bundle, latest bool) error {
	if latest {
		err := c.prompt(answerText(b))
		if err == nil || !errors.Is(err, session.ErrBusy) && !errors.Is(err, session.ErrNotLive) {
			return err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.note("Your answer is kept, but the agent that asked went on without it. Send it as a prompt if it still matters.")
	return nil
}

func answerText(b question.Bundle) string {
	var out strings.Builder
	out.WriteString("Answers to your questions:\n")
	for i, q := range b.Questions {
		said := append([]string{}, b.Answers[i].Chosen...)
		if b.Answers[i].Text != "" {
			said = append(said, b.Answers[i].Text)
		}
		fmt.Fprintf(&out, "- %s: %s\n", q.Prompt, strings.Join(said, ", "))
	}
	return out.String()
}

// RejectQuestion ends a question without an answer; the agent is told why.
func (b *Backend) RejectQuestion(id, reason string) error {
	c, _, err := b.question(id)
	if err != nil {
		return err
	}
	if reason, _ = bounded(reason, 2000, false); !c.endQuestion(id, question.Rejected, reason) {
		return question.ErrClosed
	}
	return nil
}

// question finds an answerable bundle.
func (b *Backend) question(id string) (*conversation, *asked, error) {
	for _, c := range b.all() {
		c.mu.Lock()
		a := c.asked[id]
		c.mu.Unlock()
		if a != nil {
			return c, a, nil
		}
	}
	return nil, nil, question.ErrClosed
}

// Question returns a bundle with its content and its revision.
func (b *Backend) Question(ctx context.Context, id string) (question.Bundle, int64, error) {
	if c, a, err := b.question(id); err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		return a.bundle, a.revision, nil
	}
	for _, c := range b.all() { // ended and not stored yet
		c.mu.Lock()
		q, ok := c.dirty.questions[id]
		c.mu.Unlock()
		if ok {
			return q, lastRevision, nil
		}
	}
	q, err := b.db.Question(ctx, id)
	return q, lastRevision, err
}

// lastRevision is the revision of what has ended and does not change again.
const lastRevision = 1 << 40

package backend

import (
	"context"
	"fmt"
	"strings"

	"kandev/backend/question"
)

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
		c.late(next, latest)
	}
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

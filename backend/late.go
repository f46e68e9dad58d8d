package backend

import (
	"errors"
	"maps"
	"slices"

	"kandev/backend/question"
	"kandev/backend/session"
)

// lateNote is what the person is told of an answer that nobody waits for.
const lateNote = "Your answer is kept, but the agent that asked went on without it. Send it as a prompt if it still matters."

// late sends the answer of a detached question as the next prompt, while the
// turn that asked is the latest: at once, or when that turn has ended.
func (c *conversation) late(b question.Bundle, latest bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := session.ErrNotLive
	if latest {
		err = c.begin(answerText(b))
	}
	switch {
	case err == nil:
	case errors.Is(err, session.ErrBusy) && c.row.State != session.Cancelling:
		c.later += answerText(b)
	default:
		c.note(lateNote)
	}
}

// sendLater sends what waited for the end of the turn. Lock held, agent ready.
func (c *conversation) sendLater() {
	text := c.later
	c.later = ""
	if text != "" && c.begin(text) != nil {
		c.note(lateNote)
	}
}

// dropLater says that what waited for the end of the turn is not sent. Lock held.
func (c *conversation) dropLater() {
	if c.later != "" {
		c.later = ""
		c.note(lateNote)
	}
}

// endDetached ends the questions whose answers would go to an agent that knows
// nothing of them any more. Lock held.
func (c *conversation) endDetached(reason string) {
	for _, a := range slices.Collect(maps.Values(c.asked)) {
		if a.bundle.State == question.Detached {
			c.move(a, question.Cancelled, reason)
		}
	}
}

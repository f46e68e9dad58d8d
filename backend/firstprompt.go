package backend

import (
	"context"
	"time"
)

// storeFirst is how long the prompt that a session begins with waits for the
// database before it goes out.
const storeFirst = 2 * time.Second

// beginFirst begins a turn with the prompt that waited for the agent, if there is
// one. Lock held, agent ready.
func (c *conversation) beginFirst() bool {
	text := c.first
	if text == "" {
		return false
	}
	began := c.beginTurn(text, turnStart{
		show: func() { c.items.sent(c.b.o.Now()); c.touched() },
		wait: c.storeSent,
	}) == nil
	if began {
		c.first = ""
	}
	return began
}

// storeSent stores that the prompt does not wait any more: with the app killed
// right behind the sending, the next start would send it again. Where nothing can
// be stored it goes out all the same.
func (c *conversation) storeSent() {
	ctx, cancel := context.WithTimeout(c.b.ctx, storeFirst)
	defer cancel()
	if err := c.b.writer.Flush(ctx); err != nil && c.b.ctx.Err() == nil {
		c.b.log.Warn("not stored that the first prompt is sent", "session", c.row.ID, "err", err)
	}
}

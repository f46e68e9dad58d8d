package backend

import (
	"context"
	"errors"
	"time"

	"kandev/backend/event"
	"kandev/backend/sqlite"
)

// How often a database that could not be written at the start is tried again.
const (
	firstMoveIn = time.Second // doubled up to lastMoveIn
	lastMoveIn  = 30 * time.Second
)

// canHeal reports whether a fault of the start may go while the app runs, so
// that memory stands in for the file until then.
func canHeal(err error) bool {
	return errors.Is(err, sqlite.ErrReadOnly) || errors.Is(err, sqlite.ErrFull)
}

// waitSentence says what is wrong with a database that is tried again.
func waitSentence(err error) string {
	switch {
	case errors.Is(err, sqlite.ErrFull):
		return "The disk is full. Nothing is saved until there is room; Kandev tries again by itself."
	case errors.Is(err, sqlite.ErrReadOnly):
		return "The data folder cannot be written to. Nothing is saved until it can be; Kandev tries again by itself."
	case errors.Is(err, sqlite.ErrLocked):
		return "Another program holds the database. Nothing is saved until it lets go; Kandev tries again by itself."
	}
	return storeSentence(err) + " Nothing is saved until then."
}

// moveIn tries to go from memory into the file, again and again, until it is
// done or the app ends.
func (b *Backend) moveIn() {
	for wait := firstMoveIn; ; wait = min(2*wait, lastMoveIn) {
		select {
		case <-b.ctx.Done():
			return
		case <-time.After(wait):
		}
		err := b.tryMoveIn(b.ctx)
		if b.ctx.Err() != nil && err != nil {
			return // closeStore tries once more
		}
		if err == nil {
			b.log.Info("the database can be written again")
			b.out.publish(event.View{NoticeGone: noticeStore})
			b.writer.Checkpoint() // what was deleted meanwhile is still in the WAL
			if b.db.Unclean() {
				b.quickCheck()
			}
			return
		}
		if b.notMoved(err) {
			return
		}
	}
}

// notMoved tells why memory is not in the file, which may be another fault than at
// the start. over: it is not tried again.
func (b *Backend) notMoved(err error) (over bool) {
	b.log.Warn("database still not written", "err", err)
	text, over := waitSentence(err), errors.Is(err, sqlite.ErrChanged)
	if over {
		text = "Another program has changed the database. It was left as it is, and nothing is saved. Start Kandev again to see it."
	}
	b.notice(noticeStore, "error", text, "open_data_folder")
	return over
}

func (b *Backend) tryMoveIn(ctx context.Context) error {
	err := b.db.MoveIn(ctx)
	if err == nil {
		b.memory.Store(false)
		b.secrets.forget(ctx, b.secrets.later.due()...)
	}
	return err
}

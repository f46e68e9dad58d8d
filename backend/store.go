package backend

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"kandev/backend/event"
	"kandev/backend/sqlite"
)

// Ids of notices; each stands until its cause is gone.
const (
	noticeStore  = "store"
	noticeBroken = "store_broken"
)

// FolderError says that the data folder cannot be used at all.
type FolderError struct {
	Folder string
	Err    error
}

func (e *FolderError) Error() string {
	return fmt.Sprintf("the data folder %s cannot be made: %v. Choose another one with KANDEV_HOME.", e.Folder, e.Err)
}

func (e *FolderError) Unwrap() error { return e.Err }

// openStore opens the database, or what can stand in for it: a damaged one is
// set aside and a new one begun; with any other fault the app works in memory,
// over what is stored where that can be read and may be written later.
func (b *Backend) openStore(ctx context.Context) error {
	db, err := sqlite.Open(ctx, b.path(sqlite.FileName), b.o.store)
	if db, err = b.standIn(ctx, db, err); err != nil {
		return err
	}
	b.useStore(ctx, db)
	return nil
}

// standIn is the database to use after one could not be opened or read.
func (b *Backend) standIn(ctx context.Context, db *sqlite.DB, err error) (*sqlite.DB, error) {
	if errors.Is(err, sqlite.ErrNotDatabase) {
		db, err = b.startOver(ctx, b.path(sqlite.FileName), err)
	}
	if err == nil {
		return db, nil
	}
	b.log.Error("database not opened", "err", err)
	b.memory.Store(true)
	if canHeal(err) {
		memory, unread := sqlite.OpenStandIn(ctx, b.path(sqlite.FileName), b.o.store)
		if unread == nil {
			b.waits = true
			b.notice(noticeStore, "error", waitSentence(err), "open_data_folder")
			return memory, nil
		}
		b.log.Warn("what is stored is not shown", "err", unread)
	}
	b.notice(noticeStore, "error", storeSentence(err)+" Nothing is saved until then.", "open_data_folder")
	if db, err = sqlite.OpenMemory(ctx); err != nil {
		return nil, fmt.Errorf("open a database in memory: %w", err)
	}
	return db, nil
}

// replaceStore puts another database in the place of one that opened and then
// could not be read.
func (b *Backend) replaceStore(ctx context.Context, fault error) error {
	if b.memory.Load() {
		return fault
	}
	b.writer.Close()
	if err := b.db.Close(ctx); err != nil {
		b.log.Warn("database not closed in order", "err", err)
	}
	b.writer, b.db = nil, nil
	db, err := b.standIn(ctx, nil, fault)
	if err != nil {
		return err
	}
	b.useStore(ctx, db)
	return nil
}

// useStore begins to write to a database.
func (b *Backend) useStore(ctx context.Context, db *sqlite.DB) {
	b.db = db
	b.writer = sqlite.NewWriter(db, sqlite.WriterOptions{Fault: b.writeFailed, Healed: b.writeHealed})
	if err := db.PruneBackup(ctx, b.o.Now()); err != nil {
		b.log.Warn("old backup not removed", "err", err)
	}
}

// startOver keeps a damaged database under a name with the time and begins a
// new one.
func (b *Backend) startOver(ctx context.Context, path string, fault error) (*sqlite.DB, error) {
	aside, err := sqlite.SetAside(path, b.o.Now())
	if err != nil {
		return nil, errors.Join(fault, err)
	}
	b.aside = aside
	b.log.Error("database set aside", "err", fault, "name", filepath.Base(aside))
	b.notice(noticeBroken, "warning", fmt.Sprintf(
		"The database could not be read. It was kept as %s, and a new one was begun. Sessions from before are not shown.", filepath.Base(aside)), "delete_broken")
	return sqlite.Open(ctx, path, b.o.store)
}

// storeSentence says what is wrong with the database and what to do.
func storeSentence(err error) string {
	var newer *sqlite.NewerError
	switch {
	case errors.As(err, &newer):
		return fmt.Sprintf("The database was written by a newer Kandev (schema %d, this one knows %d). It was left as it is. Install the newer version.", newer.Found, newer.Known)
	case errors.Is(err, sqlite.ErrReadOnly):
		return "The data folder cannot be written to. Make it writable, then start Kandev again."
	case errors.Is(err, sqlite.ErrFull):
		return "The disk is full. Free some space, then start Kandev again."
	case errors.Is(err, sqlite.ErrLocked):
		return "Another program holds the database. Close it, then start Kandev again."
	case errors.Is(err, sqlite.ErrNoWAL):
		return "The data folder lies on a file system that cannot hold the database safely. Choose a local folder with KANDEV_HOME."
	}
	return "The database cannot be read. Look at the rights of the data folder, then start Kandev again."
}

// writeFailed says once that the newest state is in memory only.
func (b *Backend) writeFailed(err error) {
	b.log.Error("write failed", "err", err)
	text := "The newest changes are not saved yet: another program holds the database. Kandev tries again by itself."
	switch {
	case errors.Is(err, sqlite.ErrFull):
		text = "The newest changes are not saved: the disk is full. Free some space; Kandev tries again by itself."
	case errors.Is(err, sqlite.ErrReadOnly), errors.Is(err, sqlite.ErrUnreadable):
		text = "The newest changes are not saved: the data folder cannot be written to. Make it writable; Kandev tries again by itself."
	case errors.Is(err, sqlite.ErrNotDatabase):
		text = "The newest changes are not saved: the database is damaged. What you see is kept in memory until you quit."
	}
	b.notice(noticeStore, "error", text, "open_data_folder")
}

func (b *Backend) writeHealed() {
	b.log.Info("writes succeed again")
	b.out.publish(event.View{NoticeGone: noticeStore})
}

func (b *Backend) notice(id, kind, text, action string) {
	b.out.publish(event.View{Notice: &event.Notice{ID: id, Kind: kind, Text: text, Action: action}})
}

// quickCheck looks through the file after an end that was not clean.
func (b *Backend) quickCheck() {
	err := b.db.QuickCheck(b.ctx)
	if err == nil || b.ctx.Err() != nil {
		return
	}
	b.log.Error("quick check", "err", err)
	b.notice(noticeBroken, "error", "The database is damaged in places. What can be read is shown; back up the data folder.", "open_data_folder")
}

// closeStore writes what is left, within five seconds. Its error says that not
// everything was stored.
func (b *Backend) closeStore() error {
	if b.writer == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), flushLimit)
	defer cancel()
	err := b.writer.Flush(ctx)
	if b.waits && b.memory.Load() {
		if unsaved := b.tryMoveIn(ctx); unsaved != nil {
			b.log.Error("nothing of this run was saved", "err", unsaved)
			err = errors.Join(err, unsaved)
		}
	}
	b.writer.Close()
	closing, done := context.WithTimeout(context.Background(), closeLimit)
	defer done()
	if closeErr := b.db.Close(closing); closeErr != nil {
		b.log.Warn("database not closed in order", "err", closeErr) // what was flushed is stored
	}
	return err
}

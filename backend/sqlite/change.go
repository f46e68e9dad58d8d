package sqlite

import (
	"context"
	"database/sql"

	"kandev/backend/attach"
	"kandev/backend/permission"
	"kandev/backend/project"
	"kandev/backend/question"
	"kandev/backend/session"
	"kandev/backend/settings"
	"kandev/backend/task"
)

// Change is what one transaction stores. A nil field is unchanged; the zero
// value stores nothing. Values are read, never kept or changed, except that a
// catalog's pointer is remembered: an equal pointer means an unchanged catalog.
//
// With a new session, give its project and task in the same change: a session
// is never stored without them.
type Change struct {
	ID      session.ID // whose; "" when only projects, tasks or settings change
	Deleted bool       // the session and all that hangs on it goes; the rest of the change is ignored

	Settings    *settings.Settings
	Project     *project.Project
	Task        *task.Task
	Session     *session.Session
	Items       []session.Item // changed ones; an older Revision than the stored one is passed over
	Attachment  *attach.History
	Questions   []question.Bundle
	Permissions []permission.Request

	// Saved is called by a Writer after the change is stored; nil is allowed.
	// SaveSession itself does not call it.
	Saved func()
}

// empty reports whether the change stores nothing.
func (c Change) empty() bool {
	return !c.Deleted && c.Settings == nil && c.Project == nil && c.Task == nil && c.Session == nil &&
		len(c.Items) == 0 && c.Attachment == nil && len(c.Questions) == 0 && len(c.Permissions) == 0
}

// SaveSession stores a change in one transaction. Dropped reports that
// definitions or a whole session were deleted, after which a Checkpoint is due.
func (db *DB) SaveSession(ctx context.Context, c Change) (dropped bool, err error) {
	if c.Deleted {
		return true, db.DeleteSession(ctx, c.ID)
	}
	a := attachmentWrite{session: c.ID}
	err = db.write(ctx, "save session "+string(c.ID), func(tx *sql.Tx) error {
		if err := c.store(ctx, tx); err != nil || c.Attachment == nil {
			return err
		}
		a.before = db.stored[c.ID]
		delete(db.stored, c.ID) // until it is known what is stored
		return a.store(ctx, tx, *c.Attachment)
	}, func() {
		if c.Attachment != nil {
			db.stored[c.ID] = a.after
		}
	})
	return a.dropped, err
}

func (c Change) store(ctx context.Context, tx *sql.Tx) error {
	if c.Settings != nil {
		if err := upsertSettings(ctx, tx, *c.Settings); err != nil {
			return err
		}
	}
	if c.Project != nil {
		if err := upsertProject(ctx, tx, *c.Project); err != nil {
			return err
		}
	}
	if c.Task != nil {
		if err := upsertTask(ctx, tx, *c.Task); err != nil {
			return err
		}
	}
	if c.Session != nil {
		if err := upsertSession(ctx, tx, *c.Session); err != nil {
			return err
		}
	}
	for _, item := range c.Items {
		if err := upsertItem(ctx, tx, c.ID, item); err != nil {
			return err
		}
	}
	for _, q := range c.Questions {
		if err := upsertQuestion(ctx, tx, q); err != nil {
			return err
		}
	}
	for _, p := range c.Permissions {
		if err := upsertPermission(ctx, tx, p); err != nil {
			return err
		}
	}
	return nil
}

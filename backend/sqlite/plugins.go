package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"kandev/backend/plugin"
)

// Plugins lists the installed plugins in the order they were first installed.
// With ErrRow the others are there.
func (db *DB) Plugins(ctx context.Context) (out []plugin.Installation, err error) {
	err = db.read(ctx, "list plugins", func(tx *sql.Tx) (err error) {
		out, err = bodies[plugin.Installation](ctx, tx, pluginTable)
		return err
	})
	return out, err
}

// SavePlugin stores a plugin by its id: a new one at the end, a known one in
// its place.
func (db *DB) SavePlugin(ctx context.Context, i plugin.Installation) error {
	id := i.Manifest.ID
	return db.write(ctx, "save plugin "+id, func(tx *sql.Tx) error {
		return saveBody(ctx, tx, pluginTable, id, i)
	})
}

// DeletePlugin removes a plugin; one that is not there is no error.
func (db *DB) DeletePlugin(ctx context.Context, id string) error {
	return db.write(ctx, "delete plugin "+id, func(tx *sql.Tx) error {
		return deleteBody(ctx, tx, pluginTable, id)
	})
}

// readWait is how long a list without opening the database waits for a lock.
const readWait = 5 * time.Second

// ReadPlugins lists the installed plugins of the database at path without
// opening it for writing, also while the app has it open. It makes no file: a
// database that is not there, or one of before there were plugins, holds none.
// With ErrRow the others are there.
func ReadPlugins(ctx context.Context, path string) (out []plugin.Installation, err error) {
	db, version, err := openReadOnly(ctx, path, readWait)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read plugins: %w", err)
	}
	defer func() { err = errors.Join(err, db.closePools()) }()
	var there int
	if version > 0 {
		err = db.reader.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?`, pluginTable).Scan(&there)
	}
	if err != nil || there == 0 {
		return nil, classify(err)
	}
	return db.Plugins(ctx)
}

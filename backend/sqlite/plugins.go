package sqlite

import (
	"context"
	"database/sql"

	"kandev/backend/plugin"
)

// Plugins lists the installed plugins in the order they were first installed.
// With ErrRow the others are there.
func (db *DB) Plugins(ctx context.Context) (out []plugin.Installation, err error) {
	err = db.read(ctx, "list plugins", func(tx *sql.Tx) (err error) {
		out, err = list(ctx, tx, func(scan func(...any) error) (i plugin.Installation, err error) {
			return i, scan(jsonInto{&i})
		}, `SELECT body FROM plugin ORDER BY position`)
		return err
	})
	return out, err
}

// SavePlugin stores a plugin by its id: a new one at the end, a known one in
// its place.
func (db *DB) SavePlugin(ctx context.Context, i plugin.Installation) error {
	id := i.Manifest.ID
	return db.write(ctx, "save plugin "+id, func(tx *sql.Tx) error {
		body, err := encode(i)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO plugin (id, position, body)
			VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM plugin), ?)
			ON CONFLICT (id) DO UPDATE SET body = excluded.body`, id, body)
		return err
	})
}

// DeletePlugin removes a plugin; one that is not there is no error.
func (db *DB) DeletePlugin(ctx context.Context, id string) error {
	return db.write(ctx, "delete plugin "+id, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM plugin WHERE id = ?`, id)
		return err
	})
}

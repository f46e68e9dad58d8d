package sqlite

import (
	"context"
	"database/sql"

	"kandev/backend/agent"
)

// CustomAgents lists the person's own agents in the order they were added. With
// ErrRow the others are there.
func (db *DB) CustomAgents(ctx context.Context) (out []agent.Custom, err error) {
	err = db.read(ctx, "list custom agents", func(tx *sql.Tx) (err error) {
		out, err = list(ctx, tx, func(scan func(...any) error) (c agent.Custom, err error) {
			return c, scan(jsonInto{&c})
		}, `SELECT body FROM custom_agent ORDER BY position`)
		return err
	})
	return out, err
}

// SaveCustomAgent stores an agent by its id: a new one at the end, a known one
// in its place.
func (db *DB) SaveCustomAgent(ctx context.Context, c agent.Custom) error {
	return db.write(ctx, "save custom agent "+c.ID, func(tx *sql.Tx) error {
		body, err := encode(c)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO custom_agent (id, position, body)
			VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM custom_agent), ?)
			ON CONFLICT (id) DO UPDATE SET body = excluded.body`, c.ID, body)
		return err
	})
}

// DeleteCustomAgent removes an agent; one that is not there is no error.
func (db *DB) DeleteCustomAgent(ctx context.Context, id string) error {
	return db.write(ctx, "delete custom agent "+id, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM custom_agent WHERE id = ?`, id)
		return err
	})
}

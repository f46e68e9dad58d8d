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
		out, err = bodies[agent.Custom](ctx, tx, customTable)
		return err
	})
	return out, err
}

// SaveCustomAgent stores an agent by its id: a new one at the end, a known one
// in its place.
func (db *DB) SaveCustomAgent(ctx context.Context, c agent.Custom) error {
	return db.write(ctx, "save custom agent "+c.ID, func(tx *sql.Tx) error {
		return saveBody(ctx, tx, customTable, c.ID, c)
	})
}

// DeleteCustomAgent removes an agent; one that is not there is no error.
func (db *DB) DeleteCustomAgent(ctx context.Context, id string) error {
	return db.write(ctx, "delete custom agent "+id, func(tx *sql.Tx) error {
		return deleteBody(ctx, tx, customTable, id)
	})
}

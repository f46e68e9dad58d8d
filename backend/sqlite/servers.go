package sqlite

import (
	"context"
	"database/sql"

	"kandev/backend/agent"
)

// Servers lists the person's own servers of all agents, in the order they were
// added. With ErrRow the others are there.
func (db *DB) Servers(ctx context.Context) (out []agent.OwnServer, err error) {
	err = db.read(ctx, "list MCP servers", func(tx *sql.Tx) (err error) {
		out, err = list(ctx, tx, scanServer, `SELECT body FROM own_server ORDER BY position`)
		return err
	})
	return out, err
}

// SaveServers stores servers by their ids: new ones at the end, known ones in
// their place; all or none.
func (db *DB) SaveServers(ctx context.Context, servers ...agent.OwnServer) error {
	return db.write(ctx, "save MCP servers", func(tx *sql.Tx) error {
		for _, s := range servers {
			if err := upsertServer(ctx, tx, s); err != nil {
				return err
			}
		}
		return nil
	})
}

// DeleteServer removes a server; one that is not there is no error.
func (db *DB) DeleteServer(ctx context.Context, id string) error {
	return db.write(ctx, "delete MCP server "+id, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM own_server WHERE id = ?`, id)
		return err
	})
}

func scanServer(scan func(...any) error) (s agent.OwnServer, err error) {
	return s, scan(jsonInto{&s})
}

func upsertServer(ctx context.Context, tx *sql.Tx, s agent.OwnServer) error {
	body, err := encode(s)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO own_server (id, position, body)
		VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM own_server), ?)
		ON CONFLICT (id) DO UPDATE SET body = excluded.body`, s.ID, body)
	return err
}

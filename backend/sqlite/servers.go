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
		out, err = bodies[agent.OwnServer](ctx, tx, serverTable)
		return err
	})
	return out, err
}

// SaveServers stores servers by their ids: new ones at the end, known ones in
// their place; all or none.
func (db *DB) SaveServers(ctx context.Context, servers ...agent.OwnServer) error {
	return db.write(ctx, "save MCP servers", func(tx *sql.Tx) error {
		for _, s := range servers {
			if err := saveBody(ctx, tx, serverTable, s.ID, s); err != nil {
				return err
			}
		}
		return nil
	})
}

// DeleteServer removes a server; one that is not there is no error.
func (db *DB) DeleteServer(ctx context.Context, id string) error {
	return db.write(ctx, "delete MCP server "+id, func(tx *sql.Tx) error {
		return deleteBody(ctx, tx, serverTable, id)
	})
}

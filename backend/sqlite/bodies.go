package sqlite

import (
	"context"
	"database/sql"
)

// Tables of whole rows as JSON: id, position, body. Their names are ours, and no
// part of them is ever a value.
const (
	serverTable = "own_server"
	pluginTable = "plugin"
	customTable = "custom_agent"
)

// bodies lists a table in the order of adding. With ErrRow the others are there.
func bodies[T any](ctx context.Context, tx *sql.Tx, table string) ([]T, error) {
	return list(ctx, tx, func(scan func(...any) error) (v T, err error) {
		return v, scan(jsonInto{&v})
	}, `SELECT body FROM `+table+` ORDER BY position`)
}

// saveBody puts a new row at the end and a known one in its place.
func saveBody(ctx context.Context, tx *sql.Tx, table, id string, v any) error {
	body, err := encode(v)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO `+table+` (id, position, body)
		VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM `+table+`), ?)
		ON CONFLICT (id) DO UPDATE SET body = excluded.body`, id, body)
	return err
}

// deleteBody removes a row; one that is not there is no error.
func deleteBody(ctx context.Context, tx *sql.Tx, table, id string) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM `+table+` WHERE id = ?`, id)
	return err
}

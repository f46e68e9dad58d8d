package sqlite

import (
	"context"
	"database/sql"

	"kandev/backend/permission"
)

const permissionColumns = `id, session, call_id, title, kind, input, options, state, chosen,
	reason, by_rule, asked_at, ended_at`

// OpenPermissions lists every request that waits for the person, oldest first.
// With ErrRow the others are there.
func (db *DB) OpenPermissions(ctx context.Context) (out []permission.Request, err error) {
	err = db.read(ctx, "list open permissions", func(tx *sql.Tx) (err error) {
		out, err = listOpenPermissions(ctx, tx)
		return err
	})
	return out, err
}

// Permission returns one request, or permission.ErrNotFound.
func (db *DB) Permission(ctx context.Context, id string) (r permission.Request, err error) {
	err = db.read(ctx, "read permission "+id, func(tx *sql.Tx) (err error) {
		r, err = getPermission(ctx, tx, id)
		return err
	})
	return r, err
}

func scanPermission(scan func(...any) error) (r permission.Request, err error) {
	return r, scan(&r.ID, &r.Session, &r.CallID, &r.Title, &r.Kind, (*[]byte)(&r.Input), jsonInto{&r.Options}, &r.State,
		&r.Chosen, &r.Reason, &r.ByRule, stampInto{&r.AskedAt}, stampOrNullInto{&r.EndedAt})
}

func listOpenPermissions(ctx context.Context, tx *sql.Tx) ([]permission.Request, error) {
	return list(ctx, tx, scanPermission, `SELECT `+permissionColumns+` FROM permission
		WHERE state = 'open' ORDER BY asked_at, id`)
}

func getPermission(ctx context.Context, tx *sql.Tx, id string) (permission.Request, error) {
	r, err := scanPermission(tx.QueryRowContext(ctx, `SELECT `+permissionColumns+` FROM permission WHERE id = ?`, id).Scan)
	return r, noRows(err, permission.ErrNotFound)
}

func upsertPermission(ctx context.Context, tx *sql.Tx, r permission.Request) error {
	options, err := encode(r.Options)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO permission (`+permissionColumns+`)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET session = excluded.session, call_id = excluded.call_id,
			title = excluded.title, kind = excluded.kind, input = excluded.input,
			options = excluded.options, state = excluded.state, chosen = excluded.chosen,
			reason = excluded.reason, by_rule = excluded.by_rule, asked_at = excluded.asked_at,
			ended_at = excluded.ended_at`,
		r.ID, r.Session, r.CallID, r.Title, r.Kind, blob(r.Input), options, r.State, r.Chosen,
		r.Reason, r.ByRule, stamp(r.AskedAt), stampOrNull(r.EndedAt))
	return err
}

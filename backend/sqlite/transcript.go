package sqlite

import (
	"context"
	"database/sql"

	"kandev/backend/session"
)

// Transcript returns at most limit items of a session whose revision is newer
// than after, oldest revision first: the last item's revision is where the
// next call goes on. limit 0 means all. With ErrRow the others are there.
func (db *DB) Transcript(ctx context.Context, of session.ID, after int64, limit int) (out []session.Item, err error) {
	err = db.read(ctx, "read transcript of "+string(of), func(tx *sql.Tx) (err error) {
		out, err = listItems(ctx, tx, of, after, limit)
		return err
	})
	return out, err
}

func listItems(ctx context.Context, tx *sql.Tx, of session.ID, after int64, limit int) ([]session.Item, error) {
	if limit <= 0 {
		limit = -1
	}
	return list(ctx, tx, func(scan func(...any) error) (i session.Item, err error) {
		return i, scan(&i.Number, &i.Revision, &i.Kind, &i.Text, &i.Ref, jsonInto{&i.Tool}, jsonInto{&i.Plan},
			(*[]byte)(&i.Raw), &i.Cut, stampInto{&i.At}, stampInto{&i.UpdatedAt})
	}, `SELECT number, revision, kind, text, ref, tool, plan, raw, cut, at, updated_at
		FROM transcript WHERE session = ? AND revision > ? ORDER BY revision, number LIMIT ?`, of, after, limit)
}

func upsertItem(ctx context.Context, tx *sql.Tx, of session.ID, i session.Item) error {
	var tool, plan any
	if i.Tool != nil {
		text, err := encode(i.Tool)
		if err != nil {
			// The input of a call is the agent's own text. One that is no JSON must
			// not keep the rest of the session from being stored.
			bare := *i.Tool
			bare.Input, i.Cut = nil, true
			if text, err = encode(bare); err != nil {
				return err
			}
		}
		tool = text
	}
	if i.Plan != nil {
		text, err := encode(i.Plan)
		if err != nil {
			return err
		}
		plan = text
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO transcript
			(session, number, revision, kind, text, ref, tool, plan, raw, cut, at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (session, number) DO UPDATE SET revision = excluded.revision,
			kind = excluded.kind, text = excluded.text, ref = excluded.ref, tool = excluded.tool,
			plan = excluded.plan, raw = excluded.raw, cut = excluded.cut, at = excluded.at,
			updated_at = excluded.updated_at
		WHERE excluded.revision >= transcript.revision`,
		of, i.Number, i.Revision, i.Kind, i.Text, i.Ref, tool, plan, blob(i.Raw), i.Cut, stamp(i.At), stamp(i.UpdatedAt))
	return err
}

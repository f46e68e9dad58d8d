package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"kandev/backend/attach"
	"kandev/backend/session"
)

// LoadAttachment returns what is stored of a session's attachment, with the
// catalog and the tool use of its current attempt. A session without one has
// the zero History; one that is not stored is session.ErrNotFound. With ErrRow
// nothing is returned: without one of its rows a history says what was not so.
func (db *DB) LoadAttachment(ctx context.Context, of session.ID) (attach.History, error) {
	var h attach.History
	err := db.read(ctx, "read attachment of "+string(of), func(tx *sql.Tx) (err error) {
		if h.CatalogRev, err = getCatalogRev(ctx, tx, of); err != nil {
			return err
		}
		if h.Attempts, err = listAttempts(ctx, tx, of); err != nil {
			return err
		}
		current := h.Current()
		if current == nil {
			return nil
		}
		if current.Uses, err = listUses(ctx, tx, of, current.ID); err != nil {
			return err
		}
		catalogs, err := listCatalogs(ctx, tx, of, current.ID)
		for i, s := range current.Servers {
			current.Servers[i].Catalog = catalogs[s.Name]
		}
		return err
	})
	if err != nil {
		return attach.History{}, err
	}
	return h, nil
}

// LoadAttachmentSummaries returns the history of every session that has one,
// without catalogs and tool use: it reads no definition. With ErrRow the
// sessions with such a row are missing.
func (db *DB) LoadAttachmentSummaries(ctx context.Context) (map[session.ID]attach.History, error) {
	out := map[session.ID]attach.History{}
	err := db.read(ctx, "read attachments", func(tx *sql.Tx) error {
		rows, err := listAllAttempts(ctx, tx)
		if err != nil {
			return err
		}
		var bad []error
		for _, r := range rows {
			h := out[r.session]
			out[r.session] = attach.History{Attempts: append(h.Attempts, r.attempt), CatalogRev: r.rev}
			if r.err != nil {
				bad = append(bad, fmt.Errorf("%w: attachment of %s: %w", ErrRow, r.session, r.err))
				defer delete(out, r.session)
			}
		}
		return errors.Join(bad...)
	})
	return out, err
}

func getCatalogRev(ctx context.Context, tx *sql.Tx, of session.ID) (rev uint64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT catalog_rev FROM session WHERE id = ?`, of).Scan(&rev)
	return rev, noRows(err, session.ErrNotFound)
}

func listAttempts(ctx context.Context, tx *sql.Tx, of session.ID) ([]attach.Attempt, error) {
	return list(ctx, tx, func(scan func(...any) error) (a attach.Attempt, err error) {
		return a, scan(jsonInto{&a})
	}, `SELECT body FROM attempt WHERE session = ? ORDER BY position`, of)
}

type attemptRow struct {
	session session.ID
	rev     uint64
	attempt attach.Attempt
	err     error // the body could not be decoded
}

func listAllAttempts(ctx context.Context, tx *sql.Tx) ([]attemptRow, error) {
	return list(ctx, tx, func(scan func(...any) error) (r attemptRow, err error) {
		var body string
		err = scan(&r.session, &r.rev, &body)
		r.err = jsonInto{&r.attempt}.Scan(body)
		return r, err
	}, `SELECT a.session, s.catalog_rev, a.body FROM attempt a JOIN session s ON s.id = a.session
		ORDER BY a.session, a.position`)
}

func listUses(ctx context.Context, tx *sql.Tx, of session.ID, attempt string) ([]attach.Use, error) {
	return list(ctx, tx, func(scan func(...any) error) (u attach.Use, err error) {
		return u, scan(&u.Tool, &u.Calls, &u.Errors, stampInto{&u.Last})
	}, `SELECT tool, calls, errors, last FROM tool_use WHERE session = ? AND attempt = ? ORDER BY position`, of, attempt)
}

// attachmentWrite stores one history inside a transaction.
type attachmentWrite struct {
	session session.ID
	before  map[string]storedCatalog // known to be in the file; nil = not known
	after   map[string]storedCatalog // in the file once the transaction is
	dropped bool                     // definitions were deleted or overwritten
}

func (w *attachmentWrite) store(ctx context.Context, tx *sql.Tx, h attach.History) error {
	if err := setCatalogRev(ctx, tx, w.session, h.CatalogRev); err != nil {
		return err
	}
	ids := make([]string, len(h.Attempts))
	for i, a := range h.Attempts {
		ids[i] = a.ID
		a.Uses = nil // a table of their own
		if err := upsertAttempt(ctx, tx, w.session, i, a); err != nil {
			return err
		}
	}
	current := attach.Attempt{}
	if c := h.Current(); c != nil {
		current = *c
	}
	if err := w.dropSuperseded(ctx, tx, ids, current.ID); err != nil {
		return err
	}
	for i, u := range current.Uses {
		if err := upsertUse(ctx, tx, w.session, current.ID, i, u); err != nil {
			return err
		}
	}
	if err := deleteUsesFrom(ctx, tx, w.session, len(current.Uses)); err != nil {
		return err
	}
	return w.storeCatalogs(ctx, tx, current)
}

// dropSuperseded deletes attempts that are not kept any more, and every
// definition of an attempt that is not the current one.
func (w *attachmentWrite) dropSuperseded(ctx context.Context, tx *sql.Tx, ids []string, current string) error {
	kept, err := encode(ids)
	if err != nil {
		return err
	}
	for _, statement := range []struct {
		query string
		arg   string
		drops bool
	}{
		{`DELETE FROM catalog WHERE session = ? AND attempt <> ?`, current, true},
		{`DELETE FROM tool_use WHERE session = ? AND attempt <> ?`, current, true},
		{`DELETE FROM attempt WHERE session = ? AND id NOT IN (SELECT value FROM json_each(?))`, kept, false},
	} {
		result, err := tx.ExecContext(ctx, statement.query, w.session, statement.arg)
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		if err != nil {
			return err
		}
		w.dropped = w.dropped || statement.drops && n > 0
	}
	return nil
}

func setCatalogRev(ctx context.Context, tx *sql.Tx, of session.ID, rev uint64) error {
	result, err := tx.ExecContext(ctx, `UPDATE session SET catalog_rev = ? WHERE id = ?`, int64(rev), of)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, fmt.Errorf("attachment: %w", session.ErrNotFound))
	}
	return nil
}

// upsertAttempt leaves a row with the same content alone: old attempts do not
// change, and need not pass through the WAL again.
func upsertAttempt(ctx context.Context, tx *sql.Tx, of session.ID, position int, a attach.Attempt) error {
	body, err := encode(a)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO attempt (session, id, position, body) VALUES (?, ?, ?, ?)
		ON CONFLICT (session, id) DO UPDATE SET position = excluded.position, body = excluded.body
		WHERE position <> excluded.position OR body <> excluded.body`, of, a.ID, position, body)
	return err
}

func upsertUse(ctx context.Context, tx *sql.Tx, of session.ID, attempt string, position int, u attach.Use) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO tool_use (session, attempt, position, tool, calls, errors, last)
		VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (session, attempt, position) DO UPDATE SET tool = excluded.tool,
			calls = excluded.calls, errors = excluded.errors, last = excluded.last
		WHERE tool <> excluded.tool OR calls <> excluded.calls OR errors <> excluded.errors OR last <> excluded.last`,
		of, attempt, position, u.Tool, u.Calls, u.Errors, stamp(u.Last))
	return err
}

// deleteUsesFrom drops what is left of a longer list.
func deleteUsesFrom(ctx context.Context, tx *sql.Tx, of session.ID, position int) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM tool_use WHERE session = ? AND position >= ?`, of, position)
	return err
}

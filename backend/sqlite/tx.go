package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// write runs fn in the one write transaction there is at a time, and after,
// when it is stored. The error is classified and names what was done.
func (db *DB) write(ctx context.Context, what string, fn func(*sql.Tx) error, after ...func()) error {
	select {
	case db.turn <- struct{}{}:
		defer func() { <-db.turn }()
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", what, ctx.Err())
	}
	if err := inTx(ctx, db.writer, fn); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	for _, f := range after {
		f()
	}
	return nil
}

// read runs fn in one read transaction: what it sees belongs together.
func (db *DB) read(ctx context.Context, what string, fn func(*sql.Tx) error) error {
	db.mu.RLock()
	defer db.mu.RUnlock()
	if err := inTx(ctx, db.reader, fn); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

func inTx(ctx context.Context, pool *sql.DB, fn func(*sql.Tx) error) error {
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return classify(err)
	}
	err = fn(tx)
	if err == nil || errors.Is(err, ErrRow) { // a list with a bad row still ends well
		return classify(errors.Join(err, tx.Commit()))
	}
	_ = tx.Rollback() // nothing was written; the first error is the news
	return classify(err)
}

// list runs one query and scans each row. Rows that cannot be decoded are left
// out and named by the error, which then wraps ErrRow.
func list[T any](ctx context.Context, tx *sql.Tx, scan func(func(...any) error) (T, error), query string, args ...any) ([]T, error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err below is the same error
	var out []T
	var bad []error
	for rows.Next() {
		v, err := scan(rows.Scan)
		if err != nil {
			bad = append(bad, fmt.Errorf("%w: %w", ErrRow, err))
			continue
		}
		out = append(out, v)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return out, errors.Join(bad...)
}

// noRows turns the absence of a row into the noun's own error.
func noRows(err, notFound error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return notFound
	}
	return err
}

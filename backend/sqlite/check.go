package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// uncleanKey is present in meta while the database is open.
const uncleanKey = "unclean"

// Unclean reports whether the app ended without Close the last time. Then, and
// only then, QuickCheck is worth its reading.
func (db *DB) Unclean() bool {
	db.mu.RLock()
	defer db.mu.RUnlock()
	return db.unclean
}

// QuickCheck reads the whole file and returns ErrNotDatabase with the first
// thing that is wrong. It runs beside reads and writes; it ends with ctx.
func (db *DB) QuickCheck(ctx context.Context) error {
	var found string
	db.mu.RLock()
	defer db.mu.RUnlock()
	err := db.reader.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found)
	if err == nil && found != "ok" {
		err = fmt.Errorf("%w: %s", ErrNotDatabase, found)
	}
	if err != nil {
		return fmt.Errorf("check database: %w", classify(err))
	}
	return nil
}

func (db *DB) markOpen(ctx context.Context) error {
	return db.write(ctx, "mark as open", func(tx *sql.Tx) error {
		found, err := getMeta(ctx, tx, uncleanKey)
		if err != nil {
			return err
		}
		db.unclean = found != ""
		return setMeta(ctx, tx, uncleanKey, "1")
	})
}

func (db *DB) markClosed(ctx context.Context) error {
	return db.write(ctx, "mark as closed", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM meta WHERE key = ?`, uncleanKey)
		return err
	})
}

// getMeta returns "" for a key that is not there.
func getMeta(ctx context.Context, tx *sql.Tx, key string) (value string, err error) {
	err = tx.QueryRowContext(ctx, `SELECT value FROM meta WHERE key = ?`, key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

func setMeta(ctx context.Context, tx *sql.Tx, key, value string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO meta (key, value) VALUES (?, ?)
		ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, value)
	return err
}

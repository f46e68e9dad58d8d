package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"kandev/backend/settings"
)

// Settings returns the stored settings, the zero value when none are stored.
func (db *DB) Settings(ctx context.Context) (s settings.Settings, err error) {
	err = db.read(ctx, "read settings", func(tx *sql.Tx) (err error) {
		s, err = getSettings(ctx, tx)
		return err
	})
	return s, err
}

// SaveSettings stores the settings as a whole.
func (db *DB) SaveSettings(ctx context.Context, s settings.Settings) error {
	return db.write(ctx, "save settings", func(tx *sql.Tx) error {
		return upsertSettings(ctx, tx, s)
	})
}

func getSettings(ctx context.Context, tx *sql.Tx) (s settings.Settings, err error) {
	var body string
	err = tx.QueryRowContext(ctx, `SELECT body FROM settings WHERE id = 1`).Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		return s, nil
	}
	if err != nil {
		return s, err
	}
	if err := (jsonInto{&s}).Scan(body); err != nil {
		return settings.Settings{}, fmt.Errorf("%w: %w", ErrRow, err)
	}
	return s, nil
}

func upsertSettings(ctx context.Context, tx *sql.Tx, s settings.Settings) error {
	body, err := encode(s)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO settings (id, body) VALUES (1, ?)
		ON CONFLICT (id) DO UPDATE SET body = excluded.body`, body)
	return err
}

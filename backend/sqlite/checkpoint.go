package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// Checkpoint moves the WAL into the database and truncates it, so that bytes
// that were deleted are in no file. Done is false when a reader or a foreign
// lock prevents it: ask again later. It waits for nobody.
func (db *DB) Checkpoint(ctx context.Context) (done bool, err error) {
	if db.file() == "" {
		return true, nil
	}
	select {
	case db.turn <- struct{}{}:
		defer func() { <-db.turn }()
	case <-ctx.Done():
		return false, fmt.Errorf("checkpoint: %w", ctx.Err())
	}
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return false, fmt.Errorf("checkpoint: %w", classify(err))
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.ExecContext(ctx, "PRAGMA busy_timeout = 0"); err != nil {
		return false, fmt.Errorf("checkpoint: %w", classify(err))
	}
	var busy, frames, moved int
	row := conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	err = classify(row.Scan(&busy, &frames, &moved))
	// The old time-out comes back also when ctx has ended.
	_, restore := conn.ExecContext(context.WithoutCancel(ctx), fmt.Sprintf("PRAGMA busy_timeout = %d", db.options.BusyTimeout.Milliseconds()))
	if errors.Is(err, ErrLocked) {
		busy, err = 1, nil
	}
	if err = errors.Join(err, restore); err != nil {
		return false, fmt.Errorf("checkpoint: %w", err)
	}
	return busy == 0, nil
}

// walSize is the size of the WAL in bytes, 0 when there is none.
func (db *DB) walSize() int64 {
	path := db.file()
	if path == "" {
		return 0
	}
	info, err := os.Stat(path + "-wal")
	if err != nil {
		return 0
	}
	return info.Size()
}

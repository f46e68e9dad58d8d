package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"kandev/backend/plugin"
)

// ReadPlugins lists the installed plugins of the database at path without
// opening it for writing, also while the app has it open. It makes no file: a
// database that is not there, or one of before there were plugins, holds none.
// With ErrRow the others are there.
func ReadPlugins(ctx context.Context, path string) (out []plugin.Installation, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("read plugins: %w", err)
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	db := newDB(Options{BusyTimeout: 5 * time.Second, migrations: embedded()})
	db.path = path
	mode := "&mode=ro"
	if !exists(path + "-wal") { // nobody has it open: a plain look makes no files beside it
		mode += "&immutable=1"
	}
	db.reader, err = sql.Open("sqlite", dsn(path, db.options, false)+mode)
	if err != nil {
		return nil, fmt.Errorf("read plugins: %w", Classify(err))
	}
	db.writer = db.reader // inspect asks it, and only reads
	defer func() { err = errors.Join(err, db.closePools()) }()
	version, err := db.inspect(ctx)
	if err != nil {
		return nil, fmt.Errorf("read plugins: %w", Classify(err))
	}
	var there int
	if version > 0 {
		err = db.reader.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'plugin'`).Scan(&there)
	}
	if err != nil || there == 0 {
		return nil, Classify(err)
	}
	return db.Plugins(ctx)
}

package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// openReadOnly opens the database at path to look at it, also while the app has
// it open. It changes nothing and makes no file; the caller ends it with
// closePools. version is that of its schema, 0 for a file that no migration has
// touched. The error wraps fs.ErrNotExist, or says what is wrong; a NewerError
// is one.
func openReadOnly(ctx context.Context, path string, wait time.Duration) (db *DB, version int, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return nil, 0, err
	}
	if _, err := os.Stat(path); err != nil {
		return nil, 0, err
	}
	db = newDB(Options{BusyTimeout: wait, migrations: embedded()})
	db.path = path
	if db.reader, err = sql.Open("sqlite", dsn(path, db.options, false)+"&"+readMode(path)); err != nil {
		return nil, 0, fmt.Errorf("open to read: %w", classify(err))
	}
	db.writer = db.reader // inspect asks it, and only reads
	if version, err = db.inspect(ctx); err != nil {
		_ = db.closePools() // what is wrong is known already
		return nil, 0, classify(err)
	}
	return db, version, nil
}

// readMode is how a file is opened that is only read. Without a WAL nobody
// writes now, and the file alone is the truth. Nor is a WAL read whose index is
// gone: its reader would make that anew.
func readMode(path string) string {
	if exists(path+"-wal") && exists(path+"-shm") {
		return "mode=ro"
	}
	return "immutable=1"
}

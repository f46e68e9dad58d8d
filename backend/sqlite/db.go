package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"kandev/backend/catalog"
	"kandev/backend/session"
)

// readers is how many connections read beside the writer.
const readers = 4

// Options of Open. The zero value is the app's.
type Options struct {
	BusyTimeout time.Duration // how long a statement waits for a foreign lock; 0 = 5 s

	migrations fs.FS  // of tests; nil = the embedded ones
	vfs        string // of tests: another of SQLite's file systems
	maxPages   int    // of tests: the file is full at this size

	looked func() error // of MoveIn: called after a look at the file, before it is written
}

// DB is an open database. Close it once.
type DB struct {
	options Options

	mu      sync.RWMutex // guards these, which MoveIn replaces; a read holds it to its end
	path    string       // absolute; "" in memory
	writer  *sql.DB
	reader  *sql.DB // the same as writer in memory
	unclean bool

	data    int64    // dataVersion before anything but its journal mode was changed
	instead *standIn // memory stands in for a file; guarded by turn

	turn chan struct{} // held from a write's begin to the end of its bookkeeping

	// stored remembers which immutable catalog values are in the file, so that
	// an unchanged one is not even encoded. Guarded by turn.
	stored map[session.ID]map[string]storedCatalog // by server name
}

type storedCatalog struct {
	attempt string
	catalog *catalog.Catalog
}

// Open opens the database at path, makes it when it is missing or empty, and
// brings its schema up to date, with a backup before. Missing folders are made
// with mode 0700. On an error the file is as it was and nothing is open; the
// error wraps the fault. ctx bounds the opening only.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	path, o, err := defaults(path, o)
	if err != nil {
		return nil, err
	}
	db := newDB(o)
	db.path = path
	if err := db.open(ctx); err != nil {
		_ = db.closePools() // the fault is the news
		return nil, fmt.Errorf("open database %s: %w", filepath.Base(path), classify(err))
	}
	return db, nil
}

func defaults(path string, o Options) (string, Options, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", o, fmt.Errorf("open database: %w", err)
	}
	if o.BusyTimeout == 0 {
		o.BusyTimeout = 5 * time.Second
	}
	if o.migrations == nil {
		o.migrations = embedded()
	}
	return path, o, nil
}

// OpenMemory opens a database that lives in memory and is gone with Close: for
// a window that works while nothing can be saved.
func OpenMemory(ctx context.Context) (*DB, error) {
	db := newDB(Options{migrations: embedded()})
	pool, err := sql.Open("sqlite", ":memory:?_pragma=foreign_keys(1)&_txlock=immediate")
	if err != nil {
		return nil, fmt.Errorf("open database in memory: %w", err)
	}
	pool.SetMaxOpenConns(1) // a second connection would be a second database
	db.writer, db.reader = pool, pool
	if err := db.migrate(ctx, 0); err != nil {
		return nil, errors.Join(fmt.Errorf("open database in memory: %w", err), db.closePools())
	}
	return db, nil
}

func newDB(o Options) *DB {
	return &DB{options: o, turn: make(chan struct{}, 1), stored: map[session.ID]map[string]storedCatalog{}}
}

func (db *DB) open(ctx context.Context) (err error) {
	if err := prepareFile(db.path); err != nil {
		return err
	}
	if db.writer, err = sql.Open("sqlite", dsn(db.path, db.options, true)); err != nil {
		return err
	}
	db.writer.SetMaxOpenConns(1)
	version, err := db.inspect(ctx)
	if err != nil {
		return err
	}
	if db.options.looked != nil {
		if err := db.options.looked(); err != nil {
			return err
		}
	}
	if err := db.useWAL(ctx); err != nil {
		return err
	}
	if db.data, err = db.dataVersion(ctx); err != nil {
		return err
	}
	if err := db.migrate(ctx, version); err != nil {
		return err
	}
	if err := db.markOpen(ctx); err != nil {
		return err
	}
	if db.reader, err = sql.Open("sqlite", dsn(db.path, db.options, false)); err != nil {
		return err
	}
	db.reader.SetMaxOpenConns(readers)
	db.reader.SetMaxIdleConns(readers)
	return restrict(db.path)
}

// useWAL switches to the write-ahead log. A file system without shared memory
// refuses, either with an error or by staying in another mode.
func (db *DB) useWAL(ctx context.Context) error {
	var mode string
	if err := db.writer.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return fmt.Errorf("%w: it stays in journal mode %q", ErrNoWAL, mode)
	}
	return nil
}

// dataVersion is a number that changes when another connection has written.
func (db *DB) dataVersion(ctx context.Context) (n int64, err error) {
	return n, db.writer.QueryRowContext(ctx, "PRAGMA data_version").Scan(&n)
}

// file is the absolute path of the file, "" in memory.
func (db *DB) file() string {
	db.mu.RLock()
	defer db.mu.RUnlock()
	return db.path
}

// Close marks the end as a clean one, empties the WAL and closes every
// connection. Call it after the last write; it waits for running ones.
func (db *DB) Close(ctx context.Context) error {
	var errs []error
	if db.file() != "" {
		errs = append(errs, db.markClosed(ctx))
		_, err := db.Checkpoint(ctx)
		errs = append(errs, err)
	}
	errs = append(errs, db.closePools())
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("close database: %w", err)
	}
	return nil
}

func (db *DB) closePools() error {
	var errs []error
	if db.reader != nil && db.reader != db.writer {
		errs = append(errs, db.reader.Close())
	}
	if db.writer != nil {
		errs = append(errs, db.writer.Close()) // the last one: it removes the WAL
	}
	return classify(errors.Join(errs...))
}

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"
)

// maxStandIn bounds the file that memory can stand in for, in bytes.
const maxStandIn = 256 << 20

// ErrChanged says that a file is not any more what it was when memory began to
// stand in for it: moving in would overwrite what another program wrote.
var ErrChanged = errors.New("the database was changed by another program")

// standIn is what a database in memory knows of the file it stands in for.
type standIn struct {
	path string
	seen stamps // as it was when it was read, or tried last
}

// stamps tell a file and its WAL from what they were before. One that is empty is
// as good as none: whoever looks into a database makes an empty WAL.
type stamps struct{ file, wal fileStamp }

type fileStamp struct {
	size int64
	mod  time.Time
}

func stampsOf(path string) (s stamps) {
	for to, name := range map[*fileStamp]string{&s.file: path, &s.wal: path + "-wal"} {
		if info, err := os.Stat(name); err == nil && info.Size() > 0 {
			*to = fileStamp{info.Size(), info.ModTime()}
		}
	}
	return s
}

// OpenStandIn opens a database in memory that holds what the one at path holds,
// for a file that can be read and not be written: everything works, and nothing
// is saved until [DB.MoveIn] succeeds. A file that is not there or empty is one
// to be made. The error says why the file cannot be stood in for: it cannot be
// read, its schema is not the newest, or it is too big.
func OpenStandIn(ctx context.Context, path string, o Options) (*DB, error) {
	path, o, err := defaults(path, o)
	if err != nil {
		return nil, err
	}
	db, err := OpenMemory(ctx)
	if err != nil {
		return nil, err
	}
	db.options, db.instead = o, &standIn{path: path, seen: stampsOf(path)}
	if err := db.fill(ctx, path); err != nil {
		return nil, errors.Join(fmt.Errorf("stand in for the database: %w", err), db.closePools())
	}
	return db, nil
}

// fill takes over what the file at path holds.
func (db *DB) fill(ctx context.Context, path string) error {
	if db.instead.seen.file.size > maxStandIn {
		return fmt.Errorf("it has %d MiB", db.instead.seen.file.size>>20)
	}
	if exists(path+"-wal") && !exists(path+"-shm") {
		return errors.New("its log cannot be read without writing")
	}
	file, found, err := openReadOnly(ctx, path, db.options.BusyTimeout)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	names, err := file.scripts()
	if err = errors.Join(err, file.closePools()); err != nil {
		return err
	}
	switch found {
	case 0:
		return nil
	case len(names):
		return db.beside(ctx, fileURI(path)+"?"+readMode(path), func(tx *sql.Tx) error { return pour(ctx, tx, "beside", "main") })
	}
	return fmt.Errorf("its schema is %d, not %d", found, len(names))
}

// MoveIn opens the file that memory stands in for and moves everything into it,
// whole or not at all; from then on this is a database in a file like any
// other. Until then it returns the fault of the file, or ErrChanged. It does
// nothing in a database that stands in for none.
func (db *DB) MoveIn(ctx context.Context) error {
	select {
	case db.turn <- struct{}{}:
		defer func() { <-db.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if db.instead == nil {
		return nil
	}
	file, err := db.openInstead(ctx)
	if err == nil {
		err = db.beside(ctx, fileURI(file.path), func(tx *sql.Tx) error {
			if err := file.unchanged(ctx); err != nil {
				return err
			}
			return pour(ctx, tx, "main", "beside")
		})
		if err != nil {
			err = errors.Join(classify(err), file.giveUp(context.WithoutCancel(ctx)))
		}
	}
	if err != nil {
		if !errors.Is(err, ErrChanged) && !errors.Is(err, ErrLocked) { // else it may be as another program left it
			db.instead.seen = stampsOf(db.instead.path)
		}
		return fmt.Errorf("move into the database: %w", err)
	}
	db.mu.Lock() // waits for those who read in memory
	memory := db.writer
	db.path, db.writer, db.reader, db.unclean, db.instead = file.path, file.writer, file.reader, file.unclean, nil
	db.mu.Unlock()
	_ = memory.Close() // nobody is in it any more
	return nil
}

// giveUp closes a file that nothing was moved into. How its last end was is as it
// was found: whoever opens it next looks for damage where that is due.
func (db *DB) giveUp(ctx context.Context) error {
	if db.unclean {
		return db.closePools()
	}
	return db.Close(ctx)
}

// openInstead opens the file, if it is what it was. From here to the lock under
// which everything is moved another program may write: see unchanged.
func (db *DB) openInstead(ctx context.Context) (*DB, error) {
	path, seen, o := db.instead.path, db.instead.seen, db.options
	o.looked = func() error {
		if stampsOf(path) != seen {
			return ErrChanged
		}
		return nil
	}
	if err := o.looked(); err != nil {
		return nil, err
	}
	return Open(ctx, path, o)
}

// unchanged is ErrChanged when another connection has written since Open looked
// at the file.
func (db *DB) unchanged(ctx context.Context) error {
	now, err := db.dataVersion(ctx)
	if err == nil && now != db.data {
		err = ErrChanged
	}
	return err
}

// beside runs one transaction over the database in memory with another one
// attached as "beside". Rows go as they are: what refers to what is not looked
// at, and nothing is deleted with what it belongs to.
func (db *DB) beside(ctx context.Context, uri string, work func(*sql.Tx) error) (err error) {
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	// What ends with ctx can be done all the same, and would then not be undone: only
	// the work in the transaction does.
	after := context.WithoutCancel(ctx)
	begin := fmt.Sprintf("PRAGMA foreign_keys = 0; PRAGMA busy_timeout = %d", db.options.BusyTimeout.Milliseconds())
	if _, err := conn.ExecContext(after, begin); err != nil {
		return err
	}
	defer func() {
		_, on := conn.ExecContext(after, "PRAGMA foreign_keys = 1")
		err = errors.Join(err, on)
	}()
	if _, err := conn.ExecContext(after, "ATTACH ? AS beside", uri); err != nil {
		return err
	}
	defer func() {
		_, detach := conn.ExecContext(after, "DETACH beside")
		err = errors.Join(err, detach)
	}()
	// Else what memory deleted would stay in the file's free pages.
	if _, err := conn.ExecContext(after, "PRAGMA beside.secure_delete = 1"); err != nil {
		return err
	}
	tx, err := conn.BeginTx(after, nil)
	if err != nil {
		return err
	}
	if err := work(tx); err != nil {
		_ = tx.Rollback() // the first error is the news
		return err
	}
	return tx.Commit()
}

// pour puts the rows of one database in the place of those of another with the
// same schema. What the file knows of itself, in meta, stays.
func pour(ctx context.Context, tx *sql.Tx, from, to string) error {
	tables, err := list(ctx, tx, func(scan func(...any) error) (name string, err error) {
		return name, scan(&name)
	}, `SELECT name FROM `+from+`.sqlite_schema
		WHERE type = 'table' AND name <> 'meta' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY rowid`)
	if err != nil {
		return err
	}
	for _, name := range tables {
		table := `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		for _, query := range []string{
			"DELETE FROM " + to + "." + table,
			"INSERT INTO " + to + "." + table + " SELECT * FROM " + from + "." + table,
		} {
			if _, err := tx.ExecContext(ctx, query); err != nil {
				return err
			}
		}
	}
	return nil
}

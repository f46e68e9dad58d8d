package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// FileName is the database in the data folder.
const FileName = "kandev.db"

// Schema is a version of the tables: what a file has, and what this program knows.
type Schema struct{ Found, Known int }

// Peek reads the schema version of the database at path, and changes nothing: it takes no lock that a writer would
// meet for longer than the read, and makes no file. A file of 0 bytes is schema 0, as is none that any migration has
// touched. The error wraps fs.ErrNotExist, or the fault.
func Peek(ctx context.Context, path string) (Schema, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return Schema{}, fmt.Errorf("look at the database: %w", err)
	}
	if _, err := os.Stat(path); err != nil {
		return Schema{}, fmt.Errorf("look at the database: %w", err)
	}
	db := newDB(Options{migrations: embedded()})
	names, err := db.scripts()
	if err != nil {
		return Schema{}, err
	}
	// Without a WAL nobody writes now, and the file alone is the truth; a reader of a WAL would make its index where that is gone.
	mode := "immutable=1"
	if info, err := os.Stat(path + "-wal"); err == nil && info.Size() > 0 {
		if _, err := os.Stat(path + "-shm"); err == nil {
			mode = "mode=ro"
		}
	}
	if db.writer, err = sql.Open("sqlite", fileURI(path)+"?"+mode+"&_pragma=busy_timeout(1000)&_pragma=query_only(1)"); err != nil {
		return Schema{}, fmt.Errorf("look at the database: %w", Classify(err))
	}
	defer db.writer.Close()
	found, err := db.inspect(ctx)
	if newer, ok := errors.AsType[*NewerError](err); ok {
		found, err = newer.Found, nil
	}
	if err != nil {
		return Schema{}, fmt.Errorf("look at the database: %w", Classify(err))
	}
	return Schema{Found: found, Known: len(names)}, nil
}

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// FileName is the database in the data folder.
const FileName = "kandev.db"

// peekWait is how long a look at the version waits for a lock.
const peekWait = time.Second

// Schema is a version of the tables: what a file has, and what this program knows.
type Schema struct{ Found, Known int }

// Peek reads the schema version of the database at path, and changes nothing: it takes no lock that a writer would
// meet for longer than the read, and makes no file. A file of 0 bytes is schema 0, as is none that any migration has
// touched. The error wraps fs.ErrNotExist, or the fault.
func Peek(ctx context.Context, path string) (Schema, error) {
	db, found, err := openReadOnly(ctx, path, peekWait)
	if newer, ok := errors.AsType[*NewerError](err); ok {
		return Schema{Found: newer.Found, Known: newer.Known}, nil
	}
	if err != nil {
		return Schema{}, fmt.Errorf("look at the database: %w", err)
	}
	defer func() { _ = db.closePools() }() // it was only read
	names, err := db.scripts()
	if err != nil {
		return Schema{}, err
	}
	return Schema{Found: found, Known: len(names)}, nil
}

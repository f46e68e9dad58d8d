package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

// Faults of the database file, spec/sessions.md "Database faults". An error of
// this package wraps at most one of them.
var (
	ErrNewer       = errors.New("the database was written by a newer version")
	ErrNotDatabase = errors.New("the file is not a database of this app, or it is damaged")
	ErrReadOnly    = errors.New("the database cannot be written to")
	ErrFull        = errors.New("the disk is full")
	ErrLocked      = errors.New("the database is locked by another program")
	ErrNoWAL       = errors.New("the file system cannot hold the database safely")
	ErrUnreadable  = errors.New("the database file cannot be opened, read or written")
)

// Errors of rows, not of the file.
var (
	// ErrDuplicate is a second project of one path, or a second task with one
	// external id in a project.
	ErrDuplicate = errors.New("there is one already")
	// ErrRow is a stored row that cannot be decoded. A list still returns its
	// other rows.
	ErrRow = errors.New("a stored row cannot be read")
)

// NewerError is ErrNewer with the schema versions that a sentence needs.
type NewerError struct {
	Found int // in the file
	Known int // to this app
}

// Error says which versions met.
func (e *NewerError) Error() string {
	return fmt.Sprintf("%v: its schema is %d, this app knows %d", ErrNewer, e.Found, e.Known)
}

// Is makes the value an ErrNewer.
func (e *NewerError) Is(target error) bool { return target == ErrNewer }

// classify wraps an error of the driver or the file system in the fault it
// means, and returns every other error as it is. An error is classified once.
func classify(err error) error {
	if err == nil || faultOf(err) != nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if fault := class(err); fault != nil {
		return fmt.Errorf("%w: %w", fault, err)
	}
	return err
}

// faultOf is the sentinel that err wraps already, or nil.
func faultOf(err error) error {
	for _, fault := range []error{ErrNewer, ErrNotDatabase, ErrReadOnly, ErrFull, ErrLocked, ErrNoWAL, ErrUnreadable, ErrDuplicate, ErrRow} {
		if errors.Is(err, fault) {
			return fault
		}
	}
	return nil
}

// ofDisk reports whether another write would meet the same fault now.
func ofDisk(err error) bool {
	return faultOf(err) != nil && !errors.Is(err, ErrDuplicate) && !errors.Is(err, ErrRow)
}

func class(err error) error {
	if e, ok := errors.AsType[*driver.Error](err); ok {
		return classOfCode(e.Code())
	}
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return ErrFull
	case errors.Is(err, syscall.EROFS):
		return ErrReadOnly
	}
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return ErrUnreadable
	}
	if _, ok := errors.AsType[*os.LinkError](err); ok {
		return ErrUnreadable
	}
	return nil
}

func classOfCode(code int) error {
	switch code { // extended codes that mean another thing than their primary one
	case codes.SQLITE_IOERR_SHMSIZE:
		return ErrFull // the index of the WAL could not grow
	case codes.SQLITE_IOERR_SHMOPEN, codes.SQLITE_IOERR_SHMLOCK, codes.SQLITE_IOERR_SHMMAP:
		return ErrNoWAL
	case codes.SQLITE_IOERR_CORRUPTFS:
		return ErrNotDatabase
	case codes.SQLITE_CONSTRAINT_UNIQUE:
		return ErrDuplicate
	}
	switch code & 0xff {
	case codes.SQLITE_NOTADB, codes.SQLITE_CORRUPT:
		return ErrNotDatabase
	case codes.SQLITE_READONLY, codes.SQLITE_PERM:
		return ErrReadOnly
	case codes.SQLITE_FULL:
		return ErrFull
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED, codes.SQLITE_PROTOCOL:
		return ErrLocked
	case codes.SQLITE_CANTOPEN, codes.SQLITE_IOERR, codes.SQLITE_NOLFS:
		return ErrUnreadable
	}
	return nil
}

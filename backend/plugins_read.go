package backend

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"kandev/backend/plugin"
)

// ReadPluginFile reads a file that a person chose, whole and bounded. What is
// no file (a folder, a pipe, a device) is refused and never waited for.
func ReadPluginFile(path string) ([]byte, error) {
	data, err := readRegular(path, plugin.MaxZip)
	switch {
	case errors.Is(err, errNotAFile):
		return nil, fmt.Errorf("%s is not a file", filepath.Base(path))
	case errors.Is(err, errTooLong):
		return nil, fmt.Errorf("%s has more than the %d bytes that are allowed", filepath.Base(path), plugin.MaxZip)
	case err != nil:
		return nil, unreadable(path, err)
	}
	return data, nil
}

var (
	errNotAFile = errors.New("it is not a file")
	errTooLong  = errors.New("it is too long")
)

// readRegular reads a file of at most so many bytes. It looks at the kind before
// it opens, because opening a device can act on it, and again after, because it
// may be another one by then; opening never waits, as a pipe would have it.
func readRegular(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotAFile
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, err
	}
	switch {
	case !info.Mode().IsRegular():
		return nil, errNotAFile
	case info.Size() > most:
		return nil, errTooLong
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, errTooLong
	}
	return data, err
}

// unreadable keeps the system's kind of error and leaves out the folder, which
// is the person's own affair.
func unreadable(path string, err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return fmt.Errorf("%s cannot be read: %w", filepath.Base(path), err)
}

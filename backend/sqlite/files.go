package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Modes of everything in the data folder. Windows has no such modes; there the
// profile folder's access list protects the files.
const (
	fileMode   = 0o600
	folderMode = 0o700
)

// sidecars are the endings of the files SQLite keeps beside a database.
var sidecars = []string{"-wal", "-shm"}

// asideMark stands in the name of a database that was set aside; asideTime is what
// follows it, with a number where two were in one second.
const asideMark = ".broken-"

var asideTime = regexp.MustCompile(`^[0-9]{8}-[0-9]{6}(-[0-9]+)?$`)

// prepareFile makes the file, empty and private, before SQLite does, which
// gives the mode to -wal and -shm as well. It also finds out what SQLite would
// hide: it opens a file it may not write read-only and goes on.
func prepareFile(path string) error {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, folderMode); err != nil {
		return denied(err, ErrReadOnly)
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%w: %s is not a file", ErrUnreadable, filepath.Base(path))
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		if r, readErr := os.Open(path); readErr == nil {
			return errors.Join(denied(err, ErrReadOnly), r.Close())
		} else if errors.Is(readErr, fs.ErrNotExist) {
			return denied(err, ErrReadOnly) // it could not be made
		}
		return denied(err, ErrUnreadable)
	}
	err = wholePages(f, path)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return probe(folder)
}

// wholePages refuses a file that was cut inside a page, and one too short to
// be a database: SQLite would pad the first and overwrite the second. With a
// WAL beside it the file may end anywhere.
func wholePages(f *os.File, path string) error {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 || exists(path+"-wal") {
		return err
	}
	header := make([]byte, 18)
	n, err := f.ReadAt(header, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	page := int64(binary.BigEndian.Uint16(header[16:]))
	if page == 1 {
		page = 64 << 10 // the file format's spelling
	}
	if n < len(header) || page == 0 || info.Size()%page != 0 {
		return fmt.Errorf("%w: it has %d bytes", ErrNotDatabase, info.Size())
	}
	return nil
}

// probe finds out whether the folder takes a new file, as the WAL will be one.
func probe(folder string) error {
	f, err := os.CreateTemp(folder, ".probe-*")
	if err != nil {
		return denied(err, ErrReadOnly)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// denied gives a refusal the fault it means here.
func denied(err, fault error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w: %w", fault, err)
	}
	return classify(err)
}

// restrict takes the rights of others from files that an earlier program or a
// copy left open.
func restrict(path string) error {
	for _, file := range FilesOf(path) {
		info, err := os.Stat(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if info.Mode().Perm()&^fileMode == 0 {
			continue
		}
		if err := os.Chmod(file, fileMode); err != nil {
			return err
		}
	}
	return nil
}

// SetAside renames a broken database, with -wal and -shm, to a name with the
// time and returns that name: the start for a new one at path. Nobody may have
// the database open. The WAL goes first, so that it never meets a new file.
func SetAside(path string, now time.Time) (string, error) {
	base := path + asideMark + now.UTC().Format("20060102-150405")
	aside := base
	for n := 2; exists(aside); n++ {
		aside = fmt.Sprintf("%s-%d", base, n)
	}
	for _, ending := range append(append([]string{}, sidecars...), "") {
		err := os.Rename(path+ending, aside+ending)
		if err != nil && (ending == "" || !errors.Is(err, fs.ErrNotExist)) {
			return "", fmt.Errorf("set database aside: %w", denied(err, ErrReadOnly))
		}
	}
	return aside, nil
}

// HasAside reports whether a database that was at path stands aside still, also
// under a name that a person gave it: what it names elsewhere may be wanted again.
// A folder that cannot be read may hold one.
func HasAside(path string) bool {
	entries, err := os.ReadDir(filepath.Dir(path))
	return err != nil || slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return strings.HasPrefix(e.Name(), filepath.Base(path)+asideMark)
	})
}

// Asides are the databases that SetAside has renamed at path, by their names. What
// a person has copied or renamed is not among them.
func Asides(path string) (out []string) {
	entries, _ := os.ReadDir(filepath.Dir(path)) // one that cannot be read shows none
	for _, e := range entries {
		if e.Type().IsRegular() && isAside(e.Name()) && strings.HasPrefix(e.Name(), filepath.Base(path)+asideMark) {
			out = append(out, filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	return out
}

// isAside reports whether a name is one that SetAside gives.
func isAside(name string) bool {
	_, rest, found := strings.Cut(filepath.Base(name), asideMark)
	return found && asideTime.MatchString(rest)
}

// FilesOf are the files that SQLite keeps of the database at path.
func FilesOf(path string) []string {
	out := []string{path}
	for _, ending := range sidecars {
		out = append(out, path+ending)
	}
	return out
}

// DeleteAside removes what SetAside returned, and nothing else.
func DeleteAside(aside string) error {
	if !isAside(aside) {
		return fmt.Errorf("delete %s: it was not set aside", filepath.Base(aside))
	}
	var errs []error
	for _, file := range FilesOf(aside) {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, denied(err, ErrReadOnly))
		}
	}
	return errors.Join(errs...)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

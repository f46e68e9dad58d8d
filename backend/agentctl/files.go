package agentctl

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode/utf8"

	"kandev/backend/acp"
)

// MaxFile is the largest file that is read or written for an agent, in bytes.
const MaxFile = 10 << 20

// files are the agent's reads and writes, kept inside one folder: where a path
// really ends after symlinks decides, and the file itself is opened below the
// folder's handle, so that a link that changes meanwhile leads nowhere else.
type files struct{ folder string }

// open finds the folder and where in it a path really ends. The caller closes
// the root. A file that is not there yet is where its folder is.
func (f files) open(path string) (root *os.Root, inside string, err error) {
	if !filepath.IsAbs(path) {
		return nil, "", refuse(path, "is not an absolute path")
	}
	folder, err := filepath.EvalSymlinks(f.folder)
	if err != nil {
		return nil, "", refuse(path, "cannot be reached: the session's folder is not there")
	}
	inside, err = filepath.Rel(folder, realPath(filepath.Clean(path)))
	if err != nil || !filepath.IsLocal(inside) {
		return nil, "", refuse(path, "is outside of the session's folder")
	}
	if root, err = os.OpenRoot(folder); err != nil {
		return nil, "", refuse(path, "cannot be reached: the session's folder cannot be opened")
	}
	return root, inside, nil
}

// realPath follows the symlinks of what is there, a dangling one too; the rest
// stays as it is.
func realPath(path string) string {
	rest := ""
	for range 255 { // links that lead in a circle end here, outside
		if found, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Join(found, rest)
		}
		if to, err := os.Readlink(path); err == nil {
			if !filepath.IsAbs(to) {
				to = filepath.Join(filepath.Dir(path), to)
			}
			path = to
			continue
		}
		parent := filepath.Dir(path)
		if parent == path {
			break
		}
		path, rest = parent, filepath.Join(filepath.Base(path), rest)
	}
	return ""
}

// read answers fs/read_text_file.
func (f files) read(ctx context.Context, r acp.ReadFile) (string, error) {
	root, inside, err := f.open(r.Path)
	if err != nil {
		return "", err
	}
	defer root.Close()
	if err := checkFile(root, inside, r.Path); err != nil {
		return "", err
	}
	file, err := root.OpenFile(inside, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe put here meanwhile is not waited for
	if err != nil {
		return "", failed(r.Path, "read", err)
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", refuse(r.Path, "is not a regular file")
	}
	b, err := io.ReadAll(io.LimitReader(file, MaxFile+1))
	switch {
	case err != nil:
		return "", failed(r.Path, "read", err)
	case len(b) > MaxFile:
		return "", tooLarge(r.Path)
	case !utf8.Valid(b):
		return "", refuse(r.Path, "is not UTF-8 text")
	}
	return lines(string(b), r.Line, r.Limit), ctx.Err()
}

// lines cuts out limit lines from line on, with their line ends.
func lines(text string, line, limit *uint64) string {
	if line != nil {
		for n := uint64(1); n < *line && text != ""; n++ {
			_, text, _ = strings.Cut(text, "\n")
		}
	}
	if limit == nil {
		return text
	}
	end := 0
	for n := uint64(0); n < *limit && end < len(text); n++ {
		next := strings.IndexByte(text[end:], '\n')
		if next < 0 {
			return text
		}
		end += next + 1
	}
	return text[:end]
}

// write answers fs/write_text_file: the whole file is there or the old one is.
func (f files) write(ctx context.Context, w acp.WriteFile) error {
	if len(w.Content) > MaxFile {
		return tooLarge(w.Path)
	}
	root, inside, err := f.open(w.Path)
	if err != nil {
		return err
	}
	defer root.Close()
	mode := fs.FileMode(0o644)
	switch err := checkFile(root, inside, w.Path); {
	case err == nil:
		info, err := root.Stat(inside)
		if err == nil && info.Mode()&0o200 == 0 {
			return refuse(w.Path, "is read-only")
		} else if err == nil {
			mode = info.Mode().Perm()
		}
	case !isMissing(err):
		return err
	}
	if err := root.MkdirAll(filepath.Dir(inside), 0o755); err != nil {
		return failed(w.Path, "written", err)
	}
	if err := replace(root, inside, w.Content, mode); err != nil {
		return failed(w.Path, "written", err)
	}
	return ctx.Err()
}

// replace writes beside the file and renames.
func replace(root *os.Root, inside, content string, mode fs.FileMode) error {
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails, see crypto/rand
	beside := filepath.Join(filepath.Dir(inside), fmt.Sprintf(".kandev-%x.tmp", random))
	file, err := root.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.WriteString(file, content)
	err = errors.Join(err, file.Chmod(mode), file.Sync(), file.Close())
	if err == nil {
		err = root.Rename(beside, inside)
	}
	if err != nil {
		_ = root.Remove(beside) // the person would find it
	}
	return err
}

// checkFile refuses what is no regular file within the limit. Looked at before
// it is opened: opening a device can already do something.
func checkFile(root *os.Root, inside, path string) error {
	info, err := root.Stat(inside)
	switch {
	case err != nil:
		return failed(path, "found", err)
	case !info.Mode().IsRegular():
		return refuse(path, "is not a regular file")
	case info.Size() > MaxFile:
		return tooLarge(path)
	}
	return nil
}

func isMissing(err error) bool {
	e, ok := errors.AsType[*acp.FileError](err)
	return ok && e.NotFound
}

func refuse(path, why string) error {
	return &acp.FileError{Path: path, Sentence: path + " " + why + "."}
}

func tooLarge(path string) error { return refuse(path, "is larger than 10 MiB") }

// failed says what the system refused; its own words may name other paths.
func failed(path, what string, err error) error {
	e := &acp.FileError{Path: path, NotFound: errors.Is(err, fs.ErrNotExist)}
	switch {
	case e.NotFound:
		e.Sentence = path + " does not exist."
	case errors.Is(err, fs.ErrPermission):
		e.Sentence = path + " cannot be " + what + ": permission denied."
	default:
		e.Sentence = path + " cannot be " + what + "."
	}
	return e
}

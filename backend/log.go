package backend

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
)

// Bounds of the log, spec/sessions.md: five files of five megabytes.
const (
	logFiles = 5
	logBytes = 5 << 20
)

// openLog opens logs/kandev.log, from a level that can change while it is
// open. When that is not possible, logs go nowhere: the app works without.
func openLog(dir string, level slog.Leveler) (*slog.Logger, func()) {
	w := &rotating{path: filepath.Join(dir, "kandev.log"), limit: logBytes}
	if err := w.open(); err != nil {
		return slog.New(slog.DiscardHandler), func() {}
	}
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level})), func() { _ = w.Close() }
}

// rotating is a file that is renamed away when it is full: kandev.log.1 is the
// newest of the old ones. Safe for concurrent use.
type rotating struct {
	path  string
	limit int64

	mu     sync.Mutex
	file   *os.File
	size   int64
	closed bool
}

func (r *rotating) open() error {
	f, err := os.OpenFile(r.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open the log: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return fmt.Errorf("open the log: %w", err)
	}
	r.file, r.size = f, info.Size()
	return nil
}

// Write writes one record whole into one file.
func (r *rotating) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return 0, io.ErrClosedPipe
	}
	if r.file == nil { // the last rotation could not open the next one
		if err := r.open(); err != nil {
			return 0, err
		}
	}
	if r.size > 0 && r.size+int64(len(p)) > r.limit {
		if err := r.rotate(); err != nil {
			return 0, err
		}
	}
	n, err := r.file.Write(p)
	r.size += int64(n)
	return n, err
}

func (r *rotating) rotate() error {
	_ = r.file.Close()
	r.file = nil
	for n := logFiles - 1; n > 1; n-- {
		_ = os.Rename(r.old(n-1), r.old(n)) // one that is not there yet is no fault
	}
	_ = os.Rename(r.path, r.old(1))
	return r.open()
}

func (r *rotating) old(n int) string { return fmt.Sprintf("%s.%d", r.path, n) }

// Close closes the file; later records are lost.
func (r *rotating) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	if r.file == nil {
		return nil
	}
	err := r.file.Close()
	r.file = nil
	return err
}

// setLevel makes the log follow the settings; a word we do not know is info.
func (b *Backend) setLevel(word string) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(word)); err != nil {
		l = slog.LevelInfo
	}
	b.level.Set(l)
}

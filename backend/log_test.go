package backend

import (
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestLogIsBounded: five files, none much over its limit, modes 0600, and every
// record whole in one of them.
func TestLogIsBounded(t *testing.T) {
	dir := t.TempDir()
	w := &rotating{path: filepath.Join(dir, "kandev.log"), limit: 1000}
	if err := w.open(); err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	line := strings.Repeat("x", 99) + "\n"
	var wg sync.WaitGroup
	for range 4 { // at once, as its comment promises
		wg.Go(func() {
			for range 50 {
				if _, err := w.Write([]byte(line)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != logFiles {
		t.Fatalf("%d files (%v), want %d", len(files), err, logFiles)
	}
	for _, f := range files {
		info, _ := f.Info()
		b, _ := os.ReadFile(filepath.Join(dir, f.Name()))
		if info.Mode().Perm() != 0o600 || len(b) > 1000 || len(b)%len(line) != 0 {
			t.Errorf("%s: mode %v, %d bytes", f.Name(), info.Mode(), len(b))
		}
	}
}

// TestLogGoesOn: a file that could not be opened when the one before was full is
// tried again with the next record.
func TestLogGoesOn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs")
	w := &rotating{path: filepath.Join(dir, "kandev.log"), limit: 10}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := w.open(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte("first one\n")); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Skip(err) // Windows keeps an open file
	}
	if _, err := w.Write([]byte("lost\n")); err == nil {
		t.Fatal("written to nowhere")
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte("again\n")); err != nil {
		t.Error(err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if _, err := w.Write([]byte("closed\n")); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("%v", err)
	}
}

func TestLogLevelFollowsTheSettings(t *testing.T) {
	b := &Backend{}
	for word, want := range map[string]slog.Level{"debug": slog.LevelDebug, "warn": slog.LevelWarn, "": slog.LevelInfo, "loud": slog.LevelInfo} {
		if b.setLevel(word); b.level.Level() != want {
			t.Errorf("%q: %v, want %v", word, b.level.Level(), want)
		}
	}
}

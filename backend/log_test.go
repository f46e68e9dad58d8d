package backend

import (
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

func TestLogLevelFollowsTheSettings(t *testing.T) {
	b := &Backend{}
	for word, want := range map[string]slog.Level{"debug": slog.LevelDebug, "warn": slog.LevelWarn, "": slog.LevelInfo, "loud": slog.LevelInfo} {
		if b.setLevel(word); b.level.Level() != want {
			t.Errorf("%q: %v, want %v", word, b.level.Level(), want)
		}
	}
}

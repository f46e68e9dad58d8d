package secret

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// memory is a keychain that works.
func memory() *Ring {
	var all sync.Map
	return &Ring{
		Get: func(name string) (string, error) {
			if v, ok := all.Load(name); ok {
				return v.(string), nil
			}
			return "", ErrNotFound
		},
		Set: func(name, value string) error { all.Store(name, value); return nil },
		Delete: func(name string) error {
			if _, ok := all.LoadAndDelete(name); !ok {
				return ErrNotFound
			}
			return nil
		},
	}
}

func broken() *Ring {
	err := errors.New("no session bus")
	return &Ring{
		Get:    func(string) (string, error) { return "", err },
		Set:    func(string, string) error { return err },
		Delete: func(string) error { return err },
	}
}

func TestSetGetDelete(t *testing.T) {
	for _, c := range []struct {
		name  string
		ring  *Ring
		place Place
	}{{"file alone", nil, File}, {"keychain", memory(), Keychain}, {"no keychain here", broken(), File}} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "secrets.json")
			s := Open(Options{Path: path, Ring: c.ring})
			defer s.Close()
			ctx := t.Context()
			if got := s.Place(ctx); got != c.place {
				t.Errorf("place %s, want %s", got, c.place)
			}
			if _, err := s.Get(ctx, "a"); !errors.Is(err, ErrNotFound) {
				t.Errorf("a name that is not there: %v", err)
			}
			for _, value := range []string{"one", "", "two \x00 é \n"} {
				if err := s.Set(ctx, "a", value); err != nil {
					t.Fatal(err)
				}
				if got, err := s.Get(ctx, "a"); got != value || err != nil {
					t.Errorf("kept %q, got %q %v", value, got, err)
				}
			}
			_, err := os.Stat(path)
			if inFile := err == nil; inFile != (c.place == File) {
				t.Errorf("the file is there: %v, place %s", inFile, c.place)
			}
			for range 2 { // again is no error
				if err := s.Delete(ctx, "a"); err != nil {
					t.Errorf("delete: %v", err)
				}
			}
			if _, err := s.Get(ctx, "a"); !errors.Is(err, ErrNotFound) {
				t.Errorf("after delete: %v", err)
			}
		})
	}
}

// TestRefusingKeychain: one that answers and takes nothing leaves the value in the
// file, and that is not called encrypted; what it holds already is still found.
func TestRefusingKeychain(t *testing.T) {
	ring := memory()
	if err := ring.Set("old", "kept"); err != nil {
		t.Fatal(err)
	}
	ring.Set = func(string, string) error { return errors.New("denied") }
	s := Open(Options{Path: filepath.Join(t.TempDir(), "secrets.json"), Ring: ring})
	if err := s.Set(t.Context(), "a", "value"); err != nil {
		t.Fatal(err)
	}
	if got := s.Place(t.Context()); got != File {
		t.Errorf("the value is in the file, and the place is called %s", got)
	}
	for name, want := range map[string]string{"a": "value", "old": "kept"} {
		if got, err := s.Get(t.Context(), name); got != want || err != nil {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
}

// TestModes: only the person's own user reads the file, and nothing else is left.
func TestModes(t *testing.T) {
	dir := t.TempDir()
	s := Open(Options{Path: filepath.Join(dir, "secrets.json")})
	for _, name := range []string{"a", "b"} {
		if err := s.Set(t.Context(), name, "v"); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%d files, %v", len(entries), err)
	}
	info, err := entries[0].Info()
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode() != fs.FileMode(0o600) {
		t.Errorf("mode %s", info.Mode())
	}
}

// TestValueMoves: what was kept in the file while there was no keychain is
// found, and goes to the keychain with the next value; the file holds nothing
// older that would be found first.
func TestValueMoves(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secrets.json")
	if err := Open(Options{Path: path}).Set(t.Context(), "a", "old"); err != nil {
		t.Fatal(err)
	}
	s := Open(Options{Path: path, Ring: memory()})
	if got, err := s.Get(t.Context(), "a"); got != "old" || err != nil {
		t.Errorf("from the file: %q %v", got, err)
	}
	if err := s.Set(t.Context(), "a", "new"); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Get(t.Context(), "a"); got != "new" || err != nil {
		t.Errorf("from the keychain: %q %v", got, err)
	}
	if text, _ := os.ReadFile(path); strings.Contains(string(text), "old") {
		t.Errorf("the old value stayed in the file")
	}
}

// TestSilentKeychain: three seconds, once, then the file.
func TestSilentKeychain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		hang := func() error { <-release; return nil }
		s := Open(Options{Path: filepath.Join(t.TempDir(), "secrets.json"), Ring: &Ring{
			Get:    func(string) (string, error) { return "", hang() },
			Set:    func(string, string) error { return hang() },
			Delete: func(string) error { return hang() },
		}})
		began := time.Now()
		if err := s.Set(t.Context(), "a", "v"); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != Limit {
			t.Errorf("took %s, limit %s", took, Limit)
		}
		began = time.Now()
		if got, err := s.Get(t.Context(), "a"); got != "v" || err != nil || time.Since(began) != 0 {
			t.Errorf("%q %v after %s", got, err, time.Since(began))
		}
		began = time.Now()
		s.Close()
		if took := time.Since(began); took != Limit {
			t.Errorf("close took %s", took)
		}
		close(release)
	})
}

// TestRefused: what cannot be kept says why, and no error holds a value.
func TestRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secrets.json")
	s := Open(Options{Path: path})
	long := strings.Repeat("hidden", 1000)
	if err := s.Set(t.Context(), "a", long); !errors.Is(err, ErrTooLong) || strings.Contains(err.Error(), "hidden") {
		t.Errorf("too long: %v", err)
	}
	for _, name := range []string{"", probe} {
		if err := s.Set(t.Context(), name, "v"); !errors.Is(err, ErrName) {
			t.Errorf("name %q: %v", name, err)
		}
	}
	for _, text := range []string{`hidden`, `{"a": hidden}`, `["hidden"]`, `null`, `{"a":{"hidden":1}}`, ``} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := s.Get(t.Context(), "a")
		if setErr := s.Set(t.Context(), "b", "v"); !errors.Is(err, ErrFile) || !errors.Is(setErr, ErrFile) || strings.Contains(err.Error()+setErr.Error(), "hidden") {
			t.Errorf("file %q: %v, %v", text, err, setErr)
		}
		if kept, _ := os.ReadFile(path); string(kept) != text {
			t.Errorf("a file that is not understood was changed")
		}
	}
}

// TestTidy: what a write left that was killed goes, in a folder of any name;
// the file itself and what is not ours stay.
func TestTidy(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a [b] c")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	s := Open(Options{Path: filepath.Join(dir, "secrets.json")})
	if err := s.Set(t.Context(), "a", "value"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".secrets-123", "secrets-123"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(`{"a":"old`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Tidy(); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 2 || left[0].Name() != "secrets-123" || left[1].Name() != "secrets.json" {
		t.Errorf("%v %v", left, err)
	}
	if v, err := s.Get(t.Context(), "a"); v != "value" || err != nil {
		t.Errorf("%q %v", v, err)
	}
}

// TestSweep: only what is not wanted goes; a file that is not understood stays.
func TestSweep(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secrets.json")
	s := Open(Options{Path: path})
	if err := s.Sweep(func(string) bool { return false }); err != nil {
		t.Error("without a file:", err)
	}
	for _, name := range []string{"a", "b"} {
		if err := s.Set(t.Context(), name, "value"); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Sweep(func(name string) bool { return name == "a" }); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(t.Context(), "b"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if v, err := s.Get(t.Context(), "a"); v != "value" || err != nil {
		t.Errorf("%q %v", v, err)
	}
	if err := os.WriteFile(path, []byte("hidden"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Sweep(func(string) bool { return false }); !errors.Is(err, ErrFile) {
		t.Error(err)
	}
}

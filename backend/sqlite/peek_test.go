package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// files are the contents of a folder by name; the index of a WAL is left out: every reader locks in it.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = string(b)
		if filepath.Ext(e.Name()) == ".db-shm" {
			out[e.Name()] = ""
		}
	}
	return out
}

// TestPeek: the version is read while the app has the database open, after an end in order and after one that was
// not; nothing is changed, and no file is made.
func TestPeek(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	if _, err := Peek(t.Context(), path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no database: %v", err)
	}
	peek := func(what string, want Schema) {
		t.Helper()
		before := files(t, filepath.Dir(path))
		if got, err := Peek(t.Context(), path); err != nil || got != want {
			t.Errorf("%s: %+v, %v", what, got, err)
		}
		same(t, what, files(t, filepath.Dir(path)), before)
	}
	known := schemaNow(t)
	db := openAt(t, path, Options{})
	save(t, db, sample("s_1"))
	peek("while it is open", Schema{known, known})
	if err := db.closePools(); err != nil { // an end without Close
		t.Fatal(err)
	}
	peek("after an unclean end", Schema{known, known})
	closed(t, openAt(t, path, Options{}))
	peek("after a clean end", Schema{known, known})
	pool := foreign(t, path)
	mustExec(t, pool, "PRAGMA user_version = 700")
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
	peek("a newer one", Schema{700, known})
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	peek("an empty file", Schema{0, known})
	if err := os.WriteFile(path, make([]byte, 9000), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Peek(t.Context(), path); !errors.Is(err, ErrNotDatabase) {
		t.Errorf("zeros: %v", err)
	}
}

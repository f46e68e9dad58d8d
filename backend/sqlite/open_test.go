package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestModes(t *testing.T) {
	if os.PathSeparator == '\\' {
		t.Skip("Windows has access lists instead")
	}
	path := filepath.Join(t.TempDir(), "a", "b", "kandev.db")
	db := openAt(t, path, Options{})
	save(t, db, sample("s_1"))
	for _, c := range []struct {
		path string
		mode os.FileMode
	}{
		{filepath.Dir(path), 0o700},
		{filepath.Dir(filepath.Dir(path)), 0o700},
		{path, 0o600},
		{path + "-wal", 0o600},
		{path + "-shm", 0o600},
	} {
		info, err := os.Stat(c.path)
		if err != nil || info.Mode().Perm() != c.mode {
			t.Errorf("%s: %v, %v", c.path, info.Mode(), err)
		}
	}
	closed(t, db)
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	openAt(t, path, Options{})
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("a mode that was too wide stays %v", info.Mode())
	}
}

func TestPragmas(t *testing.T) {
	db := openNew(t)
	for query, want := range map[string]int{
		"PRAGMA busy_timeout": 5000, "PRAGMA foreign_keys": 1, "PRAGMA secure_delete": 1, "PRAGMA synchronous": 1,
		"PRAGMA journal_size_limit": journalLimit, "PRAGMA application_id": applicationID, "PRAGMA user_version": schemaNow(t),
	} {
		if got := count(t, db.writer, query); got != want {
			t.Errorf("%s: %d, want %d", query, got, want)
		}
	}
	if _, err := db.reader.ExecContext(t.Context(), "DELETE FROM meta"); !errors.Is(classify(err), ErrReadOnly) {
		t.Errorf("a reader wrote: %v", err)
	}
	n := count(t, db.reader, `SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND NOT strict AND name NOT LIKE 'sqlite_%'`)
	if n != 0 {
		t.Errorf("%d tables are not STRICT", n)
	}
}

// Names that mean something in an address, or are odd, are only names.
func TestOddPaths(t *testing.T) {
	for _, name := range []string{"a?mode=ro.db", "100%.db", "a#b.db", "a b&c.db", "ünïcode.db", "a%3Fb.db"} {
		if os.PathSeparator == '\\' && bytes.ContainsAny([]byte(name), "?") {
			continue
		}
		path := filepath.Join(t.TempDir(), name)
		db := openAt(t, path, Options{})
		save(t, db, newSession("s_1"))
		closed(t, db)
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
		if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
			t.Errorf("%s left %v", name, entries)
		}
	}
}

func TestUnclean(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kandev.db")
	db := openAt(t, path, Options{})
	if db.Unclean() {
		t.Error("a new database is unclean")
	}
	if err := db.closePools(); err != nil { // an end without Close
		t.Fatal(err)
	}
	db = openAt(t, path, Options{})
	if !db.Unclean() {
		t.Error("the end without Close was not seen")
	}
	if err := db.QuickCheck(t.Context()); err != nil {
		t.Error(err)
	}
	closed(t, db)
	if openAt(t, path, Options{}).Unclean() {
		t.Error("the clean end was not seen")
	}
}

func TestMemory(t *testing.T) {
	db, err := OpenMemory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := sample("s_1")
	save(t, db, want)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := db.Sessions(ctx); err == nil {
		t.Error("no error of an ended context")
	}
	same(t, "attachment", must(db.LoadAttachment(t.Context(), "s_1"))(t), *want.Attachment)
	checkpointed(t, db)
	if err := db.QuickCheck(t.Context()); err != nil || db.path != "" || db.Unclean() {
		t.Error(err)
	}
	if err := db.PruneBackup(t.Context(), epoch); err != nil {
		t.Error(err)
	}
	closed(t, db)
}

func TestNewer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kandev.db")
	closed(t, openAt(t, path, Options{}))
	pool := foreign(t, path)
	mustExec(t, pool, "PRAGMA user_version = 700")
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(path)
	_, err := Open(t.Context(), path, Options{})
	newer, ok := errors.AsType[*NewerError](err)
	if !errors.Is(err, ErrNewer) || !ok || newer.Found != 700 || newer.Known != schemaNow(t) {
		t.Fatalf("%v", err)
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Error("the newer file was changed")
	}
}

func TestForeignDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kandev.db")
	pool := foreign(t, path)
	mustExec(t, pool, "CREATE TABLE bookmarks (url TEXT)")
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path, Options{}); !errors.Is(err, ErrNotDatabase) {
		t.Errorf("%v", err)
	}
}

func TestNoWAL(t *testing.T) {
	if os.PathSeparator == '\\' {
		t.Skip("the file system without shared memory is a Unix one")
	}
	path := filepath.Join(t.TempDir(), "kandev.db")
	if _, err := Open(t.Context(), path, Options{vfs: "unix-none"}); !errors.Is(err, ErrNoWAL) {
		t.Errorf("%v", err)
	}
}

// A foreign lock while the app starts ends in a sentence, not in a hang.
func TestOpenLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kandev.db")
	closed(t, openAt(t, path, Options{}))
	pool := foreign(t, path)
	mustExec(t, pool, "BEGIN EXCLUSIVE")
	started := time.Now()
	if _, err := Open(t.Context(), path, Options{BusyTimeout: 50 * time.Millisecond}); !errors.Is(err, ErrLocked) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := Open(ctx, path, Options{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if took := time.Since(started); took > 3*time.Second {
		t.Errorf("it took %v", took)
	}
	mustExec(t, pool, "ROLLBACK")
	openAt(t, path, Options{})
}

func TestSetAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kandev.db")
	now := epoch
	var asides []string
	for i := range 2 { // twice in one second
		for _, ending := range []string{"", "-wal", "-shm"} {
			if err := os.WriteFile(path+ending, fmt.Appendf(nil, "broken %d%s", i, ending), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		aside, err := SetAside(path, now)
		if err != nil {
			t.Fatal(err)
		}
		asides = append(asides, aside)
	}
	closed(t, openAt(t, path, Options{}))
	if want := path + ".broken-20260304-050607"; asides[0] != want || asides[1] != want+"-2" {
		t.Errorf("%v", asides)
	}
	for i, aside := range asides {
		for _, ending := range []string{"", "-wal", "-shm"} {
			if b, err := os.ReadFile(aside + ending); string(b) != fmt.Sprintf("broken %d%s", i, ending) {
				t.Errorf("%q, %v", b, err)
			}
		}
		if err := DeleteAside(aside); err != nil {
			t.Error(err)
		}
	}
	if err := DeleteAside(path); err == nil {
		t.Error("a database in use was deleted")
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("left: %v", entries)
	}
	if _, err := SetAside(filepath.Join(t.TempDir(), "none"), now); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// Only what was set aside is called so, and deleted: not what a person made of it,
// nor a folder or a link that has such a name.
func TestAsides(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kandev.db")
	if HasAside(path) {
		t.Error("nothing stands aside")
	}
	ours := []string{path + ".broken-20260304-050607", path + ".broken-20260304-050607-2"}
	theirs := []string{".broken-20260304-050607.bak", ".broken-20260304-050607 (copy)", ".broken-mine", ".broken-", ".backup-3", ""}
	for n := range theirs {
		theirs[n] = path + theirs[n]
	}
	theirs = append(theirs, filepath.Join(filepath.Dir(path), "other.db.broken-20260304-050607"))
	for _, name := range append(slices.Clone(ours), theirs...) {
		for _, ending := range []string{"", "-wal", "-shm"} {
			if err := os.WriteFile(name+ending, []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Mkdir(path+".broken-20260304-050608", 0o700); err != nil {
		t.Fatal(err)
	}
	theirs = append(theirs, path+".broken-20260304-050608")
	if err := os.Symlink(theirs[0], path+".broken-20260304-050609"); err == nil {
		theirs = append(theirs, path+".broken-20260304-050609")
	}
	same(t, "asides", Asides(path), ours)
	for _, name := range Asides(path) {
		if err := DeleteAside(name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range theirs {
		if !exists(name) {
			t.Errorf("%s is gone", filepath.Base(name))
		}
	}
	if err := DeleteAside(theirs[0]); err == nil || !HasAside(path) {
		t.Errorf("a person's copy: %v", err)
	}
}

//go:build unix

package sqlite

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kandev/backend/session"
)

// readOnlyDisk is a folder on a disk that can be switched to read-only and back.
func readOnlyDisk(t *testing.T, size string) (folder string, remount func(options string)) {
	t.Helper()
	folder = smallDisk(t, "size="+size)
	return folder, func(options string) {
		t.Helper()
		if out, err := exec.Command("mount", "-o", "remount,"+options, folder).CombinedOutput(); err != nil {
			t.Skipf("cannot remount: %s", out)
		}
	}
}

func standInAt(t *testing.T, path string) *DB {
	t.Helper()
	db, err := OpenStandIn(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.closePools() })
	return db
}

// A file that can be read and not be written: what it holds is there, changes
// live in memory, and all of it goes into the file as soon as that can be.
func TestStandIn(t *testing.T) {
	folder, remount := readOnlyDisk(t, "4m")
	path := filepath.Join(folder, "kandev.db")
	db := openAt(t, path, Options{})
	for _, id := range []session.ID{"s_1", "s_2"} {
		c := newSession(id)
		c.Attachment = history(2, "word")
		c.Items = []session.Item{{Number: 1, Revision: 1, Text: strings.Repeat("stored in "+string(id)+". ", map[session.ID]int{"s_1": 10, "s_2": 40_000}[id])}}
		save(t, db, c)
	}
	closed(t, db)
	remount("ro")
	if _, err := Open(t.Context(), path, Options{}); !errors.Is(err, ErrReadOnly) {
		t.Fatal(err)
	}
	db = standInAt(t, path)
	if got := sessionsOf(t, db); got != "s_1 s_2" {
		t.Errorf("it shows %q", got)
	}
	save(t, db, newSession("s_3"))
	save(t, db, Change{ID: "s_1", Items: []session.Item{{Number: 2, Revision: 2, Text: "later"}}})
	if err := db.DeleteSession(t.Context(), "s_2"); err != nil {
		t.Fatal(err)
	}
	if err := db.MoveIn(t.Context()); !errors.Is(err, ErrReadOnly) || db.file() != "" {
		t.Errorf("moved into a disk that cannot be written: %v", err)
	}
	remount("rw")
	if err := db.MoveIn(t.Context()); err != nil {
		t.Fatal(err)
	}
	if db.file() != path {
		t.Errorf("path %q", db.file())
	}
	save(t, db, newSession("s_4")) // goes into the file
	if err := db.MoveIn(t.Context()); err != nil {
		t.Errorf("again: %v", err)
	}
	closed(t, db)
	if b, err := os.ReadFile(path); err != nil || strings.Contains(string(b), "stored in s_2.") || !strings.Contains(string(b), "stored in s_1.") {
		t.Errorf("what was deleted meanwhile is in the file (%v)", err)
	}
	db = openAt(t, path, Options{})
	if got := sessionsOf(t, db); got != "s_1 s_3 s_4" || db.Unclean() {
		t.Errorf("stored %q, unclean %v", got, db.Unclean())
	}
	if items := must(db.Transcript(t.Context(), "s_1", 0, 0))(t); len(items) != 2 || items[1].Text != "later" {
		t.Errorf("%+v", items)
	}
	if h := must(db.LoadAttachment(t.Context(), "s_1"))(t); h.Current() == nil || h.Current().Servers[0].Catalog == nil {
		t.Error("the attachment is lost")
	}
	if n := count(t, db.reader, `SELECT count(*) FROM pragma_foreign_key_check`); n != 0 {
		t.Errorf("%d rows hang on nothing", n)
	}
}

// A disk that is full at the start, and without any database yet.
func TestStandInOnFullDisk(t *testing.T) {
	folder := smallDisk(t, "size=1m")
	filler := filepath.Join(folder, "filler")
	if err := os.WriteFile(filler, make([]byte, 2<<20), 0o600); err == nil {
		t.Fatal("it never got full")
	}
	path := filepath.Join(folder, "kandev.db")
	if _, err := Open(t.Context(), path, Options{}); !errors.Is(err, ErrFull) {
		t.Fatal(err)
	}
	db := standInAt(t, path)
	save(t, db, newSession("s_1"))
	if err := db.MoveIn(t.Context()); !errors.Is(err, ErrFull) {
		t.Errorf("%v", err)
	}
	if got := sessionsOf(t, db); got != "s_1" {
		t.Errorf("a try that failed took %q", got)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if err := db.MoveIn(t.Context()); err != nil {
		t.Fatal(err)
	}
	closed(t, db)
	if got := sessionsOf(t, openAt(t, path, Options{})); got != "s_1" {
		t.Errorf("stored %q", got)
	}
}

// Room for the file to be opened, and not for what memory holds: nothing of the
// file is lost, and the rest goes in when there is room.
func TestStandInWithTooLittleRoom(t *testing.T) {
	folder, remount := readOnlyDisk(t, "1m")
	path := filepath.Join(folder, "kandev.db")
	db := openAt(t, path, Options{})
	save(t, db, newSession("s_1"))
	closed(t, db)
	db = standInAt(t, path)
	big := newSession("s_2")
	big.Items = []session.Item{{Number: 1, Revision: 1, Text: strings.Repeat("x", 2<<20)}}
	save(t, db, big)
	for range 2 {
		if err := db.MoveIn(t.Context()); !errors.Is(err, ErrFull) {
			t.Fatalf("%v", err)
		}
	}
	if got := sessionsOf(t, openAt(t, path, Options{})); got != "s_1" {
		t.Errorf("the file holds %q", got)
	}
	db.instead.seen = stampsOf(path) // the look above was ours
	remount("size=16m")
	if err := db.MoveIn(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := sessionsOf(t, db); got != "s_1 s_2" {
		t.Errorf("moved %q", got)
	}
}

// What another program wrote meanwhile is not overwritten.
func TestStandInForAChangedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kandev.db")
	db := openAt(t, path, Options{})
	save(t, db, newSession("s_1"))
	closed(t, db)
	memory := standInAt(t, path)
	db = openAt(t, path, Options{})
	save(t, db, newSession("s_2"))
	closed(t, db)
	if err := memory.MoveIn(t.Context()); !errors.Is(err, ErrChanged) {
		t.Errorf("%v", err)
	}
	if got := sessionsOf(t, openAt(t, path, Options{})); got != "s_1 s_2" {
		t.Errorf("the file holds %q", got)
	}
}

// What was deleted in memory is in no byte of the file that it was moved into.
func TestStandInDeletesForGood(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kandev.db")
	db := openAt(t, path, Options{})
	for _, id := range []session.ID{"s_1", "s_2"} {
		c := newSession(id)
		for n := range int64(40) { // pages enough that some are free afterwards
			c.Items = append(c.Items, session.Item{Number: n + 1, Revision: n + 1, Text: strings.Repeat("SENTINEL-"+string(id)+" ", 400)})
		}
		save(t, db, c)
	}
	closed(t, db)
	db = standInAt(t, path)
	if err := db.DeleteSession(t.Context(), "s_2"); err != nil {
		t.Fatal(err)
	}
	if err := db.MoveIn(t.Context()); err != nil {
		t.Fatal(err)
	}
	closed(t, db)
	data := must(os.ReadFile(path))(t)
	if bytes.Contains(data, []byte("SENTINEL-s_2")) || !bytes.Contains(data, []byte("SENTINEL-s_1")) {
		t.Errorf("of the deleted %d are left, of the kept %d", bytes.Count(data, []byte("SENTINEL-s_2")), bytes.Count(data, []byte("SENTINEL-s_1")))
	}
}

// A file that memory cannot stand in for: an older schema, and a log that can be
// read by nobody who does not write.
func TestNoStandIn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kandev.db")
	db := openAt(t, path, Options{})
	mustExec(t, db.writer, "PRAGMA user_version = 1")
	closed(t, db)
	if _, err := OpenStandIn(t.Context(), path, Options{}); err == nil {
		t.Error("another schema was taken")
	}
	mustExec(t, foreign(t, path), "PRAGMA user_version = "+strconv.Itoa(schemaNow(t)))
	if err := os.WriteFile(path+"-wal", []byte("log"), 0o600); err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(path + "-shm")
	if _, err := OpenStandIn(t.Context(), path, Options{}); err == nil {
		t.Error("a log was passed over")
	}
}

// Reads go on while everything is moved.
func TestStandInReadWhileMoving(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kandev.db")
	db := standInAt(t, path)
	save(t, db, newSession("s_1"))
	ctx, stop := context.WithCancel(t.Context())
	failed, reading := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(failed)
		for n := 0; ctx.Err() == nil; n++ {
			if n == 1 {
				close(reading)
			}
			if all, err := db.Sessions(context.Background()); err != nil || len(all) != 1 {
				failed <- errors.Join(err, errors.New("a session is missing"))
				return
			}
		}
	}()
	select {
	case <-reading:
	case err := <-failed:
		t.Fatal(err)
	}
	if err := db.MoveIn(t.Context()); err != nil {
		t.Error(err)
	}
	stop()
	if err := <-failed; err != nil {
		t.Error(err)
	}
}

//go:build unix

package sqlite

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"testing"
	"time"

	"kandev/backend/session"
)

// withOne makes a database with one session.
func withOne(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "kandev.db")
	db := openAt(t, path, Options{})
	save(t, db, longSession(0))
	closed(t, db)
	return path
}

// kill -9 while memory moves in: the file holds what it held, or all of it.
func TestKillMoveIn(t *testing.T) {
	before, after := 0, 0
	for wait := time.Duration(0); after == 0; wait = 2*wait + time.Millisecond {
		path := withOne(t)
		cmd := child(t, "move in", path)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		if !lines.Scan() || lines.Text() != "begins" {
			t.Errorf("it said %q", lines.Text())
		}
		<-time.After(wait) // somewhere in the move, or behind it
		_ = cmd.Process.Kill()
		moved := lines.Scan()
		_ = cmd.Wait() // killed
		db := openAt(t, path, Options{})
		switch n := count(t, db.reader, "SELECT count(*) FROM session"); {
		case n == 1 && !moved:
			before++
		case n == manySessions:
			after++
		default:
			t.Fatalf("after %v (it had ended: %v) %d sessions", wait, moved, n)
		}
		if err := db.QuickCheck(t.Context()); err != nil {
			t.Error(err)
		}
		if n := count(t, db.reader, "SELECT count(*) FROM pragma_foreign_key_check"); n != 0 {
			t.Errorf("%d rows hang on nothing", n)
		}
		if items := must(db.Transcript(t.Context(), "s_00", 0, 0))(t); len(items) != 20 {
			t.Errorf("%d items are left", len(items))
		}
	}
	t.Logf("killed before the end %d times, after it %d times", before, after)
}

// A move that is given up, at whatever point, can be made again, and memory is
// what it was: its rules hold, and nothing stays attached to it.
func TestMoveInGivenUp(t *testing.T) {
	db := standInAt(t, withOne(t))
	for n := 1; n < manySessions; n++ {
		save(t, db, longSession(n))
	}
	for wait := time.Millisecond; ; wait += wait/3 + time.Millisecond {
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		err := db.MoveIn(ctx)
		cancel()
		if err == nil {
			t.Logf("moved within %v", wait)
			break
		}
		if wait > 20*time.Second {
			t.Fatal(err)
		}
		if db.writer != db.reader {
			t.Fatal("half moved")
		}
		if n := count(t, db.writer, "PRAGMA foreign_keys"); n != 1 {
			t.Fatalf("after %v (%v) foreign keys are off", wait, err)
		}
		if n := count(t, db.writer, "SELECT count(*) FROM pragma_database_list"); n != 1 {
			t.Fatalf("after %v (%v) %d databases are attached", wait, err, n)
		}
	}
	if n := count(t, db.reader, "SELECT count(*) FROM session"); n != manySessions {
		t.Errorf("%d sessions", n)
	}
}

// How the file's last end was is not forgotten by a move that was given up after
// the file was opened.
func TestMoveInGivenUpKeepsTheEnd(t *testing.T) {
	for _, unclean := range []bool{true, false} {
		path := withOne(t)
		if unclean {
			if err := openAt(t, path, Options{}).closePools(); err != nil {
				t.Fatal(err)
			}
		}
		db := standInAt(t, path)
		other, looks := foreign(t, path), 0
		db.options.migrations = hooked{embedded(), func() {
			if looks++; looks == 2 {
				mustExec(t, other, "UPDATE session SET reason = 'of another'")
			}
		}}
		if err := db.MoveIn(t.Context()); !errors.Is(err, ErrChanged) {
			t.Errorf("%v", err)
		}
		if got := openAt(t, path, Options{}).Unclean(); got != unclean {
			t.Errorf("unclean before: %v, after: %v", unclean, got)
		}
	}
}

// hooked is migrations that tell when they are looked at: once when the file is
// open, and again when it is about to be written.
type hooked struct {
	fs.FS
	tell func()
}

func (h hooked) Open(name string) (fs.File, error) {
	h.tell()
	return h.FS.Open(name)
}

// What another program writes while the move waits for it is not overwritten
// either. That it only looks, or holds the file for a while, changes nothing.
func TestMoveInBesideAnother(t *testing.T) {
	for when := range 3 {
		path := withOne(t)
		db := standInAt(t, path)
		save(t, db, newSession("s_1"))
		other := foreign(t, path)
		if n := count(t, other, "SELECT count(*) FROM session"); n != 1 { // makes an empty log
			t.Errorf("%d sessions", n)
		}
		mustExec(t, other, "BEGIN IMMEDIATE")
		db.options.BusyTimeout = time.Millisecond
		if err := db.MoveIn(t.Context()); !errors.Is(err, ErrLocked) {
			t.Errorf("beside another that writes: %v", err)
		}
		mustExec(t, other, "ROLLBACK")
		looks := 0
		db.options.migrations = hooked{embedded(), func() {
			if looks++; looks == when {
				mustExec(t, other, "UPDATE session SET reason = 'of another'")
			}
		}}
		err := db.MoveIn(t.Context())
		if when == 0 {
			if err != nil {
				t.Errorf("nothing changed: %v", err)
			}
			continue
		}
		if again := db.MoveIn(t.Context()); !errors.Is(err, ErrChanged) || !errors.Is(again, ErrChanged) || db.file() != "" {
			t.Errorf("changed at look %d: %v, again %v", when, err, again)
		}
		if n := count(t, other, "SELECT count(*) FROM session WHERE reason = 'of another'"); n != 1 {
			t.Errorf("what another wrote at look %d is lost", when)
		}
	}
}

// A file in another journal mode, as a backup is that a person has put back, is
// no other one because we change its mode.
func TestMoveIntoABackup(t *testing.T) {
	path := withOne(t)
	mustExec(t, foreign(t, path), "PRAGMA journal_mode = DELETE")
	db := standInAt(t, path)
	save(t, db, newSession("s_1"))
	if err := db.MoveIn(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := sessionsOf(t, db); got != "s_00 s_1" {
		t.Errorf("moved %q", got)
	}
}

// What a writer stores before, during and behind the move is all in the file.
func TestWriterWhileMoving(t *testing.T) {
	path := withOne(t)
	db := standInAt(t, path)
	w := NewWriter(db, WriterOptions{Fault: func(err error) { t.Error(err) }})
	t.Cleanup(w.Close)
	const all = 300
	enough, moved := make(chan struct{}), make(chan error, 1)
	go func() { <-enough; moved <- db.MoveIn(context.Background()) }()
	for n := 1; n <= all; n++ {
		c := newSession(session.ID(fmt.Sprintf("s_%02d", n)))
		w.Now(string(c.ID), func() Change { return c })
		if n == all/3 {
			close(enough)
		}
		if n == 2*all/3 {
			if err := <-moved; err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.Close()
	closed(t, db)
	db = openAt(t, path, Options{})
	if n := count(t, db.reader, "SELECT count(*) FROM session"); n != all+1 {
		t.Errorf("%d sessions, want %d", n, all+1)
	}
}

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"kandev/backend/session"
)

// bench is a writer with a clock of the test and a record of what it said.
type bench struct {
	*Writer
	db     *DB
	clock  *clock
	faults chan error
	healed chan struct{}
	saved  chan string
}

func newBench(t *testing.T, o WriterOptions) *bench {
	t.Helper()
	b := &bench{
		db:    openAt(t, filepath.Join(t.TempDir(), "kandev.db"), Options{BusyTimeout: time.Millisecond}),
		clock: newClock(), faults: make(chan error, 99), healed: make(chan struct{}, 99), saved: make(chan string, 999),
	}
	o.Now, o.After = b.clock.Now, b.clock.After
	o.Fault, o.Healed = func(err error) { b.faults <- err }, func() { b.healed <- struct{}{} }
	b.Writer = NewWriter(b.db, o)
	t.Cleanup(b.Close)
	return b
}

// change makes a function that says when its change was stored.
func (b *bench) change(c Change) func() Change {
	c.Saved = func() { b.saved <- string(c.ID) }
	return func() Change { return c }
}

func receive[T any](t *testing.T, what string, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(10 * time.Second):
		t.Fatalf("no %s", what)
		panic("unreachable")
	}
}

func empty[T any](t *testing.T, what string, c <-chan T) {
	t.Helper()
	select {
	case v := <-c:
		t.Errorf("%s: %v", what, v)
	default:
	}
}

// Many changes in 250 ms are one write, of the newest.
func TestWriterPace(t *testing.T) {
	b := newBench(t, WriterOptions{})
	var calls atomic.Int32
	for n := range 50 {
		c := newSession("s_1")
		c.Session.Revision = int64(n)
		write := b.change(c)
		b.Dirty("s_1", func() Change { calls.Add(1); return write() })
	}
	b.clock.advance(t, writeEvery)
	receive(t, "write", b.saved)
	if s := must(b.db.Sessions(t.Context()))(t); calls.Load() != 1 || s[0].Revision != 49 {
		t.Errorf("%d calls, revision %d", calls.Load(), s[0].Revision)
	}
}

// Now writes without a wait, and does not drag the others along.
func TestWriterNow(t *testing.T) {
	b := newBench(t, WriterOptions{})
	b.Dirty("s_1", b.change(newSession("s_1")))
	b.Now("s_2", b.change(newSession("s_2")))
	if first := receive(t, "write", b.saved); first != "s_2" {
		t.Error(first)
	}
	empty(t, "early write", b.saved)
	b.clock.advance(t, writeEvery)
	receive(t, "write", b.saved)
	b.Dirty("s_1", b.change(newSession("s_1")))
	b.Now("s_1", b.change(newSession("s_1"))) // the urgent call hastens the other
	receive(t, "write", b.saved)
}

// A foreign lock: one sentence, tries after 1, 2, 4 … 30 s, then what is true
// by then is stored, and that is said too.
func TestWriterRetry(t *testing.T) {
	b := newBench(t, WriterOptions{})
	b.Now("s_1", b.change(newSession("s_1")))
	receive(t, "write", b.saved)
	other := foreign(t, b.db.path)
	mustExec(t, other, "BEGIN EXCLUSIVE")
	var revision atomic.Int64
	b.Now("s_1", func() Change {
		c := newSession("s_1")
		c.Session.Revision = revision.Add(1)
		return b.change(c)()
	})
	if err := receive(t, "fault", b.faults); !errors.Is(err, ErrLocked) {
		t.Errorf("%v", err)
	}
	for _, seconds := range []int{1, 2, 4, 8, 16, 30} {
		b.Dirty("s_2", b.change(newSession("s_2"))) // waits with the others
		b.clock.advance(t, time.Duration(seconds)*time.Second)
	}
	if s := must(b.db.Sessions(t.Context()))(t); len(s) != 1 { // readers go on
		t.Errorf("%d sessions", len(s))
	}
	empty(t, "healed too early", b.healed)
	// The writer sleeps again before the lock goes: the next try is the seventh.
	b.clock.waits(t, 30*time.Second)
	mustExec(t, other, "ROLLBACK")
	b.clock.advance(t, 30*time.Second)
	receive(t, "write", b.saved)
	receive(t, "write", b.saved)
	receive(t, "healing", b.healed)
	empty(t, "second fault", b.faults)
	empty(t, "second healing", b.healed)
	for _, s := range must(b.db.Sessions(t.Context()))(t) {
		if s.ID == "s_1" && s.Revision != revision.Load() {
			t.Errorf("stored %d, true is %d", s.Revision, revision.Load())
		}
	}
}

// A change that the database refuses holds up nobody else.
func TestWriterPoisonedKey(t *testing.T) {
	b := newBench(t, WriterOptions{})
	b.Now("s_1", b.change(newSession("s_1")))
	receive(t, "write", b.saved)
	var gone atomic.Bool
	b.Now("s_9", func() Change {
		c := Change{ID: "s_9", Items: []session.Item{{Number: 1}}} // of no session
		c.Deleted = gone.Load()
		return b.change(c)()
	})
	receive(t, "fault", b.faults)
	for range 3 {
		b.Now("s_1", b.change(newSession("s_1")))
		receive(t, "write", b.saved)
	}
	gone.Store(true)
	b.clock.advance(t, time.Second)
	receive(t, "write", b.saved)
	receive(t, "healing", b.healed)
}

func TestWriterFlush(t *testing.T) {
	b := newBench(t, WriterOptions{})
	for n := range 20 {
		id := session.ID(fmt.Sprintf("s_%02d", n))
		b.Dirty(string(id), b.change(newSession(id)))
	}
	b.Dirty("nothing", func() Change { return Change{} })
	if err := b.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	for n := range 20 {
		if id := <-b.saved; id != fmt.Sprintf("s_%02d", n) {
			t.Errorf("%s is number %d", id, n)
		}
	}
	if n := b.db.walSize(); n != 0 {
		t.Errorf("a WAL of %d bytes after the flush", n)
	}
	other := foreign(t, b.db.path)
	mustExec(t, other, "BEGIN EXCLUSIVE")
	b.Dirty("s_00", b.change(newSession("s_00")))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := b.Flush(ctx); !errors.Is(err, ErrLocked) && !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	mustExec(t, other, "ROLLBACK")
	if err := b.Flush(t.Context()); err != nil {
		t.Error(err)
	}
	b.Close()
	if err := b.Flush(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// readBeside is a bench with an attempt of s_1, and a program beside it that reads
// until its ROLLBACK.
func readBeside(t *testing.T) (b *bench, other *sql.DB) {
	t.Helper()
	b = newBench(t, WriterOptions{})
	b.Now("s_1", b.change(attached("s_1", history(1, "zq7one"))))
	receive(t, "write", b.saved)
	other = foreign(t, b.db.path)
	mustExec(t, other, "BEGIN")
	_ = count(t, other, "SELECT count(*) FROM session") // a read that stays
	return b, other
}

// After a supersede the WAL is emptied at once; while a reader prevents it,
// again every 30 s.
func TestWriterCheckpoint(t *testing.T) {
	b, other := readBeside(t)
	b.Now("s_1", b.change(attached("s_1", history(2, "two"))))
	receive(t, "write", b.saved)
	b.clock.advance(t, checkpointRetry)
	b.clock.waits(t, checkpointRetry)
	if hits(t, b.db, "zq7one") == 0 {
		t.Error("the reader prevented nothing")
	}
	mustExec(t, other, "ROLLBACK")
	b.clock.advance(t, checkpointRetry)
	if err := b.Flush(t.Context()); err != nil { // the loop has run
		t.Fatal(err)
	}
	if n := hits(t, b.db, "zq7one"); n != 0 {
		t.Errorf("%d hits", n)
	}
}

// What was deleted without the Writer goes the same way.
func TestWriterCheckpointOnRequest(t *testing.T) {
	b, other := readBeside(t)
	if err := b.db.DeleteSession(t.Context(), "s_1"); err != nil {
		t.Fatal(err)
	}
	b.Checkpoint()
	b.clock.waits(t, checkpointRetry)
	if hits(t, b.db, "zq7one") == 0 {
		t.Error("the reader prevented nothing")
	}
	mustExec(t, other, "ROLLBACK")
	b.clock.advance(t, checkpointRetry)
	gone(t, b.db, "zq7one")
}

// A kill between a supersede and its checkpoint: the next start empties the WAL,
// though nothing is written.
func TestWriterCheckpointAfterAKill(t *testing.T) {
	killed := openNew(t)
	save(t, killed, attached("s_1", history(1, "zq7one")))
	save(t, killed, attached("s_1", history(2, "two")))
	folder := t.TempDir()
	for _, ending := range []string{"", "-wal"} { // as they stand in the moment
		b, err := os.ReadFile(killed.path + ending)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, "kandev.db"+ending), b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	db := openAt(t, filepath.Join(folder, "kandev.db"), Options{})
	if !db.Unclean() || hits(t, db, "zq7one") == 0 {
		t.Fatal("nothing is left of the attempt before")
	}
	w := NewWriter(db, WriterOptions{})
	t.Cleanup(w.Close)
	gone(t, db, "zq7one")
}

// gone waits until no byte of a text is left.
func gone(t *testing.T, db *DB, text string) {
	t.Helper()
	for began := time.Now(); hits(t, db, text) > 0; runtime.Gosched() {
		if time.Since(began) > 10*time.Second {
			t.Fatalf("%d hits", hits(t, db, text))
		}
	}
}

package backend

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"kandev/backend/sqlite"
)

// TestWaitSentence: what keeps memory from moving in is named as it is now, and
// only what may go by itself is said to be tried again.
func TestWaitSentence(t *testing.T) {
	for _, c := range []struct {
		err   error
		says  string
		again bool
	}{
		{sqlite.ErrFull, "disk is full", true},
		{sqlite.ErrReadOnly, "cannot be written", true},
		{sqlite.ErrLocked, "Another program holds", true},
		{sqlite.ErrNotDatabase, "cannot be read", false},
		{sqlite.ErrNoWAL, "file system", false},
		{&sqlite.NewerError{Found: 9, Known: 8}, "newer Kandev", false},
		{errors.New("odd"), "cannot be read", false},
	} {
		got := waitSentence(fmt.Errorf("move into the database: %w", c.err))
		if !strings.Contains(got, c.says) || strings.Contains(got, "tries again by itself") != c.again || !strings.Contains(got, "Nothing is saved until") {
			t.Errorf("%v: %q", c.err, got)
		}
	}
}

// TestNotMoved: the banner names the fault of the newest try.
func TestNotMoved(t *testing.T) {
	a := fakeApp(t)
	for _, c := range []struct {
		err  error
		says string
		over bool
	}{
		{sqlite.ErrFull, "disk is full", false},
		{sqlite.ErrLocked, "Another program holds", false},
		{sqlite.ErrChanged, "Another program has changed", true},
	} {
		over := a.notMoved(fmt.Errorf("move into the database: %w", c.err))
		notices := a.Snapshot().Notices
		if over != c.over || len(notices) != 1 || !strings.Contains(notices[0].Text, c.says) {
			t.Errorf("%v: over %v, %+v", c.err, over, notices)
		}
	}
}

// TestForgetAfterMoveIn: while memory stands in for the file, a value that a row
// of the file may name is kept: with the app killed, that row is what is left.
func TestForgetAfterMoveIn(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	change := webServer("web", "http://127.0.0.1:1/mcp", "of the file")
	change.Server.ID = a.saveServer(change)
	a.quit()
	a = openApp(t, home, fakes)
	name := func() string { return a.servers()[0].Headers[0].Secret }
	there := func(name string) bool {
		_, err := a.secrets.Get(t.Context(), name)
		return err == nil
	}
	file := name()
	a.waits = true
	a.memory.Store(true)
	change.Headers[0].Value = "of memory"
	a.saveServer(change)
	memory := name()
	if err := a.DeleteOwnServer(t.Context(), change.Server.ID); err != nil {
		t.Fatal(err)
	}
	if !there(file) || there(memory) {
		t.Errorf("in memory: the file's is there: %v, that of memory: %v", there(file), there(memory))
	}
	if err := a.tryMoveIn(t.Context()); err != nil || there(file) {
		t.Errorf("moved in: it is there: %v (%v)", there(file), err)
	}
}

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

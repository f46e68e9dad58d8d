package sqlite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kandev/backend/session"
)

// What was deleted gives its room back once it is worth the work, and nothing
// else is lost by it.
func TestShrink(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kandev.db")
	db := openAt(t, path, Options{})
	save(t, db, newSession("s_1"))
	big := newSession("s_2")
	for n := range int64(24) {
		big.Items = append(big.Items, session.Item{Number: n + 1, Revision: n + 1, Text: strings.Repeat("é", 256<<10)})
	}
	save(t, db, big)
	sizes := must(db.Sizes(t.Context()))(t)
	if got := sizes["p"]; got < 12<<20 || got > 13<<20 {
		t.Errorf("%d bytes", got)
	}
	size := func() int64 {
		if done, err := db.Checkpoint(t.Context()); !done || err != nil {
			t.Fatal(done, err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	before := size()
	if err := db.Shrink(t.Context()); err != nil || size() != before {
		t.Errorf("with nothing deleted: %d, was %d (%v)", size(), before, err)
	}
	if err := db.DeleteSession(t.Context(), "s_2"); err != nil {
		t.Fatal(err)
	}
	if err := db.Shrink(t.Context()); err != nil || size() > 1<<20 {
		t.Errorf("it has %d bytes, had %d (%v)", size(), before, err)
	}
	if got := sessionsOf(t, db); got != "s_1" {
		t.Errorf("left %q", got)
	}
	if temp, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(temp) > 3 {
		t.Errorf("left beside it: %v", temp)
	}
}

func sessionsOf(t *testing.T, db *DB) string {
	t.Helper()
	var out []string
	for _, s := range must(db.Sessions(t.Context()))(t) {
		out = append(out, string(s.ID))
	}
	return strings.Join(out, " ")
}

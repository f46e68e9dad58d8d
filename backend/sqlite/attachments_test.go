package sqlite

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"kandev/backend/attach"
	"kandev/backend/catalog"
	"kandev/backend/session"
)

func attached(id session.ID, h *attach.History) Change {
	c := newSession(id)
	c.Attachment = h
	return c
}

// The catalog row is written when its bytes changed, and only then.
func TestCatalogOnlyWhenChanged(t *testing.T) {
	path := t.TempDir() + "/kandev.db"
	db := openAt(t, path, Options{})
	h := history(1, "one")
	if save(t, db, attached("s_1", h)) {
		t.Error("a first catalog dropped something")
	}
	mustExec(t, db.writer, `CREATE TRIGGER no_rewrite BEFORE UPDATE ON catalog BEGIN SELECT raise(ABORT, 'rewritten'); END`)
	save(t, db, attached("s_1", h))                 // the same pointer
	save(t, db, attached("s_1", history(1, "one"))) // equal bytes
	closed(t, db)
	db = openAt(t, path, Options{})
	save(t, db, attached("s_1", history(1, "one"))) // nothing is known of the file
	if _, err := db.SaveSession(t.Context(), attached("s_1", history(1, "two"))); err == nil {
		t.Error("other bytes were not written")
	}
	mustExec(t, db.writer, `DROP TRIGGER no_rewrite`)
	if !save(t, db, attached("s_1", history(1, "two"))) {
		t.Error("replaced definitions ask for no checkpoint")
	}
	got := must(db.LoadAttachment(t.Context(), "s_1"))(t)
	same(t, "catalog", got.Current().Servers[0].Catalog, history(1, "two").Current().Servers[0].Catalog)
}

// A failed transaction leaves no wrong memory of what is stored.
func TestCatalogAfterRollback(t *testing.T) {
	db := openNew(t)
	save(t, db, attached("s_1", history(1, "one")))
	two := history(1, "two")
	mustExec(t, db.writer, `CREATE TRIGGER fail AFTER UPDATE ON catalog BEGIN SELECT raise(ABORT, 'no'); END`)
	if _, err := db.SaveSession(t.Context(), attached("s_1", two)); err == nil {
		t.Fatal("no failure")
	}
	mustExec(t, db.writer, `DROP TRIGGER fail`)
	save(t, db, attached("s_1", two))
	same(t, "catalog", must(db.LoadAttachment(t.Context(), "s_1"))(t), *two)
}

// Superseding drops definitions and tool use of the old attempt with the same
// transaction that stores the new one; a fourth attempt drops the first.
func TestSupersede(t *testing.T) {
	db := openNew(t)
	save(t, db, attached("s_1", history(1, "one")))
	second := history(2, "two")
	second.Current().Servers, second.Current().Uses = nil, nil
	if !save(t, db, attached("s_1", second)) {
		t.Error("dropped definitions ask for no checkpoint")
	}
	for _, table := range []string{"catalog", "tool_use"} {
		if n := count(t, db.reader, "SELECT count(*) FROM "+table); n != 0 {
			t.Errorf("%d rows left in %s", n, table)
		}
	}
	fourth := history(4, "four")
	fourth.Attempts = fourth.Attempts[1:]
	save(t, db, attached("s_1", fourth))
	same(t, "history", must(db.LoadAttachment(t.Context(), "s_1"))(t), *fourth)
	shorter := history(4, "four")
	shorter.Attempts = shorter.Attempts[1:]
	shorter.Current().Uses = nil
	save(t, db, attached("s_1", shorter))
	same(t, "uses", must(db.LoadAttachment(t.Context(), "s_1"))(t), *shorter)
}

// After the supersede and a checkpoint no byte of the old definitions is in
// any file of the folder; the same after a delete.
func TestSupersededIsGone(t *testing.T) {
	db := openNew(t)
	const sentinel = "zq7sentinelzq7"
	h := history(1, sentinel)
	for i := range 100 { // over many pages
		h.Current().Servers[0].Catalog.Entries = append(h.Current().Servers[0].Catalog.Entries, catalog.Entry{
			Served: fmt.Sprintf("%s_%d", sentinel, i), Description: strings.Repeat(sentinel, 60),
		})
	}
	c := attached("s_1", h)
	c.Items = []session.Item{{Number: 1, Revision: 1, Text: "other words"}}
	save(t, db, c)
	if _, err := db.Checkpoint(t.Context()); err != nil { // the old ones stand in the database too
		t.Fatal(err)
	}
	if hits(t, db, sentinel) == 0 {
		t.Fatal("the test cannot see definitions")
	}
	save(t, db, attached("s_1", history(2, "new")))
	checkpointed(t, db)
	if n := hits(t, db, sentinel); n != 0 {
		t.Errorf("%d hits after the supersede", n)
	}
	save(t, db, Change{ID: "s_1", Deleted: true})
	checkpointed(t, db)
	if n := hits(t, db, "other words") + hits(t, db, "tool_new"); n != 0 {
		t.Errorf("%d hits after the delete", n)
	}
}

func checkpointed(t testing.TB, db *DB) {
	t.Helper()
	if done, err := db.Checkpoint(t.Context()); err != nil || !done {
		t.Fatalf("checkpoint: %v, %v", done, err)
	}
}

// hits counts a text in every byte of the data folder.
func hits(t testing.TB, db *DB, text string) (n int) {
	t.Helper()
	for _, ending := range []string{"", "-wal", "-shm"} {
		b, err := os.ReadFile(db.path + ending)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		n += strings.Count(string(b), text)
	}
	return n
}

// There is no row of definitions without its attempt, whoever writes.
func TestNoCatalogWithoutAttempt(t *testing.T) {
	db := openNew(t)
	save(t, db, newSession("s_1"))
	for _, query := range []string{
		`INSERT INTO catalog VALUES ('s_1', 'kandev', 'a0', x'00', '{}')`,
		`INSERT INTO tool_use VALUES ('s_1', 'a0', 0, 't', 1, 0, '')`,
		`INSERT INTO attempt VALUES ('s_9', 'a0', 0, '{}')`,
	} {
		if _, err := db.writer.ExecContext(t.Context(), query); err == nil {
			t.Errorf("accepted: %s", query)
		}
	}
}

// Summaries read no catalog: they work without the table.
func TestSummariesReadNoCatalog(t *testing.T) {
	db := openNew(t)
	h := history(3, "w")
	h.CatalogRev = 7
	save(t, db, attached("s_1", h))
	save(t, db, newSession("s_2"))
	mustExec(t, db.writer, `DROP TABLE catalog`)
	mustExec(t, db.writer, `DROP TABLE tool_use`)
	want := history(3, "w")
	want.CatalogRev = 7
	want.Current().Servers[0].Catalog, want.Current().Uses = nil, nil
	same(t, "summaries", must(db.LoadAttachmentSummaries(t.Context()))(t), map[session.ID]attach.History{"s_1": *want})
}

//go:build unix

package sqlite

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// writesMuch is a migration that needs room of its own: about 400 kB.
const writesMuch = `CREATE TABLE extra (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
	WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
	INSERT INTO extra SELECT i, hex(randomblob(1000)) FROM n;`

// TestFullDiskDuringMigration: however much room is left, too little for the backup, for the migration or for its end:
// the answer is ErrFull, the data is as it was, and with room again the migration goes through.
func TestFullDiskDuringMigration(t *testing.T) {
	folder := smallDisk(t, "size=4m")
	path, filler := filepath.Join(folder, "kandev.db"), filepath.Join(folder, "filler")
	want := sample("s_1")
	db := openAt(t, path, Options{})
	save(t, db, want)
	closed(t, db)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	migrations := Options{migrations: later(t, addColumn, writesMuch)}
	for _, free := range []int64{0, 4 << 10, 16 << 10, 64 << 10, 128 << 10, 256 << 10, 384 << 10} {
		fillBut(t, filler, free)
		if _, err := Open(t.Context(), path, migrations); !errors.Is(err, ErrFull) {
			t.Fatalf("with %d bytes free: %v", free, err)
		}
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
		// An older program, or this one with the disk still full next time, finds what was there.
		db := openAt(t, path, Options{})
		same(t, "transcript", must(db.Transcript(t.Context(), "s_1", 0, 0))(t), want.Items)
		same(t, "attachment", must(db.LoadAttachment(t.Context(), "s_1"))(t), *want.Attachment)
		if n := count(t, db.reader, "PRAGMA user_version"); n != schemaNow(t) {
			t.Errorf("with %d bytes free: version %d", free, n)
		}
		closed(t, db)
	}
	if after, err := os.ReadFile(path); err != nil || len(after) != len(before) || !bytes.Equal(after[100:200], before[100:200]) {
		t.Errorf("the file is not what it was: %d bytes, then %d, %v", len(before), len(after), err)
	}
	db = openAt(t, path, migrations)
	same(t, "after the migration", must(db.Transcript(t.Context(), "s_1", 0, 0))(t), want.Items)
	if n := count(t, db.reader, "SELECT count(*) FROM extra"); n != 200 {
		t.Errorf("%d rows of the migration", n)
	}
	closed(t, db)
}

// fillBut fills the disk of a file and then leaves so many bytes free.
func fillBut(t *testing.T, filler string, free int64) {
	t.Helper()
	f, err := os.Create(filler)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	size := int64(0)
	for err == nil {
		var n int
		n, err = f.Write(make([]byte, 4096))
		size += int64(n)
	}
	if err := f.Truncate(max(0, size-free)); err != nil {
		t.Fatal(err)
	}
}

package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"kandev/backend/agent"
	"kandev/backend/plugin"
	"kandev/backend/session"
)

// later is the embedded schema with more scripts after it.
func later(t *testing.T, scripts ...string) fs.FS {
	t.Helper()
	files := fstest.MapFS{}
	for _, name := range scriptNames(t) {
		b, err := fs.ReadFile(embedded(), name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: b}
	}
	for i, s := range scripts {
		files[fmt.Sprintf("migrations/%04d_later.sql", schemaNow(t)+i+1)] = &fstest.MapFile{Data: []byte(s)}
	}
	return files
}

func scriptNames(t *testing.T) []string {
	t.Helper()
	return must(fs.Glob(embedded(), "migrations/*.sql"))(t)
}

// schemaNow is the version of the embedded schema.
func schemaNow(t *testing.T) int {
	t.Helper()
	return len(scriptNames(t))
}

// released is the schema of a version that people have: the first n scripts.
func released(t *testing.T, n int) fs.FS {
	t.Helper()
	files := fstest.MapFS{}
	for _, name := range scriptNames(t)[:n] {
		files[name] = &fstest.MapFile{Data: must(fs.ReadFile(embedded(), name))(t)}
	}
	return files
}

// Sessions of the first schema are read by this one, and written again.
func TestFirstSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kandev.db")
	db := openAt(t, path, Options{migrations: released(t, 1)})
	want := sample("s_1")
	mustExec(t, db.writer, `INSERT INTO project VALUES ('p', 'n', '/p', '', '', 0);
		INSERT INTO task VALUES ('t', 'p', '', 'n', 0, '', '', '', 1, 0, '', '');
		INSERT INTO session VALUES ('s_1', 'p', 't', 'a', 'local', 'stopped', '', 'x', '', 0, 1, 0, '', '', 0)`)
	closed(t, db)
	db = openAt(t, path, Options{})
	if got := must(db.Sessions(t.Context()))(t); len(got) != 1 || got[0].ID != "s_1" || got[0].AgentSession != "" {
		t.Errorf("%+v", got)
	}
	save(t, db, want)
	same(t, "sessions", must(db.Sessions(t.Context()))(t), []session.Session{*want.Session})
}

// Everything that the released schema 3 holds is there after the newer tables
// were added, which begin empty. The backup holds it too, without definitions.
func TestThirdSchema(t *testing.T) {
	path, ctx := filepath.Join(t.TempDir(), "kandev.db"), t.Context()
	db := openAt(t, path, Options{migrations: released(t, 3)})
	want, server := sample("s_1"), filled[agent.OwnServer]()
	save(t, db, want)
	if err := db.SaveServers(ctx, server); err != nil {
		t.Fatal(err)
	}
	closed(t, db)
	if got := must(ReadPlugins(ctx, path))(t); got != nil {
		t.Errorf("plugins of before there were any: %+v", got)
	}
	all := func(db *DB) {
		t.Helper()
		same(t, "sessions", must(db.Sessions(ctx))(t), []session.Session{*want.Session})
		same(t, "transcript", must(db.Transcript(ctx, "s_1", 0, 0))(t), want.Items)
		same(t, "servers", must(db.Servers(ctx))(t), []agent.OwnServer{server})
	}
	db = openAt(t, path, Options{})
	all(db)
	same(t, "attachment", must(db.LoadAttachment(ctx, "s_1"))(t), *want.Attachment)
	if p, c := must(db.Plugins(ctx))(t), must(db.CustomAgents(ctx))(t); len(p)+len(c) != 0 {
		t.Errorf("not empty: %+v, %+v", p, c)
	}
	plugged, own := plugin.Installation{Manifest: plugin.Manifest{ID: "a"}}, filled[agent.Custom]()
	if err := errors.Join(db.SavePlugin(ctx, plugged), db.SaveCustomAgent(ctx, own)); err != nil {
		t.Fatal(err)
	}
	closed(t, db)
	db = openAt(t, path, Options{})
	all(db)
	same(t, "agents", must(db.CustomAgents(ctx))(t), []agent.Custom{own})
	if got := must(db.Plugins(ctx))(t); len(got) != 1 || got[0].Manifest.ID != "a" {
		t.Errorf("plugins: %+v", got)
	}
	all(openAt(t, path+".backup-3", Options{migrations: released(t, 3)}))
}

const addColumn = `ALTER TABLE project ADD COLUMN colour TEXT NOT NULL DEFAULT '';`

func TestMigrateWithBackup(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kandev.db")
	db := openAt(t, path, Options{})
	want := sample("s_1")
	want.Attachment.Current().Servers[0].Catalog.Entries[0].Description = "zq7definition"
	want.Attachment.Current().Uses[0].Tool = "zq7used"
	save(t, db, want)
	if err := db.closePools(); err != nil { // an unclean end: rows may still be in the WAL
		t.Fatal(err)
	}
	db = openAt(t, path, Options{migrations: later(t, addColumn, `CREATE TABLE extra (id INTEGER) STRICT;`)})
	same(t, "after the migration", must(db.LoadAttachment(t.Context(), "s_1"))(t), *want.Attachment)
	if n := count(t, db.reader, "PRAGMA user_version"); n != schemaNow(t)+2 {
		t.Errorf("version %d", n)
	}
	backup := fmt.Sprint(path, ".backup-", schemaNow(t))
	content, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(content), "zq7") {
		t.Error("the backup holds definitions")
	}
	if info, _ := os.Stat(backup); info.Mode().Perm() != fileMode && os.PathSeparator == '/' {
		t.Errorf("mode %v", info.Mode())
	}
	old := openAt(t, backup, Options{}) // the app of before the migration can use it
	same(t, "transcript in the backup", must(old.Transcript(t.Context(), "s_1", 0, 0))(t), want.Items)
	if h := must(old.LoadAttachment(t.Context(), "s_1"))(t); len(h.Attempts) != 2 || h.Current().Servers[0].Catalog != nil {
		t.Errorf("attachment in the backup: %+v", h)
	}
	save(t, old, sample("s_1"))
	closed(t, old)
	closed(t, db)

	db = openAt(t, path, Options{migrations: later(t, addColumn, `CREATE TABLE extra (id INTEGER) STRICT;`, `DROP TABLE extra;`)})
	same(t, "one backup is kept", must(db.backups())(t), []string{fmt.Sprint(path, ".backup-", schemaNow(t)+2)})
	closed(t, db)
}

// A migration that fails leaves the file as it was, at its old version.
func TestFailedMigration(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kandev.db")
	db := openAt(t, path, Options{})
	want := sample("s_1")
	save(t, db, want)
	closed(t, db)
	if _, err := Open(t.Context(), path, Options{migrations: later(t, addColumn, `DROP TABLE nothing;`)}); err == nil {
		t.Fatal("no error")
	}
	db = openAt(t, path, Options{})
	same(t, "projects", must(db.Projects(t.Context()))(t)[0], *want.Project)
	if n := count(t, db.reader, `SELECT count(*) FROM pragma_table_info('project') WHERE name = 'colour'`); n != 0 {
		t.Error("half a migration stayed")
	}
}

func TestMigrationNumbers(t *testing.T) {
	files := fstest.MapFS{"migrations/0002_gap.sql": {Data: []byte("SELECT 1")}}
	if _, err := Open(t.Context(), filepath.Join(t.TempDir(), "a.db"), Options{migrations: files}); err == nil {
		t.Error("a gap was accepted")
	}
}

// A copy that could not be finished is no backup, and nothing is migrated.
func TestBackupFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kandev.db")
	db := openAt(t, path, Options{})
	save(t, db, sample("s_1"))
	closed(t, db)
	_, err := Open(t.Context(), path, Options{migrations: later(t, addColumn), maxPages: 8})
	if !errors.Is(err, ErrFull) {
		t.Errorf("%v", err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("left: %v", entries)
	}
	openAt(t, path, Options{})
}

func TestPruneBackup(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kandev.db")
	closed(t, openAt(t, path, Options{}))
	db := openAt(t, path, Options{migrations: later(t, addColumn)})
	prune := func(now time.Time) int {
		t.Helper()
		if err := db.PruneBackup(t.Context(), now); err != nil {
			t.Fatal(err)
		}
		return len(must(db.backups())(t))
	}
	for day := range keptDays {
		now := epoch.AddDate(0, 0, 3*day) // days without a start do not count
		left := prune(now)
		if want := min(1, keptDays-1-day); left != want {
			t.Errorf("day %d: %d backups, want %d", day+1, left, want)
		}
		if left == 1 && prune(now) != 1 {
			t.Errorf("day %d: a second start of one day counts", day+1)
		}
	}
	if prune(epoch) != 0 {
		t.Error("no backup, and yet one")
	}
}

package backend

import (
	"context"
	"database/sql"
	"encoding/json"
	"net"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"kandev/backend/attach"
	"kandev/backend/question"
	"kandev/backend/session"
	"kandev/backend/sqlite"
)

// foreign is another program's connection to an app's database.
func (a *testApp) foreign() *sql.Conn {
	a.t.Helper()
	db, err := sql.Open("sqlite", a.path(sqlite.FileName))
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() { _ = db.Close() })
	conn, err := db.Conn(context.Background())
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() { _ = conn.Close() })
	a.exec(conn, "PRAGMA busy_timeout = 5000")
	return conn
}

func (a *testApp) exec(conn *sql.Conn, query string) {
	a.t.Helper()
	if _, err := conn.ExecContext(context.Background(), query); err != nil {
		a.t.Fatalf("%s: %v", query, err)
	}
}

func (a *testApp) noticed() bool {
	for _, n := range a.Snapshot().Notices {
		if n.ID == noticeStore {
			return true
		}
	}
	return false
}

// storedRevision is the newest transcript revision in the file.
func (a *testApp) storedRevision(conn *sql.Conn, id session.ID) (n int64) {
	a.t.Helper()
	row := conn.QueryRowContext(context.Background(), "SELECT coalesce(max(revision), 0) FROM transcript WHERE session = ?", string(id))
	if err := row.Scan(&n); err != nil {
		a.t.Fatal(err)
	}
	return n
}

// TestForeignLock: while another program holds the database the window goes on
// and says so; after the release the file has everything and the banner is gone.
func TestForeignLock(t *testing.T) {
	a := fakeApp(t, func(o *Options) { o.store.BusyTimeout = 1500 * time.Millisecond })
	id := a.begin(mannerPlain, "")
	a.inState(id, session.Ready)
	conn, reader := a.foreign(), a.foreign()
	a.exec(conn, "BEGIN EXCLUSIVE")
	a.say(id, "stream")
	for range 3 { // words and lists go on arriving while nothing can be stored
		before, rev := a.row(id).Revision, a.history(id).CatalogRev
		a.until("the window goes on", func() bool { return a.row(id).Revision > before+5 && a.history(id).CatalogRev > rev })
	}
	a.until("the banner", a.noticed)
	seen := a.row(id).Revision
	if stored := a.storedRevision(reader, id); stored >= seen {
		t.Errorf("revision %d is stored through the lock, %d is shown", stored, seen)
	}
	a.exec(conn, "COMMIT")
	released := time.Now()
	a.until("the file has it", func() bool { return a.storedRevision(reader, id) >= seen })
	if took := time.Since(released); took > 2*time.Second {
		t.Errorf("stored %v after the release", took)
	}
	a.until("the banner is gone", func() bool { return !a.noticed() })
}

// TestKill9: an app that is killed while its agent works leaves nothing that
// runs; started again it shows the same attachment, not live, the session as
// interrupted and the question as cancelled.
// Cases 65, 89 and 91.
func TestKill9(t *testing.T) {
	home := t.TempDir()
	cmd, before := appProcess(t, nil, home, "fake-"+mannerPlain, "ask")
	if before.Error != "" || len(before.Snapshot.Questions) != 1 {
		t.Fatalf("%+v", before)
	}
	address, err := url.Parse(before.Attachment.Current().Servers[0].Target)
	if err != nil {
		t.Fatal(err)
	}
	guards, err := filepath.Glob(filepath.Join(home, "run", "*"))
	if err != nil || len(guards) == 0 {
		t.Fatalf("no pid file: %v", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	eventually(t, 10*time.Second, "the guards have removed their files", func() bool { // when their trees are gone
		guards, _ = filepath.Glob(filepath.Join(home, "run", "*"))
		return len(guards) == 0
	})
	if c, err := net.DialTimeout("tcp", address.Host, time.Second); err == nil {
		_ = c.Close()
		t.Error("the port is still held")
	}

	a := openApp(t, home, fakes) // the lock is free
	id := before.Session
	row := a.row(id)
	if row.State != string(session.Interrupted) || row.Waiting != 0 || row.Reason == "" {
		t.Errorf("%+v", row)
	}
	h, _, live, err := a.Attachment(t.Context(), id)
	if err != nil || live || !same(h, before.Attachment) {
		t.Errorf("live %v (%v)\n%s", live, err, difference(text(h), text(before.Attachment)))
	}
	if c := h.Current().Servers[0].Catalog; c == nil || !same(c, before.Catalog) {
		t.Error("another catalog")
	}
	if s := a.builtin(id); s.Status != string(attach.StatusActive) || s.Times.Observed == 0 || s.TokensTotal == nil {
		t.Errorf("%+v", s)
	}
	q := a.bundle(before.Snapshot.Questions[0].ID)
	if q.State != question.Cancelled || q.Reason != endedWithApp {
		t.Errorf("%+v", q)
	}
	if err := a.Answer(q.ID, blue); err == nil {
		t.Error("an answer nobody hears was taken")
	}
	if err := a.StartSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a.inState(id, session.Ready)
}

// TestManyOpenAtBoot: what one session left open is cancelled in whole.
func TestManyOpenAtBoot(t *testing.T) {
	home := t.TempDir()
	cmd, before := appProcess(t, nil, home, "fake-"+mannerPlain, "askmany 16")
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	a := openApp(t, home, fakes)
	for _, q := range before.Snapshot.Questions {
		if got := a.bundle(q.ID); got.State != question.Cancelled {
			t.Errorf("%+v", got)
		}
	}
	if err := a.writer.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if open, err := a.db.OpenQuestions(t.Context()); err != nil || len(open) != 0 {
		t.Errorf("%d open in the file (%v)", len(open), err)
	}
}

func text(v any) string {
	b, _ := json.MarshalIndent(v, "", " ")
	return string(b)
}

package sqlite

import (
	"errors"
	"path/filepath"
	"testing"

	"kandev/backend/agent"
)

// Every field of a server comes back, in the order of adding, also after a
// change and from a second opening; a row that cannot be read costs itself.
func TestServers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kandev.db")
	db, ctx := openAt(t, path, Options{}), t.Context()
	a, b := filled[agent.OwnServer](), agent.OwnServer{ID: "b"}
	if err := db.SaveServers(ctx, a, b); err != nil {
		t.Fatal(err)
	}
	a.Name = "changed"
	if err := db.SaveServers(ctx, a); err != nil {
		t.Fatal(err)
	}
	same(t, "servers", must(db.Servers(ctx))(t), []agent.OwnServer{a, b})
	closed(t, db)
	db = openAt(t, path, Options{})
	mustExec(t, db.writer, `INSERT INTO own_server (id, position, body) VALUES ('c', 9, '{')`)
	got, err := db.Servers(ctx)
	if !errors.Is(err, ErrRow) {
		t.Errorf("a bad row: %v", err)
	}
	same(t, "beside a bad row", got, []agent.OwnServer{a, b})
	for range 2 {
		if err := db.DeleteServer(ctx, a.ID); err != nil {
			t.Fatal(err)
		}
	}
	mustExec(t, db.writer, `DELETE FROM own_server WHERE id = 'c'`)
	same(t, "after delete", must(db.Servers(ctx))(t), []agent.OwnServer{b})
}

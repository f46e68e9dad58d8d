package sqlite

import (
	"errors"
	"path/filepath"
	"testing"

	"kandev/backend/agent"
)

// Every field of an agent comes back, in the order of adding, also after a
// change and from a second opening; a row that cannot be read costs itself.
func TestCustomAgents(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kandev.db")
	db, ctx := openAt(t, path, Options{}), t.Context()
	a, b := filled[agent.Custom](), agent.Custom{ID: "b"}
	for _, c := range []agent.Custom{a, b} {
		if err := db.SaveCustomAgent(ctx, c); err != nil {
			t.Fatal(err)
		}
	}
	a.Name = "changed"
	if err := db.SaveCustomAgent(ctx, a); err != nil {
		t.Fatal(err)
	}
	same(t, "agents", must(db.CustomAgents(ctx))(t), []agent.Custom{a, b})
	closed(t, db)
	db = openAt(t, path, Options{})
	mustExec(t, db.writer, `INSERT INTO custom_agent (id, position, body) VALUES ('c', 9, '{')`)
	got, err := db.CustomAgents(ctx)
	if !errors.Is(err, ErrRow) {
		t.Errorf("a bad row: %v", err)
	}
	same(t, "beside a bad row", got, []agent.Custom{a, b})
	for range 2 {
		if err := db.DeleteCustomAgent(ctx, a.ID); err != nil {
			t.Fatal(err)
		}
	}
	mustExec(t, db.writer, `DELETE FROM custom_agent WHERE id = 'c'`)
	same(t, "after delete", must(db.CustomAgents(ctx))(t), []agent.Custom{b})
}

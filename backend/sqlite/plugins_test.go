package sqlite

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"kandev/backend/plugin"
)

// Plugins come back as they were and in their order; a row that cannot be read
// costs itself. They can be read without opening the database for writing, also
// while somebody has it open.
func TestPlugins(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "a.db")
	if got := must(ReadPlugins(ctx, path))(t); got != nil {
		t.Errorf("of no file: %+v", got)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("reading made a file")
	}
	db := openAt(t, path, Options{})
	row := func(id, version string) plugin.Installation {
		return plugin.Installation{
			Manifest: plugin.Manifest{ID: id, Version: version, Tools: []plugin.Tool{{Name: "t", InputSchema: json.RawMessage(`{"x":"<&>"}`)}}},
			Values:   map[string]string{"k": "v"},
		}
	}
	for _, p := range []plugin.Installation{row("b", "1"), row("a", "1"), row("b", "2")} {
		if err := db.SavePlugin(ctx, p); err != nil {
			t.Fatal(err)
		}
	}
	want := []plugin.Installation{row("b", "2"), row("a", "1")}
	same(t, "plugins", must(db.Plugins(ctx))(t), want)
	same(t, "read beside it", must(ReadPlugins(ctx, path))(t), want)
	mustExec(t, db.writer, `INSERT INTO plugin (id, position, body) VALUES ('c', 9, '{')`)
	got, err := db.Plugins(ctx)
	if !errors.Is(err, ErrRow) {
		t.Errorf("a bad row: %v", err)
	}
	same(t, "beside a bad row", got, want)
	for range 2 {
		if err := db.DeletePlugin(ctx, "b"); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.DeletePlugin(ctx, "c"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(ctx); err != nil {
		t.Fatal(err)
	}
	same(t, "read after it", must(ReadPlugins(ctx, path))(t), want[1:])
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("reading left %v", entries)
	}
	other := filepath.Join(t.TempDir(), "b.db")
	if err := os.WriteFile(other, []byte("not a database, but long enough to be looked at"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadPlugins(ctx, other); !errors.Is(err, ErrNotDatabase) {
		t.Errorf("of something else: %v", err)
	}
}

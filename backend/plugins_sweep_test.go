package backend

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"kandev/backend/plugin"

	"kandev/backend/sqlite"
)

// there puts a file at a path below a folder.
func there(t *testing.T, parts ...string) string {
	t.Helper()
	path := filepath.Join(parts...)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// swept opens a data folder's plugins and waits until what is left over is gone.
func swept(t *testing.T, home string) {
	t.Helper()
	s, err := OpenPlugins(t.Context(), PluginsOptions{Home: home, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	s.wg.Wait()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestSweepTakesOnlyItsOwn: what a person put among the plugins, or linked
// there, is not swept, and nothing behind a link is. What an installation left
// is.
func TestSweepTakesOnlyItsOwn(t *testing.T) {
	home, elsewhere := t.TempDir(), t.TempDir()
	root := filepath.Join(home, pluginsFolder)
	sha := strings.Repeat("ab", 32)
	own := plugin.Folder("acme.gone")
	stays := []string{
		there(t, elsewhere, "dear", "diary.txt"), there(t, elsewhere, sha, "diary.txt"), there(t, elsewhere, halfMark+"1", "diary.txt"),
		there(t, root, "notes", "todo", "list.txt"), there(t, root, "README"), there(t, root, own+"x", sha, moduleName),
		there(t, root, plugin.Folder("acme.kept"), "src", "main.go"),
	}
	goes := []string{there(t, root, own, sha, moduleName), there(t, root, own, halfMark+"123", moduleName)}
	if runtime.GOOS != "windows" {
		for _, link := range []string{filepath.Join(root, "linked"), filepath.Join(root, plugin.Folder("acme.linked")), filepath.Join(root, own, strings.Repeat("cd", 32))} {
			if err := os.Symlink(elsewhere, link); err != nil {
				t.Fatal(err)
			}
		}
	}
	swept(t, home)
	for _, path := range stays {
		if _, err := os.Stat(path); err != nil {
			t.Errorf("swept: %v", err)
		}
	}
	for _, path := range goes {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("left: %s", path)
		}
	}
}

// TestSweepLinkedRoot: a folder of plugins that is a link to another disk works
// like any other, and what else lies there stays.
func TestSweepLinkedRoot(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a right of their own there")
	}
	home, elsewhere := t.TempDir(), t.TempDir()
	diary := there(t, elsewhere, "dear", "diary.txt")
	if err := os.Symlink(elsewhere, filepath.Join(home, pluginsFolder)); err != nil {
		t.Fatal(err)
	}
	swept(t, home)
	if _, err := os.Stat(diary); err != nil {
		t.Error(err)
	}
}

// TestSweepKeepsWhatABadRowNames: a row that this version cannot read may be
// fine for the next one. Its module stays.
func TestSweepKeepsWhatABadRowNames(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	name := a.install(packageFile(t, "acme.row", echoModule(), nil))
	module := filepath.Join(a.plugins.version(name, a.plugin(name).Manifest.Wasm.SHA256), moduleName)
	conn := a.foreign()
	if _, err := conn.ExecContext(context.Background(), `UPDATE plugin SET body = '{"manifest": 7}'`); err != nil {
		t.Fatal(err)
	}
	_ = conn.Close()
	a.quit()
	a = openApp(t, home, fakes)
	if p := a.plugin(name); p.Manifest.ID != "" {
		t.Fatalf("the row was read: %+v", p)
	}
	a.quit()
	swept(t, home)
	if _, err := os.Stat(module); err != nil {
		t.Error(err)
	}
}

// TestSweepWaitsForADatabaseAside: at the second start behind a damaged database
// nothing speaks of it any more. What it names stays as long as it is there.
func TestSweepWaitsForADatabaseAside(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	name := a.install(packageFile(t, "acme.aside", echoModule(), nil))
	module := filepath.Join(a.plugins.version(name, a.plugin(name).Manifest.Wasm.SHA256), moduleName)
	a.quit()
	if err := os.WriteFile(filepath.Join(home, sqlite.FileName), []byte("no database at all, and long enough to be looked at"), 0o600); err != nil {
		t.Fatal(err)
	}
	openApp(t, home, fakes).quit() // sets it aside
	swept(t, home)
	if _, err := os.Stat(module); err != nil {
		t.Fatal(err)
	}
	aside, err := filepath.Glob(filepath.Join(home, sqlite.FileName+".broken-*"))
	if err != nil || len(aside) == 0 {
		t.Fatalf("%q %v", aside, err)
	}
	for _, path := range aside {
		_ = os.Remove(path)
	}
	swept(t, home)
	if _, err := os.Stat(module); err == nil {
		t.Error("what nothing names any more was not swept")
	}
}

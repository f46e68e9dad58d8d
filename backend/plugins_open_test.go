package backend

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kandev/backend/plugin"
	"kandev/backend/wasm/guests"
)

// TestPluginsWithoutTheApp: a command line lists while the app runs and changes
// only when it does not; what it changed is there in the app, and the other way.
func TestPluginsWithoutTheApp(t *testing.T) {
	home := t.TempDir()
	if all, err := ListPlugins(t.Context(), home); err != nil || len(all) != 0 {
		t.Fatalf("an empty folder: %+v %v", all, err)
	}
	if entries, _ := os.ReadDir(home); len(entries) != 0 {
		t.Errorf("listing made %v", entries)
	}
	o := PluginsOptions{Home: home, Version: "test"}
	s, err := OpenPlugins(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenPlugins(t.Context(), o); !isHeld(err) {
		t.Errorf("a second one: %v", err)
	}
	id := putPlugin(t, s, packageFile(t, "acme.line", echoModule(), nil))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if all, err := ListPlugins(t.Context(), home); err != nil || len(all) != 1 || all[0].Status.State != plugin.Enabled || len(all[0].Tools) != 1 {
		t.Errorf("after it: %+v %v", all, err)
	}

	a := openApp(t, home, fakes)
	if p := a.plugin(id); p.Status.State != plugin.Enabled {
		t.Errorf("%+v", p.Status)
	}
	if _, err := OpenPlugins(t.Context(), o); !isHeld(err) {
		t.Errorf("beside the app: %v", err)
	}
	a.disable(id)
	if all, err := ListPlugins(t.Context(), home); err != nil || len(all) != 1 || all[0].Status.State != plugin.Disabled {
		t.Errorf("beside the app: %+v %v", all, err)
	}
}

// putPlugin installs a plugin's file by the command line's way and enables it.
func putPlugin(t *testing.T, s *PluginStore, path string) (id string) {
	t.Helper()
	seen, err := s.InspectPlugin(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if id, err = s.InstallPlugin(t.Context(), path, seen.Digest); err != nil {
		t.Fatal(err)
	}
	if err := s.EnablePlugin(t.Context(), id, seen.Manifest.Permissions.Granted()); err != nil {
		t.Fatal(err)
	}
	return id
}

func isHeld(err error) bool {
	_, held := errors.AsType[*HeldError](err)
	return held
}

// runInstalls installs two versions of a plugin over each other, for ever, and
// says so at each: a process to be killed.
func runInstalls(home string, files []string) int {
	s, err := OpenPlugins(context.Background(), PluginsOptions{Home: home, Version: "test"})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	for n := 0; ; n++ {
		path := files[n%len(files)]
		seen, err := s.InspectPlugin(context.Background(), path)
		if err == nil {
			_, err = s.InstallPlugin(context.Background(), path, seen.Digest)
		}
		fmt.Println("installed", err)
	}
}

// TestKilledInstall: a process that is killed while it installs leaves the old
// version or the new one, whole, and nothing else after the next start.
func TestKilledInstall(t *testing.T) {
	home := t.TempDir()
	padding := make([]byte, 256<<10)
	files := []string{
		packageFile(t, "acme.kill", guests.Of("describe", "call", guests.Echo()).With(padding).Wasm(), nil),
		packageFile(t, "acme.kill", guests.Saying(`{"content":[]}`).Wasm(), map[string]any{"version": "2.0.0"}),
	}
	for round := range 8 {
		killed(t, append([]string{"install", home}, files...), "installed <nil>", 1+round%3, time.Duration(round)*3*time.Millisecond)
		whole(t, home)
	}
}

// whole opens a data folder as the app does and looks at its one plugin.
func whole(t *testing.T, home string) {
	t.Helper()
	s, err := OpenPlugins(t.Context(), PluginsOptions{Home: home, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	all, _, err := s.Plugins(t.Context())
	if err != nil || len(all) != 1 {
		t.Fatalf("%+v %v", all, err)
	}
	if err := s.check(all[0].Installation); err != nil {
		t.Error(err)
	}
	s.wg.Wait() // the sweep
	var files []string
	_ = filepath.WalkDir(filepath.Join(home, pluginsFolder), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if len(files) != 1 || filepath.Base(filepath.Dir(files[0])) != all[0].Manifest.Wasm.SHA256 {
		t.Errorf("%q", files)
	}
}

// TestInstallFails: what cannot be stored is not installed, not enabled and not
// removed, and leaves no file.
func TestInstallFails(t *testing.T) {
	home := t.TempDir()
	s, err := OpenPlugins(t.Context(), PluginsOptions{Home: home, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	install := func(path string) (string, error) {
		seen, err := s.InspectPlugin(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		return s.InstallPlugin(t.Context(), path, seen.Digest)
	}
	id, err := install(packageFile(t, "acme.kept", echoModule(), nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.o.db.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := install(packageFile(t, "acme.new", echoModule(), nil)); err == nil {
		t.Error("installed")
	}
	if _, err := install(packageFile(t, "acme.kept", guests.Saying("{}").Wasm(), nil)); err == nil {
		t.Error("updated")
	}
	row, err := s.get(id)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.EnablePlugin(t.Context(), id, row.Manifest.Permissions.Granted()); err == nil {
		t.Error("enabled")
	}
	if err := s.ConfigurePlugin(t.Context(), id, nil); err == nil {
		t.Error("configured")
	}
	if err := s.RemovePlugin(t.Context(), id); err == nil {
		t.Error("removed")
	}
	if all, _, _ := s.Plugins(t.Context()); len(all) != 1 || all[0].Status.State != plugin.Installed || s.check(all[0].Installation) != nil {
		t.Errorf("%+v", all)
	}
	if modules, _ := filepath.Glob(filepath.Join(home, pluginsFolder, "*", "*")); len(modules) != 1 {
		t.Errorf("%q", modules)
	}
}

package backend

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"kandev/backend/plugin"
)

// runChanges goes through a plugin's whole life for ever, and says so at each
// step: a process to be killed.
func runChanges(home string, files []string) int {
	ctx := context.Background()
	s, err := OpenPlugins(ctx, PluginsOptions{Home: home, Version: "test"})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	const id = "acme.life"
	install := func(path string) error {
		seen, err := s.InspectPlugin(ctx, path)
		if err == nil {
			_, err = s.InstallPlugin(ctx, path, seen.Digest)
		}
		return err
	}
	set := func(values ...PluginValue) error { return s.ConfigurePlugin(ctx, id, values) }
	grant := plugin.Request{MemoryMB: plugin.DefaultMemoryMB, TimeoutMS: plugin.DefaultTimeoutMS}.Granted()
	for {
		fmt.Println("steps", errors.Join(
			install(files[0]), set(PluginValue{Key: "token", Value: "one"}, PluginValue{Key: "key", Value: "two"}), s.EnablePlugin(ctx, id, grant),
			set(PluginValue{Key: "token", Value: "three"}), install(files[1]), set(PluginValue{Key: "key"}), s.DisablePlugin(ctx, id), install(files[0]), s.RemovePlugin(ctx, id)))
	}
}

// TestKilledChanges: a process that is killed anywhere in a plugin's life leaves
// a plugin that is whole or none, and after the next start no file and no secret
// that no row names.
func TestKilledChanges(t *testing.T) {
	home := t.TempDir()
	config := map[string]any{"token": map[string]any{"secret": true}, "key": map[string]any{"secret": true}}
	files := []string{
		packageFile(t, "acme.life", echoModule(), map[string]any{"config": config}),
		packageFile(t, "acme.life", reading("api_lang"), map[string]any{"version": "2.0.0", "config": config}),
	}
	for round := range 12 {
		killed(t, append([]string{"changes", home}, files...), "steps <nil>", 1, time.Duration(round)*7*time.Millisecond)
		consistent(t, home)
	}
}

// killed starts this program with arguments, waits until it has said a sentence
// so many times, and kills it a little later, somewhere in the next step.
func killed(t *testing.T, args []string, says string, times int, after time.Duration) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for range times {
		lines.Scan()
		if lines.Text() != says {
			t.Fatalf("it said %q", lines.Text())
		}
	}
	<-time.After(after) // the moment of the kill, not a wait for something
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
}

// consistent opens a data folder as the next start does, and compares rows,
// files and secrets.
func consistent(t *testing.T, home string) {
	t.Helper()
	s, err := OpenPlugins(t.Context(), PluginsOptions{Home: home, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.wg.Wait() // the sweep
	all, _, err := s.Plugins(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	files, named := map[string]bool{}, map[string]bool{}
	for _, p := range all {
		if err := s.check(p.Installation); err != nil {
			t.Error(err)
		}
		files[filepath.Join(s.version(p.Manifest.ID, p.Manifest.Wasm.SHA256), moduleName)] = true
		for key, name := range p.Secrets {
			named[name] = true
			if _, ok := s.value(t.Context(), p.Manifest.ID, key); !ok {
				t.Errorf("the secret %s is set and not there", key)
			}
		}
	}
	_ = filepath.WalkDir(filepath.Join(home, pluginsFolder), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !files[path] {
			t.Errorf("left: %s", path)
		}
		return err
	})
	b, err := os.ReadFile(filepath.Join(home, secretsName))
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	kept := map[string]string{}
	if err := errors.Join(err, json.Unmarshal(b, &kept)); err != nil {
		t.Fatal(err)
	}
	for name := range kept {
		if !named[name] {
			t.Errorf("a secret that nobody names: %s", name)
		}
	}
}

// TestSweptSecrets: a value of a plugin that no row names goes with the next
// start; values of others stay.
func TestSweptSecrets(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	name := a.install(packageFile(t, "acme.kept", echoModule(), map[string]any{"config": map[string]any{"token": map[string]any{"secret": true}}}))
	if err := a.ConfigurePlugin(t.Context(), name, []PluginValue{{Key: "token", Value: "mine"}}); err != nil {
		t.Fatal(err)
	}
	lost := []string{plugin.Folder(name) + "/v_lost", plugin.Folder("acme.gone") + "/v_lost"}
	stays := []string{a.plugin(name).Secrets["token"], "custom_x/v_1", "p-other/v_1", "p_1"}
	for _, n := range append(lost, stays[1:]...) {
		if err := a.secrets.Set(t.Context(), n, "value"); err != nil {
			t.Fatal(err)
		}
	}
	a.quit()
	a = openApp(t, home, fakes)
	a.quit() // waits for the sweep
	b, err := os.ReadFile(filepath.Join(home, secretsName))
	kept := map[string]string{}
	if err := errors.Join(err, json.Unmarshal(b, &kept)); err != nil {
		t.Fatal(err)
	}
	for _, n := range stays {
		if kept[n] == "" {
			t.Errorf("%s is gone", n)
		}
	}
	if len(kept) != len(stays) {
		t.Errorf("%q", kept)
	}
}

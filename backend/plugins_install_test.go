package backend

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"kandev/backend/plugin"
	"kandev/backend/wasm/guests"
)

// TestInspect: everything a person sees first, and that only a bare module's
// code is run for it.
func TestInspect(t *testing.T) {
	a := fakeApp(t, func(o *Options) { o.Version = "0.1.0" })
	path := packageFile(t, "acme.seen", echoModule(), map[string]any{
		"permissions": map[string]any{"hosts": []string{"api.example.com"}}, "min_app_version": "9.0.0",
		"config": map[string]any{"token": map[string]any{"type": "string", "secret": true, "required": true}},
	})
	seen, err := a.InspectPlugin(t.Context(), path)
	if err != nil || seen.RanCode || seen.Update != nil || len(seen.Tools) != 1 || seen.Tools[0].Estimate == nil {
		t.Fatalf("%+v %v", seen, err)
	}
	if len(seen.Problems) != 1 || !strings.Contains(seen.Problems[0], "needs Kandev Desktop 9.0.0") {
		t.Errorf("%q", seen.Problems)
	}
	if m := seen.Manifest; !slices.Equal(m.Permissions.Hosts, []string{"api.example.com"}) || !slices.Equal(m.Secrets(), []string{"token"}) {
		t.Errorf("%+v", m)
	}
	bare, err := a.InspectPlugin(t.Context(), moduleFile(t, "My Tool", guests.Of("list_tools", "call_tool", guests.Echo()).Wasm()))
	if err != nil || !bare.RanCode || len(bare.Problems) > 0 || bare.Manifest.ID != "my-tool" || bare.Tools[0].Name.Canonical != "kandev_my_tool_echo" {
		t.Errorf("%+v %v", bare, err)
	}
	// Case 15: what it promises of its results is not served, and that is said.
	odd := guests.Describing(`{"tools":[{"name":"echo","description":"d","inputSchema":{"type":"object"},"outputSchema":{"$id":"x"}},{"name":"plain","description":"d","inputSchema":{"type":"object"},"outputSchema":null}]}`).Wasm()
	bare, err = a.InspectPlugin(t.Context(), moduleFile(t, "odd", odd))
	if err != nil || len(bare.Problems) > 0 || !slices.Equal(bare.Manifest.Warnings, []string{`the output schema of "echo" is not served, and its results are not held against it`}) {
		t.Errorf("%q %q %v", bare.Problems, bare.Manifest.Warnings, err)
	}
	missing, err := a.InspectPlugin(t.Context(), packageFile(t, "a", []byte("\x00asm\x01\x00\x00\x00"), nil))
	if err != nil || len(missing.Problems) != 1 || !strings.Contains(missing.Problems[0], "offers no MCP tools") {
		t.Errorf("%q %v", missing.Problems, err)
	}
}

// TestSameBytes: what is installed is what was shown.
func TestSameBytes(t *testing.T) {
	a := fakeApp(t)
	path := packageFile(t, "acme.swap", echoModule(), nil)
	seen, err := a.InspectPlugin(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile(packageFile(t, "acme.swap", echoModule(), map[string]any{"permissions": map[string]any{"hosts": []string{"*"}}}))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, other, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := a.InstallPlugin(t.Context(), path, seen.Digest); !errors.Is(err, ErrPluginChanged) {
		t.Error(err)
	}
	if a.plugin("acme.swap").Manifest.ID != "" {
		t.Error("it is installed all the same")
	}
}

// TestNamesCollide is case 25: two plugins whose tools would share a name, or
// one that looks like ours, are refused at install with both names; what is
// installed and off counts as well. Names are the same at every look (case 29).
func TestNamesCollide(t *testing.T) {
	a := fakeApp(t)
	first := a.install(packageFile(t, "cat.alog", echoModule(), nil))
	name := a.plugin(first).Tools[0].Name.Canonical
	for id, want := range map[string][]string{
		"cat-alog": {`"echo" of plugin cat-alog`, `"echo" of plugin cat.alog`, name},
	} {
		seen, err := a.InspectPlugin(t.Context(), packageFile(t, id, echoModule(), nil))
		if err != nil || len(seen.Problems) != 1 {
			t.Fatalf("%s: %q %v", id, seen.Problems, err)
		}
		for _, part := range want {
			if !strings.Contains(seen.Problems[0], part) {
				t.Errorf("%s: %q lacks %q", id, seen.Problems[0], part)
			}
		}
		if _, err := a.InstallPlugin(t.Context(), seen.Path, seen.Digest); !errors.Is(err, ErrPluginRefused) {
			t.Error(err)
		}
	}
	tools := []any{map[string]any{"name": "x_kandev", "description": "d", "input_schema": map[string]any{"type": "object"}}}
	seen, err := a.InspectPlugin(t.Context(), packageFile(t, "like", echoModule(), map[string]any{"tools": tools}))
	if err != nil || len(seen.Problems) == 0 || !strings.Contains(strings.Join(seen.Problems, " "), "looks like a tool of Kandev") {
		t.Errorf("%q %v", seen.Problems, err)
	}
	a.enable(first)
	if now := a.plugin(first).Tools[0].Name.Canonical; now != name {
		t.Errorf("%s became %s", name, now)
	}
}

// TestUpdate: one that asks for more stays off until that is granted, one that
// does not stays on; the old module is gone, values stay.
func TestUpdate(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	_, c := a.ready()
	config := map[string]any{"lang": map[string]any{"type": "string"}, "token": map[string]any{"secret": true}}
	name := a.install(packageFile(t, "acme.up", echoModule(), map[string]any{"config": config}))
	values := []PluginValue{{Key: "lang", Value: "de"}, {Key: "token", Value: "s3cret"}}
	if err := a.ConfigurePlugin(t.Context(), name, values); err != nil {
		t.Fatal(err)
	}
	a.enable(name)
	c.names()
	next := guests.Saying(`{"content":[{"type":"text","text":"second"}]}`).Wasm()
	a.install(packageFile(t, "acme.up", next, map[string]any{"version": "1.1.0", "config": config}))
	if p := a.plugin(name); p.Status.State != plugin.Enabled || p.Manifest.Version != "1.1.0" || p.Values["lang"] != "de" || p.Secrets["token"] == "" {
		t.Errorf("%+v", p.Installation)
	}
	if text, failed := c.call("kandev_acme_up_echo", nil); failed || text != "second" {
		t.Errorf("%s", text)
	}
	if modules, _ := filepath.Glob(filepath.Join(home, "plugins", "*", "*")); len(modules) != 1 {
		t.Errorf("%q", modules)
	}
	more := map[string]any{"version": "2.0.0", "permissions": map[string]any{"hosts": []string{"example.com"}}}
	path := packageFile(t, "acme.up", next, more)
	seen, err := a.InspectPlugin(t.Context(), path)
	if u := seen.Update; err != nil || u == nil || u.From.Manifest.Version != "1.1.0" || !slices.Equal(u.Asks.Hosts, []string{"example.com"}) || u.After.State != plugin.Disabled || u.Same {
		t.Fatalf("%+v %v", u, err)
	}
	a.install(path)
	p := a.plugin(name)
	if p.Status.Reason != plugin.AsksMore || len(p.Secrets)+len(p.Values) != 0 || !slices.Equal(p.Asks().Hosts, []string{"example.com"}) {
		t.Errorf("%+v", p.Installation)
	}
	if text, failed := c.call("kandev_acme_up_echo", nil); !failed {
		t.Errorf("%s", text)
	}
	if err := a.EnablePlugin(t.Context(), name, *p.Grant); !errors.Is(err, plugin.ErrNotGranted) {
		t.Errorf("enabled with the old grant: %v", err)
	}
	a.enable(name)
	if again, err := a.InspectPlugin(t.Context(), path); err != nil || again.Update == nil || !again.Update.Same {
		t.Errorf("%+v %v", again.Update, err)
	}
}

// TestBareGrants: hosts and values that a person adds to a bare module are
// grants like any other, and stay at an update.
func TestBareGrants(t *testing.T) {
	a := fakeApp(t)
	name := a.install(moduleFile(t, "bare", echoModule()))
	grant := a.plugin(name).Manifest.Permissions.Granted()
	grant.Hosts = []string{"Example.com", "not a host"}
	if err := a.EnablePlugin(t.Context(), name, grant); err == nil || !strings.Contains(err.Error(), "not a host") {
		t.Error(err)
	}
	grant.Hosts = grant.Hosts[:1]
	if err := a.EnablePlugin(t.Context(), name, grant); err != nil {
		t.Fatal(err)
	}
	values := []PluginValue{{Key: "token", Value: "s3cret", Secret: true}, {Key: "lang", Value: "de"}}
	if err := a.ConfigurePlugin(t.Context(), name, values); err != nil {
		t.Fatal(err)
	}
	check := func() {
		t.Helper()
		p := a.plugin(name)
		if !slices.Equal(p.Grant.Hosts, []string{"example.com"}) || !slices.Equal(p.RunsWith().Hosts, []string{"example.com"}) || p.Values["lang"] != "de" || p.Secrets["token"] == "" || len(p.Added) != 2 {
			t.Errorf("%+v", p.Installation)
		}
		if value, ok := a.plugins.value(t.Context(), name, "token"); !ok || value != "s3cret" {
			t.Errorf("%q %v", value, ok)
		}
	}
	check()
	a.install(moduleFile(t, "bare", guests.Saying(`{"content":[]}`).Wasm()))
	check()
	if err := a.ConfigurePlugin(t.Context(), name, []PluginValue{{Key: "token"}}); err != nil {
		t.Fatal(err)
	}
	if p := a.plugin(name); len(p.Secrets) != 0 || len(p.Added) != 1 {
		t.Errorf("%+v", p.Installation)
	}
	packaged := a.install(packageFile(t, "strict", echoModule(), nil))
	wide := a.plugin(packaged).Manifest.Permissions.Granted()
	wide.Hosts, wide.PrivateNetwork = []string{"*"}, true
	if err := a.EnablePlugin(t.Context(), packaged, wide); err != nil {
		t.Fatal(err)
	}
	if p := a.plugin(packaged); len(p.Grant.Hosts) != 0 || p.Grant.PrivateNetwork {
		t.Errorf("it got more than it asks for: %+v", p.Grant)
	}
	if err := a.ConfigurePlugin(t.Context(), packaged, []PluginValue{{Key: "x", Value: "1"}}); !errors.Is(err, ErrPluginValue) {
		t.Error(err)
	}
}

// TestPluginFiles: private folders and files, no secret outside of the store of
// secrets, a changed module is switched off, what is left over goes.
func TestPluginFiles(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	_, c := a.ready()
	name := a.install(packageFile(t, "acme.files", echoModule(), map[string]any{"config": map[string]any{"token": map[string]any{"secret": true}}}))
	if err := a.ConfigurePlugin(t.Context(), name, []PluginValue{{Key: "token", Value: "SENTINEL-5d1f"}}); err != nil {
		t.Fatal(err)
	}
	module := filepath.Join(home, "plugins", plugin.Folder(name), a.plugin(name).Manifest.Wasm.SHA256, "plugin.wasm")
	if err := filepath.WalkDir(filepath.Join(home, "plugins"), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if want := fs.FileMode(0o600); err == nil && runtime.GOOS != "windows" {
			if d.IsDir() {
				want = 0o700
			}
			if info.Mode().Perm() != want {
				t.Errorf("%s has mode %s", d.Name(), info.Mode())
			}
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	a.enable(name)
	c.names()
	if err := os.WriteFile(module, append(echoModule(), 0, 1, 0), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, failed := c.call("kandev_acme_files_echo", nil); !failed || !strings.Contains(text, "changed since it was installed") {
		t.Errorf("%s", text)
	}
	a.until("switched off", func() bool { return a.plugin(name).Status.Reason == plugin.Changed })
	if err := a.EnablePlugin(t.Context(), name, a.plugin(name).Manifest.Permissions.Granted()); !errors.Is(err, plugin.ErrPackage) {
		t.Errorf("enabled: %v", err)
	}
	half := filepath.Join(home, "plugins", plugin.Folder("acme.gone"), ".half-1")
	if err := os.MkdirAll(half, 0o700); err != nil {
		t.Fatal(err)
	}
	a.quit()
	if err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == secretsName {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.Contains(b, []byte("SENTINEL")) {
			t.Errorf("the secret is in %s", d.Name())
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	a = openApp(t, home, fakes)
	a.until("swept", func() bool { _, err := os.Stat(filepath.Dir(half)); return errors.Is(err, fs.ErrNotExist) })
	if _, err := os.Stat(module); err != nil {
		t.Error(err)
	}
	if err := a.RemovePlugin(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(home, secretsName)); err == nil && bytes.Contains(b, []byte("SENTINEL")) {
		t.Error("the secret outlives its plugin")
	}
}

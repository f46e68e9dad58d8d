package backend

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kandev/backend/plugin"
	"kandev/backend/sqlite"
	"kandev/backend/wasm/guests"
)

// reading is a module that answers with the setting of a name.
func reading(key string) []byte {
	name := []byte(key)
	for len(name)%8 != 0 {
		panic("a key of 8 bytes")
	}
	body := guests.Cat(guests.Block(0, int64(len(name))), guests.Get(0), guests.Call(guests.Config), guests.Set(1),
		guests.Get(1), guests.Get(1), guests.Call(guests.Length), guests.Call(guests.Output), guests.Okay)
	return guests.Of("describe", "call", guests.Code(3, body)).With(append(name, make([]byte, 8)...)).Wasm()
}

func saying(text string) string {
	b, _ := json.Marshal(map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}})
	return string(b)
}

// TestValueReachesARunningPlugin: a key that a person adds to a bare module
// while it is enabled is there at its next call; one that is taken away is not.
func TestValueReachesARunningPlugin(t *testing.T) {
	a := fakeApp(t)
	_, c := a.ready()
	name := a.install(moduleFile(t, "reads", reading("api_lang")))
	c.names() // before: a client whose stream is late and that has listed already is not told
	a.enable(name)
	a.until("told that it is on", func() bool { return c.told() > 0 })
	c.names()
	told := c.told()
	c.call("kandev_reads_echo", nil) // it is loaded now
	for _, secret := range []bool{false, true} {
		if err := a.ConfigurePlugin(t.Context(), name, []PluginValue{{Key: "api_lang", Value: saying("de"), Secret: secret}}); err != nil {
			t.Fatal(err)
		}
		if text, failed := c.call("kandev_reads_echo", nil); failed || text != "de" {
			t.Errorf("secret %v: %q", secret, text)
		}
		if err := a.ConfigurePlugin(t.Context(), name, []PluginValue{{Key: "api_lang"}}); err != nil {
			t.Fatal(err)
		}
		if text, failed := c.call("kandev_reads_echo", nil); !failed {
			t.Errorf("forgotten: %q", text)
		}
	}
	if c.told() != told {
		t.Error("the client was told of a setting")
	}
}

// TestOneKeyTwice: of a key that comes twice no value is kept that nobody names.
func TestOneKeyTwice(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	name := a.install(packageFile(t, "acme.twice", echoModule(), map[string]any{"config": map[string]any{"token": map[string]any{"secret": true}}}))
	values := []PluginValue{{Key: "token", Value: "FIRST-1"}, {Key: "token", Value: "SECOND-2"}}
	if err := a.ConfigurePlugin(t.Context(), name, values); err != nil {
		t.Fatal(err)
	}
	if v, _ := a.plugins.value(t.Context(), name, "token"); v != "SECOND-2" {
		t.Errorf("%q", v)
	}
	b, err := os.ReadFile(filepath.Join(home, secretsName))
	if err != nil || strings.Contains(string(b), "FIRST-1") {
		t.Errorf("%v %s", err, b)
	}
}

// TestNothingOfACallIsKept: what a tool was asked and what it answered, also as
// an error, is in no log, no row and no list of the last calls.
func TestNothingOfACallIsKept(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	_, c := a.ready()
	modules := map[string][]byte{
		"echoes": echoModule(), "complains": guests.Complaining("SENTINEL-answer").Wasm(),
		"fails": guests.Saying(`{"content":[{"type":"text","text":"SENTINEL-answer"}],"isError":true}`).Wasm(),
		"traps": guests.Hostile()["trap"].Wasm(), "talks": guests.Hostile()["log-flood"].Wasm(),
	}
	for name, module := range modules {
		a.enable(a.install(packageFile(t, name, module, limited(300*time.Millisecond))))
		text, _ := c.call("kandev_"+name+"_echo", map[string]any{"text": "SENTINEL-asked"})
		if name == "complains" && !strings.Contains(text, "SENTINEL-answer") {
			t.Errorf("%s: %s", name, text)
		}
		for range plugin.LoopFailures {
			c.call("kandev_"+name+"_echo", map[string]any{"text": "SENTINEL-asked"})
		}
		for _, r := range a.plugin(name).Runs {
			if strings.Contains(r.Line+r.Tool, "SENTINEL") {
				t.Errorf("%s: its last calls say %q", name, r.Line)
			}
		}
	}
	a.until("the one that traps is off", func() bool { return a.plugin("traps").Status.Reason == plugin.CrashLoop })
	a.quit()
	if err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == moduleName {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.Contains(b, []byte("SENTINEL")) {
			t.Errorf("it is in %s", path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	a = openApp(t, home, fakes) // off is off, also after a start
	if p := a.plugin("traps"); p.Status.Reason != plugin.CrashLoop || !strings.Contains(p.Status.Detail, "5 failures") {
		t.Errorf("%+v", p.Status)
	}
}

// unwritable puts a database that takes nothing under the plugins, as a disk
// that is full does.
func (a *testApp) unwritable() {
	a.t.Helper()
	db, err := sqlite.Open(a.t.Context(), filepath.Join(a.t.TempDir(), "other.db"), sqlite.Options{})
	if err != nil {
		a.t.Fatal(err)
	}
	if err := db.Close(a.t.Context()); err != nil {
		a.t.Fatal(err)
	}
	a.plugins.o.db = db
}

// TestNothingCanBeStored: without a database a change that gives a plugin more
// is refused and leaves nothing; one that takes it away works all the same, and
// says that it is not stored.
func TestNothingCanBeStored(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	_, c := a.ready()
	on := a.install(packageFile(t, "acme.on", echoModule(), map[string]any{"config": map[string]any{"token": map[string]any{"secret": true}}}))
	off := a.install(packageFile(t, "acme.off", echoModule(), nil))
	a.enable(on)
	c.names()
	before, _ := filepath.Glob(filepath.Join(home, pluginsFolder, "*", "*"))
	db := a.plugins.o.db
	a.unwritable()
	for what, change := range map[string]func() error{
		"enable": func() error {
			return a.EnablePlugin(t.Context(), off, a.plugin(off).Manifest.Permissions.Granted())
		},
		"configure": func() error {
			return a.ConfigurePlugin(t.Context(), on, []PluginValue{{Key: "token", Value: "SENTINEL-9"}})
		},
		"remove": func() error { return a.RemovePlugin(t.Context(), off) },
		"update": func() error {
			path := packageFile(t, "acme.on", guests.Saying(saying("second")).Wasm(), map[string]any{"version": "2.0.0"})
			seen, err := a.InspectPlugin(t.Context(), path)
			if err != nil {
				return nil
			}
			_, err = a.InstallPlugin(t.Context(), path, seen.Digest)
			return err
		},
		"install": func() error {
			path := packageFile(t, "acme.new", guests.Saying(saying("new")).Wasm(), nil)
			seen, err := a.InspectPlugin(t.Context(), path)
			if err != nil {
				return nil
			}
			_, err = a.InstallPlugin(t.Context(), path, seen.Digest)
			return err
		},
	} {
		if err := change(); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	if after, _ := filepath.Glob(filepath.Join(home, pluginsFolder, "*", "*")); len(after) != len(before) {
		t.Errorf("%q became %q", before, after)
	}
	if b, _ := os.ReadFile(filepath.Join(home, secretsName)); strings.Contains(string(b), "SENTINEL-9") {
		t.Error("a secret that nobody names")
	}
	if p := a.plugin(on); p.Status.State != plugin.Enabled || p.Manifest.Version != "1.0.0" || a.plugin(off).Status.State != plugin.Installed || a.plugin("acme.new").Manifest.ID != "" {
		t.Errorf("%+v", p.Status)
	}
	if text, failed := c.call("kandev_acme_on_echo", nil); failed {
		t.Errorf("it runs no more: %s", text)
	}
	if err := a.DisablePlugin(t.Context(), on); err == nil {
		t.Error("disable: it is not said that it was not stored")
	}
	if text, failed := c.call("kandev_acme_on_echo", nil); !failed || a.plugin(on).Status.State != plugin.Disabled {
		t.Errorf("still on: %s %+v", text, a.plugin(on).Status)
	}
	a.plugins.o.db = db
}

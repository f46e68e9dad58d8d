package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const exampleFolder = "../examples/plugins/hello-go"

// The example is what a new plugin begins as, but for its names.
func TestTemplateIsTheExample(t *testing.T) {
	files, err := fillIn(map[string]string{
		"id": "example.hello", "title": "Hello", "command": "hello", "module": "example/hello", "author": "Kandev",
		"description": "Greets somebody. The smallest useful plugin in Go.", "license": "\"license\": \"MIT\",\n  ",
	})
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(exampleFolder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := e.Name(); files[name] == "" && !strings.HasSuffix(name, ".wasm") && !strings.HasSuffix(name, ".zip") {
			t.Errorf("%s of the example has no template", name)
		}
	}
	for name, text := range files {
		have, err := os.ReadFile(filepath.Join(exampleFolder, name))
		if err != nil {
			t.Error(err)
		} else if string(have) != text {
			t.Errorf("cli/template/%s.tmpl and the example's %s differ; change both", strings.TrimPrefix(name, "."), name)
		}
	}
}

var packedIn string // the folder of packed, once it is made

// packed makes a plugin with `plugin new` once a test run, tests it and packs it, as its README says.
var packed = sync.OnceValues(func() (dir string, err error) {
	top, err := os.MkdirTemp("", "plugin-new")
	if err != nil {
		return "", err
	}
	packedIn = top
	dir = filepath.Join(top, "weather.v1")
	var out, errs bytes.Buffer
	if code := runPlugin(nil, []string{"new", dir}, surroundings{out: &out, errs: &errs}); code != exitDone { //nolint:staticcheck // SA1012: new asks no context
		return errs.String(), os.ErrInvalid
	}
	if !strings.Contains(out.String(), "kandev_weather_v1_hello") {
		return out.String(), os.ErrInvalid
	}
	for _, args := range [][]string{{"vet", "."}, {"test", "."}, {"run", "pack.go"}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "CGO_ENABLED=0")
		if text, err := cmd.CombinedOutput(); err != nil {
			return string(text), err
		}
	}
	return dir, nil
})

// newPackage is the .zip of a new plugin, newModule its bare module.
func newPackage(t *testing.T) string {
	t.Helper()
	dir, err := packed()
	if err != nil {
		t.Fatalf("%v: %s", err, dir)
	}
	return filepath.Join(dir, "weather.v1-1.0.0.zip")
}

func newModule(t *testing.T) string {
	t.Helper()
	return filepath.Join(filepath.Dir(newPackage(t)), "plugin.wasm")
}

// What `plugin new` makes is looked at and called as an author does it.
func TestPluginNewWorks(t *testing.T) {
	if raced {
		t.Skip("the interpreter is slow under the race detector; a call has its limit")
	}
	code, out, errs := inspect(t, newPackage(t))
	if code != exitDone || errs != "" || !strings.Contains(out, "kandev_weather_v1_hello") || !strings.Contains(out, "the module was run once and has them") {
		t.Errorf("exit code %d, printed\n%s\nerrors %s", code, out, errs)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{newPackage(t), "hello"}, "Hello, Ada!\n"},
		{[]string{newPackage(t), "hello", "--config", "greeting=Ahoy=you"}, "Ahoy=you, Ada!\n"},
		{[]string{newPackage(t), "hello", "--config", "greeting"}, "Grüß Gott, Ada!\n"},
		{[]string{newModule(t), "hello", "--config=greeting=Ahoy"}, "Ahoy, Ada!\n"},
	} {
		var out, errs bytes.Buffer
		code := runPlugin(t.Context(), append([]string{"call"}, c.args...), surroundings{
			strings.NewReader(`{"name":"Ada"}`), &out, &errs, func(key string) (string, bool) { return "Grüß Gott", key == "greeting" },
		})
		if code != exitDone || out.String() != c.want || errs.Len() > 0 {
			t.Errorf("%q: exit code %d, printed %q, errors %q", c.args, code, &out, &errs)
		}
	}
}

func TestMain(m *testing.M) {
	code := m.Run()
	if packedIn != "" {
		_ = os.RemoveAll(packedIn)
	}
	os.Exit(code)
}

func TestPluginNewRefuses(t *testing.T) {
	there := filepath.Join(t.TempDir(), "there")
	if err := os.Mkdir(there, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		code int
		part string
	}{
		{"nothing", nil, exitUsage, "one folder"},
		{"two", []string{"a", "b"}, exitUsage, "one folder"},
		{"an option", []string{"--force", "a"}, exitUsage, `no option "--force"`},
		{"help", []string{"--help"}, exitDone, "Usage:"},
		{"a folder that is there", []string{there}, exitFailed, "is there already"},
		{"no parent", []string{filepath.Join(there, "no", "weather")}, exitFailed, "no"},
		{"the folder one is in", []string{"."}, exitUsage, "new: \".\" is no name for a new folder\n"},
		{"an id with a quote", []string{filepath.Join(there, `a","name":"b`)}, exitUsage, "id"},
		{"an id with a space", []string{filepath.Join(there, "my plugin")}, exitUsage, "new: the folder's name becomes the plugin's id: id \"my plugin\" has to start"},
		{"an id with an escape", []string{filepath.Join(there, "weather\x1b")}, exitUsage, "id"},
		{"too long", []string{filepath.Join(there, strings.Repeat("a", 65))}, exitUsage, "id"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			code := runPlugin(t.Context(), append([]string{"new"}, c.args...), surroundings{out: &out, errs: &errs})
			if code != c.code || !strings.Contains(out.String()+errs.String(), c.part) || strings.Contains(errs.String(), "\x1b") {
				t.Errorf("exit code %d, printed %q, errors %q", code, &out, &errs)
			}
			if entries, err := os.ReadDir(there); err != nil || len(entries) > 0 {
				t.Errorf("the folder that was there holds %v, %v", entries, err)
			}
		})
	}
}

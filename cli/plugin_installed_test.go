package cli

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kandev/backend"
	"kandev/backend/plugin"
	"kandev/backend/wasm/guests"
)

// machine is a data folder and what is done with it.
type machine struct {
	t    *testing.T
	home string
}

func newMachine(t *testing.T) machine { return machine{t, filepath.Join(t.TempDir(), "home")} }

func (m machine) run(args ...string) (code int, out, errs string) {
	m.t.Helper()
	return m.given("", args...)
}

func (m machine) surroundings(in io.Reader, out, errs io.Writer) surroundings {
	return surroundings{in, out, errs, func(key string) (string, bool) {
		value, ok := map[string]string{"KANDEV_HOME": m.home, "KANDEV_KEYCHAIN": "off"}[key]
		return value, ok
	}}
}

// does runs a command that ends with code 0, and wants every part in what it printed.
func (m machine) does(args []string, parts ...string) string {
	m.t.Helper()
	code, out, errs := m.run(args...)
	if code != exitDone || errs != "" {
		m.t.Fatalf("%q: exit code %d, printed %q, errors %q", args, code, out, errs)
	}
	for _, part := range parts {
		if !strings.Contains(out, part) {
			m.t.Errorf("%q printed no %q but\n%s", args, part, out)
		}
	}
	return out
}

// fails runs a command that ends with a code and says why.
func (m machine) fails(code int, part string, args ...string) string {
	m.t.Helper()
	got, out, errs := m.run(args...)
	if got != code || !strings.Contains(errs, part) {
		m.t.Errorf("%q: exit code %d, errors %q, printed\n%s", args, got, errs, out)
	}
	return out
}

func (m machine) list() []installed {
	m.t.Helper()
	var all []installed
	if err := json.Unmarshal([]byte(m.does([]string{"list", "--json"})), &all); err != nil {
		m.t.Fatal(err)
	}
	return all
}

// A plugin's whole life by command line.
func TestPluginLife(t *testing.T) {
	m := newMachine(t)
	m.does([]string{"list"}, "No plugin is installed.")
	if _, err := os.Stat(m.home); !os.IsNotExist(err) {
		t.Errorf("listing made the data folder: %v", err)
	}
	m.does([]string{"install", sample(t)}, "Installed Weather 1.0.0 (weather.v1).", "kandev_weather_v1_echo", "It is off.")
	if all := m.list(); len(all) != 1 || all[0].State != plugin.Installed || all[0].Granted != nil || !all[0].Asks {
		t.Errorf("%+v", all)
	}
	out := m.fails(exitFailed, "--grant", "enable", "weather.v1")
	if !strings.Contains(out, "asks for\n") || !strings.Contains(out, "  memory          32 MB\n") || m.list()[0].State != plugin.Installed {
		t.Errorf("without --grant it printed\n%s and is %s", out, m.list()[0].State)
	}
	m.does([]string{"enable", "weather.v1", "--grant"}, "is granted", "Enabled.", "  kandev_weather_v1_echo\n")
	m.does([]string{"list"}, "weather.v1  1.0.0       enabled ")
	if one := m.list()[0]; one.State != plugin.Enabled || one.Granted == nil || one.Asks || one.Tools[0].Tokens == nil || one.Tools[0].Name != "echo" {
		t.Errorf("%+v", one)
	}
	m.does([]string{"install", sample(t)}, "is installed already", "It stays enabled.")

	more := changed(t, `"version": "1.0.0"`, `"version": "1.1.0"`)
	m.does([]string{"install", more}, "Updated Weather 1.1.0 (weather.v1) from 1.0.0.", "It stays enabled.")
	more = changed(t, `"hosts": []`, `"hosts": ["api.example.com"]`)
	m.does([]string{"install", more}, "asks for more than was granted")
	m.does([]string{"list"}, "off: asks for more")
	if out := m.fails(exitFailed, "--grant", "enable", "weather.v1"); !strings.Contains(out, "api.example.com  (new)") || strings.Contains(out, "MB  (new)") {
		t.Errorf("printed\n%s", out)
	}
	m.does([]string{"enable", "--grant", "weather.v1"}, "Enabled.")
	m.does([]string{"disable", "weather.v1"}, "is off")
	if one := m.list()[0]; one.State != plugin.Disabled || one.Reason != plugin.ByPerson || len(one.Granted.Hosts) != 1 {
		t.Errorf("%+v", one)
	}
	m.does([]string{"remove", "weather.v1"}, "weather.v1 is removed.")
	if all := m.list(); len(all) != 0 {
		t.Errorf("%+v", all)
	}
	m.fails(exitFailed, "no plugin with this id", "remove", "weather.v1")
}

func TestPluginBareModule(t *testing.T) {
	m := newMachine(t)
	m.does([]string{"install", bare(t)}, "Its description was run once")
	m.fails(exitUsage, "https://a.example", "enable", "plugin", "--grant", "--allow-host", "https://a.example")
	out := m.does([]string{"enable", "plugin", "--grant", "--json", "--allow-host", "*.Example.com", "--private-network"})
	var one installed
	if err := json.Unmarshal([]byte(out), &one); err != nil || !one.Bare || one.Granted == nil || !one.Granted.PrivateNetwork || len(one.Granted.Hosts) != 1 || one.Granted.Hosts[0] != "*.example.com" {
		t.Errorf("%v, %+v", err, one)
	}
	m.does([]string{"disable", "plugin"})
	m.does([]string{"enable", "plugin", "--grant"}, "*.example.com") // as it was granted before

	other := guests.Describing(`{"tools":[{"name":"other","description":"d","inputSchema":{"type":"object"}}]}`).Wasm()
	m.fails(exitFailed, "none of its tools (echo)", "install", write(t, "plugin.wasm", other))
	newer := guests.Saying(`{"content":[]}`).Wasm()
	m.does([]string{"install", write(t, "plugin.wasm", newer)}, "took the place of the installed one, whose sha256 was "+one.SHA256, "What was granted and set stays.", "It stays enabled.")
}

// What changes something needs the app to be closed; the list does not.
func TestPluginWhileTheAppRuns(t *testing.T) {
	m := newMachine(t)
	m.does([]string{"install", sample(t)})
	app, err := backend.OpenPlugins(t.Context(), backend.PluginsOptions{Home: m.home, Version: Version()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := app.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, args := range [][]string{{"install", sample(t)}, {"enable", "weather.v1", "--grant"}, {"disable", "weather.v1"}, {"remove", "weather.v1"}, {"configure", "weather.v1", "greeting=x"}} {
		if out := m.fails(exitFailed, "Close Kandev Desktop first", args...); out != "" {
			t.Errorf("%q printed %q", args, out)
		}
	}
	m.does([]string{"list"}, "weather.v1", "not enabled yet")
}

func TestPluginInstalledArguments(t *testing.T) {
	m := newMachine(t)
	for _, c := range []struct {
		args []string
		code int
		part string // of what was printed
	}{
		{[]string{"list", "x"}, exitUsage, "takes no arguments"},
		{[]string{"list", "--help"}, exitDone, "Usage:"},
		{[]string{"install"}, exitUsage, "one file"},
		{[]string{"install", "--help"}, exitDone, "Usage:"},
		{[]string{"install", "no\x1bfile.zip"}, exitUsage, `no\x1bfile`},
		{[]string{"enable"}, exitUsage, "id of one plugin"},
		{[]string{"enable", "--help"}, exitDone, "--grant"},
		{[]string{"enable", "a", "--force"}, exitUsage, `no option "--force"`},
		{[]string{"disable", "a", "b"}, exitUsage, "id of one plugin"},
		{[]string{"disable", "--help"}, exitDone, "Usage:"},
		{[]string{"remove"}, exitUsage, "id of one plugin"},
		{[]string{"configure"}, exitUsage, "id of one plugin"},
		{[]string{"configure", "--help"}, exitDone, "Usage:"},
		{[]string{"remove", "--help"}, exitDone, "Usage:"},
	} {
		code, out, errs := m.run(c.args...)
		if code != c.code || !strings.Contains(out+errs, c.part) || strings.Contains(errs, "\x1b") || (errs != "") != (code != exitDone) {
			t.Errorf("%q: exit code %d, printed %q, errors %q", c.args, code, out, errs)
		}
	}
	if _, err := os.Stat(m.home); !os.IsNotExist(err) {
		t.Errorf("a command line that was not understood made the data folder: %v", err)
	}
}

func TestPluginInstallRefuses(t *testing.T) {
	m := newMachine(t)
	m.fails(exitFailed, "neither a .zip", "install", write(t, "a.zip", []byte("hello")))
	m.fails(exitFailed, "looks like a tool of Kandev", "install", changed(t, `"name": "echo"`, `"name": "echo_kandev"`))
	m.does([]string{"install", sample(t)})
	m.fails(exitFailed, "for modules without a plugin.json", "enable", "weather.v1", "--grant", "--allow-host", "a.example")
	m.fails(exitFailed, "kandev_weather_v1_echo", "install", changed(t, `"id": "weather.v1"`, `"id": "weather-v1"`))
	if all := m.list(); len(all) != 1 || all[0].State != plugin.Installed {
		t.Errorf("%+v", all)
	}
}

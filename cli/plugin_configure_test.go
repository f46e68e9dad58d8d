package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kandev/backend"
)

// given runs a command with a text on standard input.
func (m machine) given(stdin string, args ...string) (code int, out, errs string) {
	m.t.Helper()
	var o, e bytes.Buffer
	code = runPlugin(m.t.Context(), args, m.surroundings(strings.NewReader(stdin), &o, &e))
	return code, o.String(), e.String()
}

// settled is a machine with the sample and settings of three kinds.
func settled(t *testing.T) machine {
	t.Helper()
	m := newMachine(t)
	m.does([]string{"install", changed(t, `"config": {`, `"config": {
    "token": {"type": "string", "title": "API token", "secret": true, "required": true}, "level": {"type": "integer"},`)})
	return m
}

// kept is what the data folder holds of a plugin's values, and of its secrets.
func (m machine) kept(id string) (values map[string]string, secrets string) {
	m.t.Helper()
	all, err := backend.ListPlugins(m.t.Context(), m.home)
	if err != nil {
		m.t.Fatal(err)
	}
	for _, p := range all {
		if p.Manifest.ID == id {
			values = p.Values
		}
	}
	file, err := os.ReadFile(filepath.Join(m.home, "secrets.json"))
	if err != nil && !os.IsNotExist(err) {
		m.t.Fatal(err)
	}
	return values, string(file)
}

func TestPluginConfigure(t *testing.T) {
	m := settled(t)
	m.does([]string{"configure", "weather.v1"}, "Settings of Weather 1.0.0 (weather.v1)", "  greeting        not set", "  token           not set (secret, required)")
	m.does([]string{"configure", "weather.v1", "greeting=Ahoy = hello", "level=3"}, "  greeting        Ahoy = hello\n", "  level           3 (integer)\n")

	code, out, errs := m.given("S3NT-1\r\n", "configure", "weather.v1", "--secret", "token")
	if code != exitDone || !strings.Contains(out, "  token           set (secret, required)\n") || !strings.Contains(out, "unencrypted in a file that only your user can read") || strings.Contains(out+errs, "S3NT") {
		t.Errorf("exit code %d, printed %q, errors %q", code, out, errs)
	}
	values, secrets := m.kept("weather.v1")
	if values["greeting"] != "Ahoy = hello" || values["level"] != "3" || !strings.Contains(secrets, `"S3NT-1"`) {
		t.Errorf("%q, %s", values, secrets)
	}
	out = m.does([]string{"configure", "--json", "--secret-file", "token=" + write(t, "token", []byte("S3NT-2\nsecond line\n")), "weather.v1"})
	var one installed
	if err := json.Unmarshal([]byte(out), &one); err != nil || len(one.Settings) != 3 || !one.Settings[2].Set || !one.Settings[2].Secret || len(one.Missing) != 0 || strings.Contains(out, "S3NT") || strings.Contains(out, "Ahoy") {
		t.Errorf("%v, %s", err, out)
	}
	if _, secrets := m.kept("weather.v1"); !strings.Contains(secrets, `"S3NT-2\nsecond line"`) || strings.Contains(secrets, "S3NT-1") {
		t.Error(secrets)
	}
	m.does([]string{"configure", "weather.v1", "--forget", "token", "greeting="}, "  greeting        not set\n", "  token           not set", "  level           3")
	if values, secrets := m.kept("weather.v1"); len(values) != 1 || strings.Contains(secrets, "S3NT") {
		t.Errorf("%q, %s", values, secrets)
	}
}

// What is refused changes nothing, also not what stands beside it, and no value is in what is printed.
func TestPluginConfigureRefuses(t *testing.T) {
	m := settled(t)
	long := strings.Repeat("S3NT", 1000)
	for _, c := range []struct {
		stdin string
		args  []string
		code  int
		says  string
	}{
		{"", []string{"token=S3NT"}, exitFailed, "token is a secret, and others can read a command line: give it with --secret token on standard input"},
		{"", []string{"token="}, exitFailed, "--forget token"},
		{"", []string{"greeting=S3NT", "level=S3NT"}, exitFailed, "level has to be a value of type integer"},
		{"", []string{"greeting=S3NT", "nobody=S3NT"}, exitFailed, `no value "nobody"`},
		{"", []string{"greeting=S3NT", "--forget", "nobody"}, exitFailed, `no value "nobody"`},
		{"S3NT", []string{"--secret", "greeting"}, exitFailed, "greeting is no secret"},
		{long, []string{"--secret", "token"}, exitFailed, "longer than 2,560 bytes"},
		{"", []string{"--secret", "token"}, exitUsage, "holds nothing"},
		{"\n", []string{"--secret", "token"}, exitUsage, "holds nothing"},
		{"S3NT\x00S3NT", []string{"--secret", "token"}, exitUsage, "is not text"},
		{"S3NT\xff", []string{"--secret", "token"}, exitUsage, "is not text"},
		{"S3NT", []string{"--secret", "a", "--secret", "b"}, exitUsage, "holds one value"},
		{"S3NT", []string{"--secret", "token", "--forget", "token"}, exitUsage, "token is given twice"},
		{"", []string{"greeting=S3NT", "greeting=S3NT"}, exitUsage, "greeting is given twice"},
		{"", []string{"greeting"}, exitUsage, "KEY=VALUE"},
		{"", []string{"=S3NT"}, exitUsage, "KEY=VALUE"},
		{"", []string{"--secret-file", "token"}, exitUsage, "KEY=FILE"},
		{"", []string{"--secret-file", "token=" + t.TempDir()}, exitUsage, "is not a file"},
	} {
		code, out, errs := m.given(c.stdin, append([]string{"configure", "weather.v1"}, c.args...)...)
		if code != c.code || !strings.Contains(errs, c.says) || strings.Contains(out+errs, "S3NT") {
			t.Errorf("%.60q: exit code %d, printed %.300q, errors %.300q; want %q", c.args, code, out, errs, c.says)
		}
	}
	if values, secrets := m.kept("weather.v1"); len(values) != 0 || strings.Contains(secrets, "S3NT") {
		t.Errorf("%q, %s", values, secrets)
	}
	m.fails(exitFailed, "no plugin with this id", "configure", "nobody", "a=b")
	m.does([]string{"list"}, "    required and not set: token\n")
	m.does([]string{"enable", "weather.v1", "--grant"}, "Its setting token is required and not set: kandev-desktop plugin configure weather.v1")
}

// A module without a plugin.json takes settings that it never declared, as in the window.
func TestPluginConfigureBare(t *testing.T) {
	m := newMachine(t)
	m.does([]string{"install", bare(t)})
	m.does([]string{"configure", "plugin"}, "It declares no settings.")
	code, out, errs := m.given("S3NT", "configure", "plugin", "--secret", "token", "lang=de")
	if code != exitDone || !strings.Contains(out, "  lang            de\n") || !strings.Contains(out, "  token           set (secret)\n") {
		t.Errorf("exit code %d, printed %q, errors %q", code, out, errs)
	}
	if code, _, errs := m.given("S3NT", "configure", "plugin", "--secret", "lang"); code != exitFailed || !strings.Contains(errs, "lang is no secret") {
		t.Errorf("exit code %d, %s", code, errs)
	}
	m.fails(exitFailed, "a key may hold", "configure", "plugin", "a b=c")
	m.does([]string{"configure", "plugin", "lang=", "--forget", "token"}, "It declares no settings.")
}

// Standard input that nobody closes ends with the command, not the other way round.
func TestPluginInputIsInterrupted(t *testing.T) {
	for _, args := range [][]string{{"configure", "weather.v1", "--secret", "token"}, {"call", sample(t), "echo"}} {
		never, writer := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		m := newMachine(t)
		var o, e bytes.Buffer
		ended := make(chan int, 1)
		go func() { ended <- runPlugin(ctx, args, m.surroundings(never, &o, &e)) }()
		go func() { _, _ = writer.Write([]byte("{")); cancel() }() // it is read: the command waits for more
		select {
		case code := <-ended:
			if code == exitDone || !strings.Contains(e.String(), "interrupted") {
				t.Errorf("%q: exit code %d, errors %q", args, code, e.String())
			}
		case <-time.After(20 * time.Second):
			t.Errorf("%q hangs", args)
		}
		_ = writer.Close()
	}
}

package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestPluginCall(t *testing.T) {
	environment := func(key string) (string, bool) { return "Grüß Gott", key == "greeting" }
	slow := changed(t, `"timeout_ms": 5000`, `"timeout_ms": 60000`) // the machine may be busy
	secret := changed(t, `"greeting": {"type": "string"`, `"token": {"type":"string","secret":true,"required":true}, "times": {"type":"integer"}, "greeting": {"type": "string"`)
	asking := changed(t, `"hosts": []`, `"hosts": ["api.example.com"]`)
	for _, c := range []struct {
		name, in  string
		args      []string
		code      int
		out, errs string // out is all of it; errs a part, or nothing
	}{
		{"its own name", `{"name":"Ada"}`, []string{slow, "hello"}, exitDone, "Hello, Ada!\n", ""},
		{"the served name", `{"name":"Ada"}`, []string{slow, "kandev_weather_v1_hello"}, exitDone, "Hello, Ada!\n", ""},
		{"a setting", `{"name":"Ada"}`, []string{"--config", "greeting=Ahoy=you", slow, "hello"}, exitDone, "Ahoy=you, Ada!\n", ""},
		{"a setting of the environment", `{"name":"Ada"}`, []string{slow, "hello", "--config=greeting"}, exitDone, "Grüß Gott, Ada!\n", ""},
		{"a bare module", `{"name":"Ada"}`, []string{newModule(t), "hello", "--config", "greeting=Ahoy"}, exitDone, "Ahoy, Ada!\n", ""},
		{"what a terminal would obey", `{"name":"A\u001b[2J\nda\\"}`, []string{slow, "hello"}, exitDone, "Hello, A\\x1b[2J\nda\\!\n", ""},
		{"hosts that are missing and too many", `{"name":"Ada"}`, []string{asking, "hello", "--allow-host", "Other.example", "--private-network"}, exitDone, "Hello, Ada!\n", "does not ask for the host other.example"},
		{"a required setting that is missing", `{"name":"Ada"}`, []string{secret, "hello"}, exitDone, "Hello, Ada!\n", "the setting token is required and not set"},

		{"arguments that do not fit", `{"nam":"Ada"}`, []string{slow, "hello"}, exitFailed, "", "name"},
		{"no arguments", " \n", []string{slow, "hello"}, exitFailed, "", "name"},
		{"a module that offers nothing", "", []string{write(t, "d.wasm", []byte("\x00asm\x01\x00\x00\x00")), "hello"}, exitFailed, "", "offers no MCP tools"},
		{"no plugin", "", []string{write(t, "a.zip", []byte("hello")), "hello"}, exitFailed, "", "neither a .zip"},
		{"a tool that is declared and not there", "", []string{changed(t, `"tools": [`, `"tools": [{"name":"bye","description":"x","input_schema":{"type":"object"}},`), "bye"}, exitFailed, "", "does not have it"},

		{"no such tool", "", []string{slow, "bye"}, exitUsage, "", "it has hello"},
		{"no file", "", []string{"nothing.zip", "hello"}, exitUsage, "", "nothing.zip"},
		{"no tool named", "", []string{slow}, exitUsage, "", "are needed"},
		{"arguments that are a list", `[1]`, []string{slow, "hello"}, exitUsage, "", "not one JSON object"},
		{"arguments that are null", `null`, []string{slow, "hello"}, exitUsage, "", "not one JSON object"},
		{"two objects", `{}{}`, []string{slow, "hello"}, exitUsage, "", "not one JSON object"},
		{"too much", `{"name":"` + strings.Repeat("x", maxArguments) + `"}`, []string{slow, "hello"}, exitUsage, "", "more than 4.0 MiB"},
		{"a setting that is not declared", `{}`, []string{slow, "hello", "--config", "key=s3cret"}, exitUsage, "", "declares no setting"},
		{"a setting of another type", `{}`, []string{secret, "hello", "--config", "times=s3cret"}, exitUsage, "", "times has to be a value of type integer"},
		{"a setting that is not in the environment", `{}`, []string{slow, "hello", "--config", "other"}, exitUsage, "", "no environment variable"},
		{"a host that is none", `{}`, []string{slow, "hello", "--allow-host", "https://a.example/"}, exitUsage, "", "host"},
		{"an option without its value", `{}`, []string{slow, "hello", "--config"}, exitUsage, "", "--config needs a value"},
		{"help", "", []string{"--help"}, exitDone, pluginCallUsage, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			code := runPlugin(t.Context(), append([]string{"call"}, c.args...), surroundings{strings.NewReader(c.in), &out, &errs, environment})
			if code != c.code || out.String() != c.out || !strings.Contains(errs.String(), c.errs) || (c.errs == "") != (errs.Len() == 0) {
				t.Errorf("exit code %d, printed %q, errors %q", code, &out, &errs)
			}
			if strings.Contains(errs.String(), "s3cret") || strings.Contains(errs.String(), "\x1b") {
				t.Errorf("errors %q", &errs)
			}
		})
	}
}

func TestPluginCallJSON(t *testing.T) {
	type answer struct {
		Tool    string `json:"tool"`
		IsError bool   `json:"is_error"`
		Text    string
		TookMS  *int `json:"took_ms"`
	}
	for _, c := range []struct {
		in   string
		code int
		text string
	}{
		{`{"name":"A\u001bda"}`, exitDone, "Hello, A\x1bda!"},
		{`{}`, exitFailed, "name"},
	} {
		var out, errs bytes.Buffer
		code := runPlugin(t.Context(), []string{"call", "--json", newPackage(t), "hello"}, surroundings{in: strings.NewReader(c.in), out: &out, errs: &errs})
		var got answer
		if err := json.Unmarshal(out.Bytes(), &got); err != nil || code != c.code || errs.Len() > 0 {
			t.Fatalf("%v, exit code %d, printed %q, errors %q", err, code, &out, &errs)
		}
		if got.Tool != "kandev_weather_v1_hello" || got.IsError != (c.code != exitDone) || !strings.Contains(got.Text, c.text) || got.TookMS == nil || strings.Contains(out.String(), "\x1b") {
			t.Errorf("%+v, %q", got, &out)
		}
	}
}

func TestPluginCallInput(t *testing.T) {
	var out, errs bytes.Buffer
	s := surroundings{in: iotest.ErrReader(errors.New("broken\x1b")), out: &out, errs: &errs}
	if code := runPlugin(t.Context(), []string{"call", newPackage(t), "hello"}, s); code != exitUsage || !strings.Contains(errs.String(), `broken\x1b`) {
		t.Errorf("exit code %d, errors %q", code, &errs)
	}
	r, w := io.Pipe()
	_ = r.CloseWithError(errors.New("disk full"))
	errs.Reset()
	s = surroundings{in: strings.NewReader(`{"name":"Ada"}`), out: w, errs: &errs}
	if code := runPlugin(t.Context(), []string{"call", newPackage(t), "hello"}, s); code != exitFailed || !strings.Contains(errs.String(), "disk full") {
		t.Errorf("exit code %d, errors %q", code, &errs)
	}
}

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
	plain := sample(t)
	secret := changed(t, `"greeting": {"type": "string"`, `"token": {"type":"string","secret":true,"required":true}, "times": {"type":"integer"}, "greeting": {"type": "string"`)
	asking := changed(t, `"hosts": []`, `"hosts": ["api.example.com"]`)
	const called = `{"method":"tools/call","params":{"name":"echo","arguments":{"text":"Ada"}}}` + "\n"
	for _, c := range []struct {
		name, in  string
		args      []string
		code      int
		out, errs string // out is all of it; errs a part, or nothing
	}{
		{"its own name", `{"text":"Ada"}`, []string{plain, "echo"}, exitDone, called, ""},
		{"the served name", `{"text":"Ada"}`, []string{plain, "kandev_weather_v1_echo"}, exitDone, called, ""},
		{"settings", `{"text":"Ada"}`, []string{"--config", "greeting=Ahoy=you", plain, "echo", "--config=greeting"}, exitDone, called, ""},
		{"a bare module", `{"text":"Ada"}`, []string{bare(t), "echo", "--config", "any=Ahoy"}, exitDone, called, ""},
		{"what a terminal would obey", "{\"text\":\"A\u009b\u202e\\\\\"}", []string{plain, "echo"}, exitDone, `{"method":"tools/call","params":{"name":"echo","arguments":{"text":"A\u009b\u202e\\"}}}` + "\n", ""},
		{"hosts that are missing and too many", `{"text":"Ada"}`, []string{asking, "echo", "--allow-host", "Other.example", "--private-network"}, exitDone, called, "does not ask for the host other.example"},
		{"a required setting that is missing", `{"text":"Ada"}`, []string{secret, "echo"}, exitDone, called, "the setting token is required and not set"},

		{"arguments that do not fit", `{"tex":"Ada"}`, []string{plain, "echo"}, exitFailed, "", "text"},
		{"no arguments", " \n", []string{plain, "echo"}, exitFailed, "", "text"},
		{"a module that offers nothing", "", []string{write(t, "d.wasm", []byte("\x00asm\x01\x00\x00\x00")), "hello"}, exitFailed, "", "offers no MCP tools"},
		{"no plugin", "", []string{write(t, "a.zip", []byte("hello")), "hello"}, exitFailed, "", "neither a .zip"},
		{"a tool that is declared and not there", "", []string{changed(t, `"tools": [`, `"tools": [{"name":"bye","description":"x","input_schema":{"type":"object"}},`), "bye"}, exitFailed, "", "does not have it"},

		{"no such tool", "", []string{plain, "bye"}, exitUsage, "", "it has echo"},
		{"no file", "", []string{"nothing.zip", "echo"}, exitUsage, "", "nothing.zip"},
		{"no tool named", "", []string{plain}, exitUsage, "", "are needed"},
		{"arguments that are a list", `[1]`, []string{plain, "echo"}, exitUsage, "", "not one JSON object"},
		{"arguments that are null", `null`, []string{plain, "echo"}, exitUsage, "", "not one JSON object"},
		{"two objects", `{}{}`, []string{plain, "echo"}, exitUsage, "", "not one JSON object"},
		{"too much", `{"text":"` + strings.Repeat("x", maxArguments) + `"}`, []string{plain, "echo"}, exitUsage, "", "more than 4.0 MiB"},
		{"a setting that is not declared", `{}`, []string{plain, "echo", "--config", "key=s3cret"}, exitUsage, "", "declares no setting"},
		{"a setting of another type", `{}`, []string{secret, "echo", "--config", "times=s3cret"}, exitUsage, "", "times has to be a value of type integer"},
		{"a setting that is not in the environment", `{}`, []string{plain, "echo", "--config", "other"}, exitUsage, "", "no environment variable"},
		{"a host that is none", `{}`, []string{plain, "echo", "--allow-host", "https://a.example/"}, exitUsage, "", "host"},
		{"an option without its value", `{}`, []string{plain, "echo", "--config"}, exitUsage, "", "--config needs a value"},
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
		{"{\"text\":\"A\u202eda\"}", exitDone, "\"text\":\"A\u202eda\""},
		{`{}`, exitFailed, "text"},
	} {
		var out, errs bytes.Buffer
		code := runPlugin(t.Context(), []string{"call", "--json", sample(t), "echo"}, surroundings{in: strings.NewReader(c.in), out: &out, errs: &errs})
		var got answer
		if err := json.Unmarshal(out.Bytes(), &got); err != nil || code != c.code || errs.Len() > 0 {
			t.Fatalf("%v, exit code %d, printed %q, errors %q", err, code, &out, &errs)
		}
		if got.Tool != "kandev_weather_v1_echo" || got.IsError != (c.code != exitDone) || !strings.Contains(got.Text, c.text) || got.TookMS == nil || strings.Contains(out.String(), "\u202e") {
			t.Errorf("%+v, %q", got, &out)
		}
	}
}

func TestPluginCallInput(t *testing.T) {
	var out, errs bytes.Buffer
	s := surroundings{in: iotest.ErrReader(errors.New("broken\x1b")), out: &out, errs: &errs}
	if code := runPlugin(t.Context(), []string{"call", sample(t), "echo"}, s); code != exitUsage || !strings.Contains(errs.String(), `broken\x1b`) {
		t.Errorf("exit code %d, errors %q", code, &errs)
	}
	r, w := io.Pipe()
	_ = r.CloseWithError(errors.New("disk full"))
	errs.Reset()
	s = surroundings{in: strings.NewReader(`{"text":"Ada"}`), out: w, errs: &errs}
	if code := runPlugin(t.Context(), []string{"call", sample(t), "echo"}, s); code != exitFailed || !strings.Contains(errs.String(), "disk full") {
		t.Errorf("exit code %d, errors %q", code, &errs)
	}
}

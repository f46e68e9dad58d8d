package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// inspect runs the command and returns what it printed.
func inspect(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = runPlugin(t.Context(), append([]string{"inspect"}, args...), surroundings{out: &o, errs: &e})
	return code, o.String(), e.String()
}

func TestPluginInspect(t *testing.T) {
	code, out, errs := inspect(t, sample(t))
	if code != exitDone || errs != "" {
		t.Fatalf("exit code %d, printed\n%s\nerrors %s", code, out, errs)
	}
	for _, part := range []string{
		"Weather 1.0.0 (weather.v1)\n", "  convention      mcp-servlet-v1\n", "  needs app       0.1.0\n",
		"Tools of plugin.json; the module was run once and has them\n",
		"tokens, in its own words echo)\n      Gives back what it gets\n",
		"  hosts           none\n  private network no\n  memory          32 MB\n  time of a call  5 s\n",
		"  greeting        Greeting (string)\n", "No problem was found.\n",
	} {
		if !strings.Contains(out, part) {
			t.Errorf("no %q in\n%s", part, out)
		}
	}
	if !regexp.MustCompile(`  kandev_weather_v1_echo  \(~\d\d+ tokens`).MatchString(out) {
		t.Errorf("no estimate in\n%s", out)
	}
}

func TestPluginInspectJSON(t *testing.T) {
	for _, c := range []struct {
		name, file      string
		args            []string
		bare, described bool
		id              string
		tools           int
	}{
		{"package", sample(t), nil, false, true, "weather.v1", 1},
		{"package, nothing run", sample(t), []string{"--no-run"}, false, false, "weather.v1", 1},
		{"bare module", bare(t), nil, true, true, "plugin", 1},
		{"bare module, nothing run", bare(t), []string{"--no-run"}, true, false, "plugin", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, errs := inspect(t, append(c.args, "--json", c.file)...)
			var got inspection
			if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitDone || errs != "" {
				t.Fatalf("%v, exit code %d, printed\n%s\nerrors %s", err, code, out, errs)
			}
			if got.Bare != c.bare || got.Described != c.described || got.ID != c.id || len(got.Tools) != c.tools || len(got.SHA256) != 64 || got.Bytes < 100 {
				t.Errorf("%+v", got)
			}
			if strings.Contains(out, "null") {
				t.Errorf("a list is null in\n%s", out)
			}
			for _, tool := range got.Tools {
				if tool.Name != "echo" || !strings.HasPrefix(tool.Served, "kandev_") || tool.Tokens == nil || *tool.Tokens < 20 || !json.Valid(tool.InputSchema) {
					t.Errorf("%+v", tool)
				}
			}
		})
	}
}

// Every problem is named, exits with 1 and reads the same in both forms.
func TestPluginInspectProblems(t *testing.T) {
	built := release // a development version runs every plugin
	release = "1.0.0"
	t.Cleanup(func() { release = built })
	const second = `"tools": [{"name": "bye", "description": "Says goodbye.", "input_schema": {"type": "object"}},`
	for _, c := range []struct{ name, file, part string }{
		{"no plugin", write(t, "a.zip", []byte("hello")), "neither a .zip"},
		{"empty", write(t, "b.zip", nil), "empty"},
		{"component", write(t, "c.wasm", []byte("\x00asm\x0d\x00\x01\x00")), "component"},
		{"module without tools", write(t, "d.wasm", []byte("\x00asm\x01\x00\x00\x00")), "offers no MCP tools"},
		{"broken manifest", changed(t, `"manifest_version": 1,`, ``), "manifest_version"},
		{"tool that the module does not have", changed(t, `"tools": [`, second), `"bye", which the module does not have`},
		{"tool that the manifest does not have", changed(t, `"name": "echo"`, `"name": "other"`), `describes a tool "echo" that the manifest does not declare`},
		{"newer app", changed(t, `"min_app_version": "0.1.0"`, `"min_app_version": "999.0.0"`), "needs Kandev Desktop 999.0.0"},
		{"looks like a built-in", changed(t, `"name": "echo"`, `"name": "echo_kandev"`), "looks like a tool of Kandev"},
		{"schema that does not compile", changed(t, `"required": ["text"]`, `"required": "text"`), "kandev_weather_v1_echo"},
		{"other convention", changed(t, `mcp-servlet-v1`, `hyper-mcp-v2`), "list_tools and call_tool"},
		{"what a terminal would obey", changed(t, `"id": "weather.v1"`, `"id": "we\u001b[2Jather"`), "plugin.json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, errs := inspect(t, c.file)
			if code != exitFailed || !strings.Contains(out, "Problems\n") || !strings.Contains(out, c.part) || errs != "" || strings.Contains(out, "\x1b") {
				t.Errorf("exit code %d, printed\n%s\nerrors %s", code, out, errs)
			}
			code, out, _ = inspect(t, "--json", c.file)
			var got inspection
			if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitFailed || !strings.Contains(strings.Join(got.Problems, "\n"), c.part) {
				t.Errorf("%v, exit code %d, printed\n%s", err, code, out)
			}
		})
	}
}

func TestPluginArguments(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		part string
	}{
		{nil, exitUsage, "say what to do"},
		{[]string{"help"}, exitDone, "plugin inspect FILE"},
		{[]string{"instal"}, exitUsage, `no command "instal"`},
		{[]string{"inspect"}, exitUsage, "one file"},
		{[]string{"inspect", "--help"}, exitDone, "--no-run"},
		{[]string{"inspect", "--jsn", "x"}, exitUsage, `no option "--jsn"`},
		{[]string{"inspect", filepath.Join(t.TempDir(), "no\x1bfile")}, exitUsage, `no\x1bfile`},
		{[]string{"inspect", t.TempDir()}, exitUsage, "is not a file"},
	} {
		var out, errs bytes.Buffer
		code := runPlugin(t.Context(), c.args, surroundings{out: &out, errs: &errs})
		if code != c.code || !strings.Contains(out.String()+errs.String(), c.part) || (errs.Len() > 0) != (code != exitDone) {
			t.Errorf("%q: exit code %d, printed %q, errors %q", c.args, code, &out, &errs)
		}
	}
	r, w := io.Pipe() // a reader of ours that has enough
	_ = r.Close()
	var errs bytes.Buffer
	if code := runPlugin(t.Context(), []string{"inspect", sample(t)}, surroundings{out: w, errs: &errs}); code != exitDone || errs.Len() > 0 {
		t.Errorf("exit code %d, errors %q", code, &errs)
	}
	r, w = io.Pipe()
	_ = r.CloseWithError(errors.New("disk full"))
	if code := runPlugin(t.Context(), []string{"inspect", sample(t)}, surroundings{out: w, errs: &errs}); code != exitFailed || !strings.Contains(errs.String(), "disk full") {
		t.Errorf("exit code %d, errors %q", code, &errs)
	}
}

package builtin

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kandev/backend/tool"
)

var update = flag.Bool("update", false, "rewrite the snapshots")

func all() []tool.Definition { return Tools(Profile{Provisional: true}, Host{}) }

// TestSnapshots: one byte-exact file a tool, since its tokens are counted.
func TestSnapshots(t *testing.T) {
	for _, d := range all() {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		checked, _, err := tool.Check(d)
		if err != nil {
			t.Fatalf("%s: %v", d.Name, err)
		}
		if err := e.Encode(struct {
			Name        string           `json:"name"`
			Title       string           `json:"title"`
			Description string           `json:"description"`
			InputSchema json.RawMessage  `json:"inputSchema"`
			Annotations tool.Annotations `json:"annotations"`
			Meta        json.RawMessage  `json:"_meta,omitempty"`
		}{d.Name, d.Title, d.Description, checked.Input, d.Annotations, checked.Meta}); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", d.Name+".json")
		if *update {
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Errorf("%s has no snapshot that can be read; run with -update: %v", d.Name, err)
		} else if !bytes.Equal(want, b.Bytes()) {
			t.Errorf("%s differs from its snapshot %s; if that is meant, run with -update and read the diff. It is now\n%s", d.Name, path, b.Bytes())
		}
	}
}

// TestEveryTool walks all tools through the rules that hold for each.
func TestEveryTool(t *testing.T) {
	name := regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)+_kandev$`)
	for _, d := range all() {
		if !name.MatchString(d.Name) || len(d.Name) > tool.MaxName {
			t.Errorf("%s: a name is <verb>_<noun>_kandev, at most %d characters", d.Name, tool.MaxName)
		}
		if d.Title == "" || len(d.Description) < 40 || len(d.Description) > 1024 {
			t.Errorf("%s: title %q, description of %d bytes", d.Name, d.Title, len(d.Description))
		}
		a := d.Annotations
		if a.ReadOnly == nil || a.Destructive == nil || a.Idempotent == nil || a.OpenWorld == nil {
			t.Errorf("%s: a hint was not set on purpose", d.Name)
		}
		if _, warnings, err := tool.Check(d); err != nil || len(warnings) > 0 {
			t.Errorf("%s: %v %v", d.Name, err, warnings)
		}
		for _, word := range []string{`"const"`, "exclusiveM", `"format"`, "additionalProperties", `"$ref"`, `"anyOf"`} {
			if strings.Contains(string(d.InputSchema), word) {
				t.Errorf("%s: %s is refused by some providers", d.Name, word)
			}
		}
	}
}

func TestProfileDecidesTheTitleTool(t *testing.T) {
	for _, d := range Tools(Profile{}, Host{}) {
		if d.Name == "set_task_title_kandev" {
			t.Error("set_task_title is served though the title is not provisional")
		}
	}
	if len(all()) != len(Tools(Profile{}, Host{}))+1 {
		t.Error("set_task_title is not served while the title is provisional")
	}
}

// TestPreamble: every name in it is registered in that profile, the tools it
// must teach are in it, and it stays small.
func TestPreamble(t *testing.T) {
	names := regexp.MustCompile(`[a-z0-9_]+_kandev`)
	for _, p := range []Profile{{}, {Provisional: true}} {
		text := Preamble(p)
		if len(text) == 0 || len(text) >= 1500 || strings.Contains(text, "{{") {
			t.Errorf("%+v: %d bytes:\n%s", p, len(text), text)
		}
		registered := map[string]bool{}
		for _, d := range Tools(p, Host{}) {
			registered[d.Name] = true
			if !strings.Contains(text, d.Name) {
				t.Errorf("%+v: %s is not taught", p, d.Name)
			}
		}
		for _, n := range names.FindAllString(text, -1) {
			if !registered[n] {
				t.Errorf("%+v: %s is taught, but not registered", p, n)
			}
		}
	}
}

package acp

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/tools/txtar"
)

// What we send fits the ACP schema that the agent library in go.mod ships.
func TestOutgoingFitsSchema(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/coder/acp-go-sdk").Output()
	dir := strings.TrimSpace(string(out))
	if err != nil || dir == "" {
		t.Skipf("the library's sources are not here: %v", err)
	}
	compiler := jsonschema.NewCompiler()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	lines := `{"method":"session/cancel","params":{"sessionId":"s"}}` + "\n" + // pinned byte for byte in serve_test.go
		`{"result":{"outcome":{"outcome":"cancelled"}}}` + "\n"
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines += section(a, "outgoing")
	}
	for _, a := range terminalAnswers {
		if a.definition != "" {
			lines += `{"definition":"` + a.definition + `","result":` + a.want + "}\n"
		}
	}
	seen := map[string]bool{}
	for line := range strings.Lines(lines) {
		name, value := outgoing(t, line)
		seen[name] = true
		schema, err := compiler.Compile(filepath.Join(dir, "schema", "schema.json") + "#/$defs/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s%v", line, err)
		}
		if strings.Contains(line, "null") {
			t.Errorf("a null went out: %s", line)
		}
	}
	if len(seen) != 11 {
		t.Errorf("only these were checked: %v", seen)
	}
}

func outgoing(t *testing.T, line string) (definition string, value any) {
	t.Helper()
	var m struct {
		Method, Definition string
		Params, Result     any
	}
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		t.Fatal(err)
	}
	definitions := map[string]string{
		"initialize":     "InitializeRequest",
		"authenticate":   "AuthenticateRequest",
		"session/new":    "NewSessionRequest",
		"session/prompt": "PromptRequest",
		"session/cancel": "CancelNotification",
	}
	switch {
	case m.Definition != "":
		return m.Definition, m.Result
	case m.Method == "":
		return "RequestPermissionResponse", m.Result
	}
	return definitions[m.Method], m.Params
}

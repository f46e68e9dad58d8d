package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The packages of backend without I/O and goroutines; `nouns` in the table means all of them.
var nouns = []string{
	"agent", "attach", "catalog", "lint", "permission", "plugin", "project", "question", "redact",
	"session", "settings", "task", "tool",
}

// Where a package stands and what it may import: of ours by short name (backend/attach is attach),
// of others by module path. The standard library is free. A package
// that is not in the table fails the test: add it here, in one commit with the reason.
var table = map[string]struct{ ours, outside []string }{
	"project": {}, "catalog": {}, "redact": {}, "agent": {}, "settings": {}, "tokens": {}, "timelimit": {},
	"task":        {[]string{"project"}, nil}, // a task names its project by the project's own id type
	"proc":        {[]string{"timelimit"}, []string{"golang.org/x/sys"}},
	"bridge":      {nil, []string{"golang.org/x/sys"}},
	"secret":      {nil, []string{"github.com/zalando/go-keyring"}},
	"session":     {[]string{"project", "task"}, nil},
	"question":    {[]string{"session", "timelimit"}, nil},
	"permission":  {[]string{"session"}, nil},
	"attach":      {[]string{"catalog", "redact"}, nil},
	"tool":        {[]string{"catalog", "timelimit"}, []string{"github.com/santhosh-tekuri/jsonschema"}},
	"plugin":      {[]string{"catalog", "timelimit"}, nil},
	"lint":        {[]string{"catalog", "agent"}, nil},
	"event":       {nouns, nil},
	"builtin":     {[]string{"tool", "catalog", "question", "session", "task", "project", "agent"}, nil}, // catalog.Source marks a tool as ours
	"acp":         {[]string{"session", "permission", "agent", "timelimit"}, nil},
	"mcpserver":   {[]string{"attach", "catalog", "tool", "timelimit"}, []string{"github.com/mark3labs/mcp-go"}},
	"wasm":        {[]string{"plugin", "tool", "proc"}, []string{"github.com/tetratelabs/wazero"}},
	"wasm/guests": {}, // modules for tests, of wasm, backend and cli
	"sqlite":      {nouns, []string{"modernc.org/sqlite"}},
	"toolbench":   {[]string{"proc"}, []string{"github.com/coder/acp-go-sdk", "github.com/modelcontextprotocol/go-sdk"}},
	"agentctl":    {[]string{"acp", "mcpserver", "agent", "attach", "tool", "session", "task", "question", "permission", "proc"}, nil}, // the request names its task
	"doctor":      {[]string{"agent", "proc", "secret", "sqlite"}, []string{"golang.org/x/sys"}},                                       // free space; the registry of Windows
	"executor":    {[]string{"agentctl", "agent", "session", "project", "proc"}, nil},
	"backend": {append([]string{
		"tokens", "proc", "bridge", "secret", "event", "builtin", "acp", "mcpserver", "wasm", "sqlite",
		"toolbench", "agentctl", "executor", "timelimit",
	}, nouns...), []string{"golang.org/x/sys"}}, // the lock of the data folder on Windows
	"app":        {append([]string{"backend", "event"}, nouns...), []string{"github.com/wailsapp/wails"}},
	"cli":        {append([]string{"backend", "doctor", "tokens", "wasm", "toolbench", "bridge", "proc"}, nouns...), nil},
	"":           {[]string{"app", "cli"}, nil},
	"e2e/agents": {}, "e2e/agents/provider": {},
}

// What the tests of a package may import beyond its own row: a counterpart on the other side of a wire, an oracle, and
// what tests are made from. A test that wants more reaches around the layers.
var tests = map[string]struct{ ours, outside []string }{
	"":          {[]string{"agent"}, nil},                                            // whose ids nobody else names
	"app":       {[]string{"wasm"}, nil},                                             // kinds of failure in the golden views
	"tokens":    {[]string{"catalog"}, []string{"github.com/tiktoken-go/tokenizer"}}, // the oracle
	"catalog":   {nil, []string{transcripts}},
	"plugin":    {nil, []string{transcripts}},
	"acp":       {nil, []string{transcripts, "github.com/coder/acp-go-sdk", "github.com/santhosh-tekuri/jsonschema"}}, // another's agent; the published schema
	"mcpserver": {nil, []string{"github.com/modelcontextprotocol/go-sdk"}},
	"bridge":    {[]string{"catalog", "mcpserver", "tool"}, []string{"github.com/mark3labs/mcp-go", "github.com/modelcontextprotocol/go-sdk"}}, // what it bridges
	"wasm":      {[]string{"catalog", "wasm/guests"}, nil},
	"backend":   {[]string{"bridge", "toolbench", "wasm/guests"}, []string{"github.com/modelcontextprotocol/go-sdk"}}, // the test binary is its own children
	"cli":       {[]string{"wasm/guests"}, nil},
	// Tests with real agents drive the real backend.
	"e2e/agents": {
		append([]string{"backend", "event", "tokens", "cli", "e2e/agents/provider"}, nouns...),
		[]string{"github.com/modelcontextprotocol/go-sdk", "golang.org/x/sys"},
	},
}

// transcripts is the form of golden files with several parts.
const transcripts = "golang.org/x/tools/txtar"

// Words that say nothing about what a package holds.
var forbiddenNames = []string{
	"util", "utils", "common", "helpers", "types", "models", "core", "domain", "service", "services", "manager", "handlers",
}

// maxLines is the longest file; people read files whole.
const maxLines = 400

// pkg is one folder of Go files, with the build tags of every system.
type pkg struct {
	name    string
	docs    []string            // files that hold a package comment
	imports map[string][]string // import path to the files that have it
	tests   map[string][]string // the same of its tests
}

// short turns a folder or import path of ours into the name used in the table.
func short(dir string) string {
	return strings.TrimPrefix(dir, "backend/")
}

// walk calls visit with every source file of the checkout that people write.
func walk(t *testing.T, visit func(file string)) {
	t.Helper()
	skipped := []string{"node_modules", "testdata", "dist", "wailsjs", "bin", "tmp", "dev-home", "coverage"}
	err := fs.WalkDir(os.DirFS("."), ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && file != "." && (strings.HasPrefix(entry.Name(), ".") || slices.Contains(skipped, entry.Name())) {
			return fs.SkipDir
		}
		if !entry.IsDir() {
			visit(file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// packages reads the import clauses and package comments of all Go files. It parses instead of
// asking `go list`, so that files for other systems and tags count as well.
func packages(t *testing.T) map[string]*pkg {
	t.Helper()
	found := map[string]*pkg{}
	walk(t, func(file string) {
		if !strings.HasSuffix(file, ".go") {
			return
		}
		// Modules of their own: what an author copies, and what only builds us.
		if strings.HasPrefix(file, "examples/") || strings.HasPrefix(file, "tools/") {
			return
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		dir := strings.TrimPrefix(path.Dir(file), ".")
		p := found[dir]
		if p == nil {
			p = &pkg{imports: map[string][]string{}, tests: map[string][]string{}}
			found[dir] = p
		}
		imports := p.tests
		if !strings.HasSuffix(file, "_test.go") {
			p.name, imports = parsed.Name.Name, p.imports
			if hasText(parsed.Doc) {
				p.docs = append(p.docs, file)
			}
		}
		for _, spec := range parsed.Imports {
			if imported, err := strconv.Unquote(spec.Path.Value); err == nil {
				imports[imported] = append(imports[imported], file)
			}
		}
	})
	return found
}

// hasText reports whether a comment says anything beyond directives.
func hasText(doc *ast.CommentGroup) bool { return doc != nil && strings.TrimSpace(doc.Text()) != "" }

func TestLayers(t *testing.T) {
	for dir, p := range packages(t) {
		rule, known := table[short(dir)]
		if !known {
			t.Errorf("package %s is not in the table of layers_test.go: add it with what it may import, or put its files where they belong", dir)
			continue
		}
		for imported, files := range p.imports {
			if !allows(imported, rule.ours, rule.outside) {
				t.Errorf("%s imports %s, which the table of layers_test.go does not allow %q: take it as a function in an option struct, or change the table with the reason", files[0], imported, short(dir))
			}
		}
		more := tests[short(dir)]
		for imported, files := range p.tests {
			own := imported == strings.TrimSuffix("kandev/"+dir, "/")
			if !own && !allows(imported, slices.Concat(more.ours, rule.ours), slices.Concat(more.outside, rule.outside)) {
				t.Errorf("%s imports %s: tests of %q may import what the package may, and what the second table of layers_test.go adds with the reason", files[0], imported, short(dir))
			}
		}
	}
}

// allows reports whether an import is the standard library's, or one of those.
func allows(imported string, ours, outside []string) bool {
	if own, ok := strings.CutPrefix(imported, "kandev/"); ok {
		return slices.Contains(ours, short(own))
	}
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".") || slices.ContainsFunc(outside, func(module string) bool {
		return imported == module || strings.HasPrefix(imported, module+"/")
	})
}

func TestEveryPackageHasOneDocComment(t *testing.T) {
	for dir, p := range packages(t) {
		switch len(p.docs) {
		case 1:
		case 0:
			t.Errorf("package %q has no package comment: write one with purpose, guarantees and what it does not do", dir)
		default:
			t.Errorf("package %q has %d package comments, in %v: keep one and put a blank line after the others", dir, len(p.docs), p.docs)
		}
	}
}

func TestPackageNames(t *testing.T) {
	for dir, p := range packages(t) {
		if slices.Contains(forbiddenNames, p.name) || slices.Contains(forbiddenNames, path.Base(dir)) {
			t.Errorf("package %s (%s): name it after what it holds; the house forbids %v", dir, p.name, forbiddenNames)
		}
		if want := path.Base(dir); p.name != want && dir != "" {
			t.Errorf("folder %s holds package %s: give both one name", dir, p.name)
		}
	}
}

func TestFileLength(t *testing.T) {
	walk(t, func(file string) {
		if !slices.Contains([]string{".go", ".ts", ".tsx", ".mjs", ".css"}, path.Ext(file)) {
			return
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(string(text), "\n")
		generated := strings.HasPrefix(head, "// Code generated ")
		if lines := strings.Count(string(text), "\n"); lines > maxLines && !generated {
			t.Errorf("%s has %d lines, more than %d: split it, one rule a file", file, lines, maxLines)
		}
	})
}

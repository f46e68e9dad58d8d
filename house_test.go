package main

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kandev/backend/agent"
)

// Agents are told apart by what their definitions say, in package agent; nothing else compares an id. Package backend
// may, toolbench says its own name, and what is made up for tests is not the product.
func TestAgentIDs(t *testing.T) {
	ids := []string{agent.Toolbench}
	for _, d := range agent.Known() {
		ids = append(ids, regexp.QuoteMeta(d.ID))
	}
	literal := regexp.MustCompile("[\"'`](" + strings.Join(ids, "|") + ")[\"'`]")
	madeUp := regexp.MustCompile(`_test\.go$|\.test\.tsx?$|/fake[^/]*\.ts$|/sample\.ts$`)
	looked := 0
	walk(t, func(file string) {
		top, _, _ := strings.Cut(file, "/")
		isCode := path.Ext(file) == ".go" || strings.HasPrefix(file, "frontend/src/") && strings.HasPrefix(path.Ext(file), ".ts")
		if !isCode || madeUp.MatchString(file) || top != "app" && top != "backend" && top != "cli" && top != "frontend" {
			return
		}
		switch path.Dir(file) {
		case "backend", "backend/agent", "backend/toolbench":
			return
		}
		looked++
		for n, line := range lines(t, file) {
			if found := literal.FindString(line); found != "" {
				t.Errorf("%s:%d names the agent %s: let its definition in backend/agent say what is special about it", file, n+1, found)
			}
		}
	})
	if looked < 300 {
		t.Errorf("only %d files were looked through", looked)
	}
}

// Features of the window meet nowhere but above and below them: Biome's wall between them names each.
func TestFeatureWalls(t *testing.T) {
	features, err := os.ReadDir("frontend/src/features")
	if err != nil {
		t.Fatal(err)
	}
	walls := strings.Join(lines(t, "frontend/biome.json"), "\n")
	for _, f := range features {
		if !strings.Contains(walls, `"../`+f.Name()+`/**"`) {
			t.Errorf("the rule for src/features/** in frontend/biome.json does not name ../%s/**", f.Name())
		}
	}
}

// What belongs together in backend is listed in ARCHITECTURE.md: every file of it is.
func TestBackendFilesAreListed(t *testing.T) {
	entries, err := os.ReadDir("backend")
	if err != nil {
		t.Fatal(err)
	}
	page := strings.Join(lines(t, "ARCHITECTURE.md"), "\n")
	var patterns []string
	for _, found := range regexp.MustCompile("`([a-z_*]+\\.go)`").FindAllStringSubmatch(page, -1) {
		patterns = append(patterns, found[1])
	}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || name == "doc.go" {
			continue
		}
		if !slices.ContainsFunc(patterns, func(p string) bool { ok, _ := path.Match(p, name); return ok }) {
			t.Errorf("the table in ARCHITECTURE.md does not say what backend/%s is about", name)
		}
	}
}

// A test that rests for a while and goes on is slow on a fast machine and wrong on a slow one. What is no wait for
// something (the moment of a kill, a pace) says so in the same line; the linter sees time.Sleep alone.
func TestNoRests(t *testing.T) {
	rest := regexp.MustCompile(`(^|[;{]\s*)<-time\.After\(`)
	walk(t, func(file string) {
		if !strings.HasSuffix(file, "_test.go") || file == "house_test.go" {
			return
		}
		for n, line := range lines(t, file) {
			if line = strings.TrimSpace(line); rest.MatchString(line) && !strings.Contains(line, " // ") {
				t.Errorf("%s:%d rests: wait for the thing itself, or say in that line why there is nothing to wait for", file, n+1)
			}
		}
	})
}

func lines(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "\n")
}

package wasm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"kandev/backend/plugin"
	"kandev/backend/wasm/guests"
)

// Every hostile module runs in a process of its own, which is this test binary:
// a fatal error of the runtime cannot be recovered, only seen from outside.

const childVariable = "KANDEV_WASM_CHILD"

func TestMain(m *testing.M) {
	if file := os.Getenv(childVariable); file != "" {
		fmt.Fprint(os.Stdout, child(file))
		os.Exit(0)
	}
	if file := os.Getenv(idleVariable); file != "" {
		fmt.Fprint(os.Stdout, idle(file))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// hostile is the whole set, by name.
func hostile() map[string][]byte {
	set := hostileFiles()
	for name, g := range guests.Hostile() {
		set[name] = g.Wasm()
	}
	return set
}

// child does with one module what the app does: read it, try it, install it and
// call it twice. It returns what a person would be told, one step a field.
func child(file string) string {
	module, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	ctx := context.Background()
	says := func(step string, err error) string {
		if err == nil {
			return step + ": fine"
		}
		if f, ok := errors.AsType[*Failure](err); ok {
			return step + ": " + string(f.Outcome) + ", " + line(err.Error())
		}
		return step + ": " + line(err.Error())
	}
	p, err := plugin.Read(module)
	if err != nil {
		return says("read", err)
	}
	abi, tools, err := Describe(ctx, module)
	told := says("describe", err)
	if err == nil {
		_, err = plugin.Bare(file, p, abi, tools)
		told += " | " + says("install", err)
	}
	return told + callTwice(ctx, p) + memory()
}

// callTwice calls a tool of a module that was packaged with a manifest: its own
// description was not asked before.
func callTwice(ctx context.Context, p plugin.Package) (told string) {
	o := Options{Module: func() ([]byte, error) { return p.Wasm, nil }, Grant: plugin.Grant{MemoryMB: 16, TimeoutMS: 250, Hosts: []string{"example.com"}}}
	o.Manifest = plugin.Manifest{ID: "hostile", Wasm: plugin.Module{SHA256: p.SHA256}, Tools: []plugin.Tool{{Name: "echo"}}}
	opened, err := Open(o)
	if err != nil {
		return " | open: " + err.Error()
	}
	defer opened.Close()
	for range 2 {
		result, fail := opened.Call(ctx, "echo", json.RawMessage(`{"text":"x"}`))
		if fail != nil {
			told += " | call: " + string(fail.Outcome) + ", " + fail.Line
		} else {
			told += fmt.Sprintf(" | call: %.40q", result.Text)
		}
	}
	return told
}

func memory() string {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return fmt.Sprintf(" ##%d", m.Sys>>20)
}

// The bounds of one child on a busy machine.
const (
	childTime   = 40 * time.Second
	childMemory = 700 // MiB that the runtime took from the system
)

func TestHostileSet(t *testing.T) {
	if raced {
		t.Skip("the detector does not look into other processes, and makes each ten times slower")
	}
	set := hostile()
	t.Logf("%d modules", len(set))
	for _, name := range slices.Sorted(maps.Keys(set)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), childTime)
			defer cancel()
			file := filepath.Join(t.TempDir(), name+".wasm")
			if err := os.WriteFile(file, set[name], 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(ctx, os.Args[0])
			cmd.Env = append(os.Environ(), childVariable+"="+file)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			start := time.Now()
			err := cmd.Run()
			told, used, _ := strings.Cut(stdout.String(), " ##")
			t.Logf("%-28s %9d B %6.2f s %4s MiB  %.300s", name, len(set[name]), time.Since(start).Seconds(), used, told)
			if err != nil || stderr.Len() > 0 {
				t.Fatalf("the process died: %v\n%.2000s", err, stderr.String())
			}
			var mib int
			if _, err := fmt.Sscan(used, &mib); used != "" && (err != nil || mib > childMemory) {
				t.Errorf("%s MiB were used", used)
			}
			if want := expected[name]; !strings.Contains(told, want) {
				t.Errorf("said %q, want %q", told, want)
			}
			for _, leak := range []string{"goroutine", ".go:", "runtime error", "wasm stack"} {
				if strings.Contains(told, leak) {
					t.Errorf("a trace shows: %q", told)
				}
			}
		})
	}
}

// expected is what has to be said of some of them.
var expected = map[string]string{
	"component":         "WebAssembly component",
	"unknown-type":      "type 7 is not there",
	"nested-200k":       "deep",
	"import-unknown":    "env.system, env.fork",
	"no-tools":          "offers no MCP tools",
	"start-loop":        "describe: timeout, it did not finish within 2s",
	"describe-loop":     "call: timeout, it did not finish within 250ms",
	"init-loop":         "call: timeout",
	"call-loop":         "install: fine | call: timeout, it did not finish within 250ms and was stopped | call: timeout",
	"call-tree":         "call: timeout",
	"fill-row":          "call: timeout",
	"random-row":        "call: timeout",
	"random-flood":      "call: timeout",
	"sleep":             "call: timeout",
	"stdout-flood":      "call: timeout",
	"log-flood":         "call: timeout",
	"trap":              "call: trap, it crashed: unreachable",
	"divide":            "integer divide by zero",
	"recursion":         "stack overflow",
	"memory-4g":         "out of bounds memory access",
	"exit":              "ended itself with code 3",
	"output-10m":        "its answer has 10485760 bytes",
	"alloc-bomb":        "16 MiB",
	"variables-full":    "variables are full",
	"http":              `the host "localhost" was not granted`,
	"http-file":         "only http and https",
	"invalid-utf8":      "call: \"a\ufffdb\"",
	"answer-deep":       "not the JSON",
	"describe-17":       "17 tools",
	"describe-twice":    "call: \"{",
	"describe-schema":   "has to be an object",
	"code-7":            "error code 7",
	"table-grow":        "call: malformed",
	"error-oob":         "error without a text",
	"import-other-form": "extism:host/env.alloc in another form",
}

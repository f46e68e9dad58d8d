//go:build linux || darwin

package agentctl

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kandev/backend/acp"
	"kandev/backend/agent"
)

// TestTerminalFolder: inside of the session's folder, really.
func TestTerminalFolder(t *testing.T) {
	folder, outside := folderOfTest(t)
	for cwd, want := range map[string]string{
		"":                       "",
		folder:                   "",
		folder + "/sub":          "/sub",
		folder + "/sub/../sub":   "/sub",
		folder + "/..":           "is outside of the session's folder",
		folder + "/out":          "is outside of the session's folder",
		outside:                  "is outside of the session's folder",
		"/":                      "is outside of the session's folder",
		"sub":                    "is not an absolute path",
		folder + "/none":         "does not exist",
		folder + "/circle":       "does not exist",
		folder + "/a.txt":        "is not a folder",
		folder + "/sub\x00/../x": "is not an absolute path",
	} {
		got, err := terminalFolder(folder, cwd)
		real, _ := filepath.EvalSymlinks(folder)
		if strings.HasPrefix(want, "is ") || strings.HasPrefix(want, "does") {
			if err == nil || err.Error() != cwd+" "+want+"." {
				t.Errorf("%q: %v", cwd, err)
			}
		} else if err != nil || got != real+want {
			t.Errorf("%q: %q, %v", cwd, got, err)
		}
	}
	if _, err := terminalFolder(filepath.Join(folder, "gone"), ""); err == nil {
		t.Error("a folder that is gone")
	}
}

// TestTerminalEnvironment: the agent's own, what the command sets, and nothing
// of ours whoever names it.
func TestTerminalEnvironment(t *testing.T) {
	s := newShell(t, "KEPT=1", "KANDEV_HOME=x", "TWICE=a", "PATH="+os.Getenv("PATH"))
	ref := s.run("env", func(r *acp.CreateTerminal) {
		r.Env = []agent.Value{{Name: "MINE", Value: "2"}, {Name: "TWICE", Value: "b"}, {Name: "KANDEV_MCP_TOKEN", Value: "stolen"}, {Name: "kandev_other", Value: "x"}}
	})
	env := strings.Split(s.end(ref).Text, "\n")
	for _, want := range []string{"KEPT=1", "MINE=2", "TWICE=b", "AGENT_SET=1", "NO_PROXY=127.0.0.1,localhost,::1"} {
		if !slices.Contains(env, want) {
			t.Errorf("%s is not there: %q", want, env)
		}
	}
	if all := strings.ToUpper(strings.Join(env, "\n")); strings.Contains(all, "KANDEV") || slices.Contains(env, "TWICE=a") {
		t.Errorf("%q", env)
	}
	if given := s.i.environment(); !slices.ContainsFunc(given, func(e string) bool { return strings.HasPrefix(e, bearerVariable+"=") }) {
		t.Error("the agent itself has no bearer, so this test shows nothing")
	}
}

// TestTerminalCommands: a program with arguments, a whole line, and what cannot
// be run.
func TestTerminalCommands(t *testing.T) {
	s := newShell(t, "PATH="+os.Getenv("PATH"))
	dir := s.i.request.WorkDir
	script := filepath.Join(dir, "my tool")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho mine\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]string{
		"echo a | tr a b": "b\n", script: "mine\n", "./my tool": "mine\n", "true": "",
	} {
		id, err := s.tt.create(t.Context(), acp.CreateTerminal{Command: command})
		if err != nil {
			t.Errorf("%q: %v", command, err)
			continue
		}
		if out := s.end(acp.TerminalRef{TerminalID: id}); out.Text != want {
			t.Errorf("%q: %q", command, out.Text)
		}
	}
	for command, want := range map[string]string{
		"no-such-program": "no-such-program was not found.",
		dir:               dir + " cannot be executed.",
		"nul\x00":         "nul\x00 was not found.",
	} {
		_, err := s.tt.create(t.Context(), acp.CreateTerminal{Command: command})
		if refused, ok := errors.AsType[*acp.TerminalError](err); !ok || refused.Sentence != want {
			t.Errorf("%q: %v", command, err)
		}
	}
	if s.tt.begun != 0 {
		t.Errorf("%d places are lost", s.tt.begun)
	}
	if got := commandLine("sh", []string{"-c", "it's $x", ""}); got != `sh -c 'it'\''s $x' ''` {
		t.Error(got)
	}
}

//go:build linux

package agents

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kandev/backend/agent"
)

// teeFolder holds a program of the agent's name, which runs the agent and
// writes down what it and the app say to each other. Only so can a test know
// the bearer. The step with kill -9 runs without.
func teeFolder(t *testing.T, r rig, log string) string {
	t.Helper()
	known, ok := agent.ByID(r.id)
	if !ok {
		t.Fatalf("no definition of %s", r.id)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program := filepath.Join(os.Getenv(envCache), r.id, "node_modules/.bin", known.Command)
	script := fmt.Sprintf("#!/bin/sh\nexec '%s' %s '%s' '%s' \"$@\"\n", self, partTee, log, program)
	if err := os.WriteFile(filepath.Join(dir, known.Command), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// withoutPath is an environment that gets another PATH.
func withoutPath(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(e string) bool { return strings.HasPrefix(e, "PATH=") })
}

// lines writes whole pieces into one file.
type lines struct {
	mu   sync.Mutex
	file *os.File
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.file.Write(p)
}

// runTee is the program between app and agent.
func runTee(log, program string, args []string) int {
	file, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 1
	}
	out := &lines{file: file}
	if token := os.Getenv("KANDEV_MCP_TOKEN"); token != "" {
		fmt.Fprintf(out, "{\"token\":%q}\n", token)
	}
	cmd := exec.Command(program, args...)
	cmd.Stderr = os.Stderr
	cmd.Stdout = io.MultiWriter(os.Stdout, out)
	in, err := cmd.StdinPipe()
	if err != nil || cmd.Start() != nil {
		return 1
	}
	go func() {
		_, _ = io.Copy(io.MultiWriter(in, out), os.Stdin)
		_ = in.Close()
	}()
	cmd.WaitDelay = time.Second
	_ = cmd.Wait()
	return max(cmd.ProcessState.ExitCode(), 0)
}

// delivered is our server as the newest session/new or session/load gave it.
type delivered struct {
	URL    string
	Bearer string
}

func (w *world) delivered(t *testing.T) (d delivered) {
	t.Helper()
	text, err := os.ReadFile(w.tee)
	if err != nil {
		t.Fatal(err)
	}
	token := ""
	for line := range strings.Lines(string(text)) {
		var frame struct {
			Token  string
			Params struct {
				Servers []struct {
					URL     string
					Headers []struct{ Name, Value string }
				} `json:"mcpServers"`
			}
		}
		if json.Unmarshal([]byte(line), &frame) != nil {
			continue
		}
		if frame.Token != "" {
			token = frame.Token
		}
		if s := frame.Params.Servers; len(s) > 0 {
			d.URL = s[0].URL
			for _, h := range s[0].Headers {
				d.Bearer = strings.TrimPrefix(h.Value, "Bearer ")
			}
		}
	}
	if contains(d.Bearer, "${") {
		d.Bearer = token
	}
	if len(d.Bearer) < 32 {
		t.Fatalf("no bearer among the frames: %+v", d.URL)
	}
	return d
}

// tail is the end of a file.
func tail(path string, limit int) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-limit):])
}

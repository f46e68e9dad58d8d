//go:build linux || darwin

package backend

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestQuitEndsTheLoginShell: a login shell that is still asked for its PATH is
// gone when Close returns.
func TestQuitEndsTheLoginShell(t *testing.T) {
	dir := t.TempDir()
	shell, out := filepath.Join(dir, "shell"), filepath.Join(dir, "pid")
	script := "#!/bin/sh\necho $$ > '" + out + ".new' && mv '" + out + ".new' '" + out + "'\nsleep 60 & wait\n"
	if err := os.WriteFile(shell, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SHELL", shell)
	a := openApp(t, t.TempDir())
	asked := make(chan struct{})
	go func() { defer close(asked); a.Agents(context.Background()) }()
	var pid int
	a.until("the shell to run", func() bool {
		text, err := os.ReadFile(out)
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		return err == nil
	})
	a.quit()
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
		t.Errorf("the shell lives on: %v", err)
	}
	<-asked
}

//go:build linux || darwin

package proc

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// bashIn gives bash a home of its own with the given start-up file.
func bashIn(t *testing.T, profile string) (shell string, env []string) {
	t.Helper()
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, ".bash_profile"), []byte(profile), 0o600); err != nil {
		t.Fatal(err)
	}
	return shell, []string{"HOME=" + home, "PATH=/usr/bin:/bin", "OUT=" + filepath.Join(home, "out")}
}

func TestLoginShellPath(t *testing.T) {
	const want = "/opt/my tools/bin:/home/ü/bin:/usr/bin:/bin"
	set := "export PATH='" + want + "'\n"
	for _, test := range []struct{ name, profile string }{
		{"quiet", set},
		{"noisy before", "echo welcome; printf 'no newline <x>%s'; head -c 1000000 /dev/zero\n" + set},
		{"noisy after", set + "trap 'echo bye; echo PATH=/wrong' EXIT\n"},
		{"echoes its commands", set + "set -vx; exec 2>&1; trap 'echo \"$BASH_COMMAND\"' DEBUG\n"},
		{"leaves a daemon on stdout", set + "sleep 30 & echo $! > \"$OUT\"\n"},
		{"fails", set + "false\nreturn 3\n"},
		{"reads stdin", "read -r line\n" + set},
	} {
		t.Run(test.name, func(t *testing.T) {
			shell, env := bashIn(t, test.profile)
			got, err := askLogin(t.Context(), shell, env, shellLimit)
			if got.Path != want || err != nil {
				t.Errorf("got %q, %v", got, err)
			}
			killNamed(t, lookupEnv(env, "OUT"))
		})
	}
}

// killNamed ends the sleep that a start-up file of this test has left, and says whether it was there.
func killNamed(t *testing.T, file string) bool {
	content, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(content)))
	if err != nil {
		t.Fatal(err)
	}
	e, ok := processEntry(pid)
	if !ok || e.zombie {
		return false
	}
	process, err := os.FindProcess(pid)
	return err == nil && process.Kill() == nil
}

func TestLoginShellThatHangs(t *testing.T) {
	for name, profile := range map[string]string{
		"in a child":  "sleep 31 & echo $! > \"$OUT\"; wait\n",
		"in itself":   "while :; do :; done\n",
		"deaf":        "trap '' TERM INT HUP; sleep 31 & echo $! > \"$OUT\"; wait\n",
		"spews":       "while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done\n",
		"half answer": "printf '<half'; sleep 31 & echo $! > \"$OUT\"; wait\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shell, env := bashIn(t, profile)
			began := time.Now()
			got, err := askLogin(t.Context(), shell, env, 300*time.Millisecond)
			if got.Path != "" || !errors.Is(err, ErrNoShellPath) || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %q, %v", got, err)
			}
			if took := time.Since(began); took > 3*time.Second {
				t.Errorf("took %v", took)
			}
			if killNamed(t, lookupEnv(env, "OUT")) {
				t.Error("what the shell ran lives on")
			}
		})
	}
}

func TestLoginShellThatGivesNothing(t *testing.T) {
	for _, shell := range []string{"/no/such/shell", "/bin/true", "/bin/echo"} {
		if got, err := askLogin(t.Context(), shell, nil, shellLimit); got.Path != "" || !errors.Is(err, ErrNoShellPath) {
			t.Errorf("%s: %q, %v", shell, got, err)
		}
	}
	for _, env := range [][]string{{"SHELL=/bin/sh", "PATH=/bin"}, {"PATH=/bin"}, nil} {
		if got, err := AskLoginShell(t.Context(), env); err != nil || got.Path == "" {
			t.Errorf("%q: %q, %v", env, got, err)
		}
	}
}

// TestLoginShellIsAChild: it gets what the app was given and nothing of ours, so that nothing of ours comes back as the person's.
func TestLoginShellIsAChild(t *testing.T) {
	t.Setenv("OF_THE_APP_NOW", "1")
	shell, env := bashIn(t, "export SEEN=\"$KANDEV_HOME$JSC_useJIT$OF_THE_APP_NOW\"\n")
	got, err := AskLoginShell(t.Context(), append(env, "SHELL="+shell, "KANDEV_HOME=/data", "JSC_useJIT=0", "GIVEN=1"))
	if err != nil || lookupEnv(got.Env, "GIVEN") != "1" || lookupEnv(got.Env, "SEEN") != "" {
		t.Errorf("%q, %v", got.Env, err)
	}
	for _, name := range []string{"KANDEV_HOME", "JSC_useJIT", "OF_THE_APP_NOW", "NO_PROXY"} {
		if _, there := LookupEnv(got.Env, name); there {
			t.Errorf("%s is there", name)
		}
	}
}

// TestLoginShellEnvironment: what the start-up files export comes with its line breaks, whatever they print.
func TestLoginShellEnvironment(t *testing.T) {
	shell, env := bashIn(t, "echo 'welcome MINE=wrong'\nexport MINE='two\nlines = 1' EMPTY=\nNOT=exported\n")
	got, err := askLogin(t.Context(), shell, env, shellLimit)
	if err != nil || lookupEnv(got.Env, "MINE") != "two\nlines = 1" || lookupEnv(got.Env, "HOME") == "" {
		t.Errorf("%q, %v", got.Env, err)
	}
	if slices.Contains(got.Env, "NOT=exported") || !slices.Contains(got.Env, "EMPTY=") {
		t.Errorf("%q", got.Env)
	}
	if got := entries("A=1\x00no entry\x00=x\x00B C=2\x00D=\x00"); !slices.Equal(got, []string{"A=1", "D="}) {
		t.Errorf("%q", got)
	}
}

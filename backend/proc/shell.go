//go:build linux || darwin

package proc

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

const (
	shellLimit = 5 * time.Second // spec: agents, "Time limits"
	shellTail  = 256 << 10       // of the shell's output; the answer comes last
)

// LoginShellPath asks the person's login shell for its PATH, for an app that a desktop launcher started with a bare one.
// Call it once: it runs what the person has in the start-up files of the shell. It lasts 5 s at most; what then still runs is killed.
// What the start-up files print is skipped. Errors wrap ErrNoShellPath; the output is never part of them.
func LoginShellPath(ctx context.Context) (string, error) {
	shell := os.Getenv("SHELL")
	if shell == "" {
		shell = "/bin/sh"
	}
	return shellPath(ctx, shell, os.Environ(), shellLimit)
}

// shellPath tries an interactive login shell, since many set PATH in the files of interactive shells only; then, for shells that refuse
// the pair of options, an interactive one.
func shellPath(ctx context.Context, shell string, env []string, limit time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var err error
	for _, options := range [][]string{{"-l", "-i", "-c"}, {"-i", "-c"}} {
		var path string
		if path, err = askShell(ctx, shell, options, env); err == nil {
			return path, nil
		}
		if ctx.Err() != nil {
			err = ctx.Err()
			break
		}
	}
	return "", fmt.Errorf("%s: %w: %w", shell, ErrNoShellPath, err)
}

// askShell has the shell print PATH between markers. They are put together by the shell, so a shell that echoes its command is not
// taken for one that answers. It works in sh, bash, zsh, dash and fish.
func askShell(ctx context.Context, shell string, options, env []string) (string, error) {
	a, b := rand.Text(), rand.Text()
	script := fmt.Sprintf(`printf '<%%s%%s>%%s<%%s%%s>' %s %s "$PATH" %s %s`, a, b, b, a)
	output := newTail(shellTail)
	cmd := exec.CommandContext(ctx, shell, append(options, script)...)
	cmd.Env, cmd.Stdout = env, output
	cmd.SysProcAttr = shellAttributes()
	runtime.LockOSThread() // the shell lives no longer than the thread that starts it
	defer runtime.UnlockOSThread()
	cmd.Cancel = func() error { endSession(cmd.Process.Pid); return nil }
	cmd.WaitDelay = 200 * time.Millisecond // a daemon of the start-up files may hold stdout
	runErr := cmd.Run()
	path, ok := between(string(output.Bytes()), "<"+a+b+">", "<"+b+a+">")
	switch {
	case ok && path != "" && !strings.ContainsAny(path, "\x00\n"):
		return path, nil
	case runErr != nil:
		return "", runErr
	}
	return "", errors.New("no answer")
}

// endSession kills the shell and what it runs. Daemons that have left it on purpose stay: they are the person's.
func endSession(leader int) {
	known := map[ident]bool{}
	killAll(time.Second, func() []entry {
		return remember(known, closure(processTable(), func(e entry) bool { return e.session == leader || known[e.ident] }))
	})
}

func between(text, before, after string) (string, bool) {
	_, rest, ok := strings.Cut(text, before)
	if !ok {
		return "", false
	}
	value, _, ok := strings.Cut(rest, after)
	return value, ok
}

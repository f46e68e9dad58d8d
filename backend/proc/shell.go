//go:build linux || darwin

package proc

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"kandev/backend/timelimit"
)

const (
	shellLimit = timelimit.LoginShell
	shellTail  = 256 << 10 // of the shell's output; the answer comes last
)

// AskLoginShell asks the person's login shell for its environment, for an app that a desktop launcher started with a bare one. env is what
// that app was started with; it names the shell, which is given it without what is ours.
// Call it once: it runs what the person has in the start-up files of the shell. It lasts 5 s at most; what then still runs is killed.
// What the start-up files print is skipped. Errors wrap ErrNoShellPath; the output is never part of them.
func AskLoginShell(ctx context.Context, env []string) (LoginShell, error) {
	shell := lookupEnv(env, "SHELL")
	if shell == "" {
		shell = "/bin/sh"
	}
	return askLogin(ctx, shell, env, shellLimit)
}

// askLogin tries an interactive login shell, since many set PATH in the files of interactive shells only; then, for shells that refuse
// the pair of options, an interactive one.
func askLogin(ctx context.Context, shell string, env []string, limit time.Duration) (LoginShell, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var err error
	for _, options := range [][]string{{"-l", "-i", "-c"}, {"-i", "-c"}} {
		var answer LoginShell
		if answer, err = askShell(ctx, shell, options, env); err == nil {
			return answer, nil
		}
		if ctx.Err() != nil {
			err = ctx.Err()
			break
		}
	}
	return LoginShell{}, fmt.Errorf("%s: %w: %w", shell, ErrNoShellPath, err)
}

// askShell has the shell print its environment and PATH between markers. They are put together by the shell, so a shell that echoes its
// command is not taken for one that answers. It works in sh, bash, zsh, dash and fish. An env that knows no -0 costs the environment only.
func askShell(ctx context.Context, shell string, options, env []string) (LoginShell, error) {
	a, b := rand.Text(), rand.Text()
	script := fmt.Sprintf(`printf '<%%s%%s]' %[1]s %[2]s; /usr/bin/env -0 2>/dev/null; printf '[%%s%%s>' %[2]s %[1]s; `+
		`printf '<%%s%%s>%%s<%%s%%s>' %[1]s %[2]s "$PATH" %[2]s %[1]s`, a, b)
	output := newTail(shellTail)
	cmd := exec.CommandContext(ctx, shell, append(options, script)...)
	cmd.Env, cmd.Stdout = withoutOurs(env), output
	cmd.SysProcAttr = shellAttributes()
	runtime.LockOSThread() // the shell lives no longer than the thread that starts it
	defer runtime.UnlockOSThread()
	cmd.Cancel = func() error { endSession(cmd.Process.Pid); return nil }
	cmd.WaitDelay = 200 * time.Millisecond // a daemon of the start-up files may hold stdout
	runErr := cmd.Run()
	text := string(output.Bytes())
	path, ok := between(text, "<"+a+b+">", "<"+b+a+">")
	switch {
	case ok && path != "" && !strings.ContainsAny(path, "\x00\n"):
		variables, _ := between(text, "<"+a+b+"]", "["+b+a+">")
		return LoginShell{Path: path, Env: entries(variables)}, nil
	case runErr != nil:
		return LoginShell{}, runErr
	}
	return LoginShell{}, errors.New("no answer")
}

// entries are the variables that env -0 printed; what has no NUL at its end is none.
func entries(text string) (out []string) {
	for entry := range strings.SplitSeq(text, "\x00") {
		if name, _, ok := strings.Cut(entry, "="); ok && name != "" && !strings.ContainsAny(name, " \t\n") {
			out = append(out, entry)
		}
	}
	return out
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

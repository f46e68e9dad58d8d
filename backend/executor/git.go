package executor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"kandev/backend/agentctl"
	"kandev/backend/proc"
)

// gitLimit bounds one run of git; making a worktree checks out every file.
const gitLimit = 2 * time.Minute

// gitGrace: it reads no stdin, so closing that ends nothing. On SIGTERM it takes
// back the worktree that it is making.
var gitGrace = proc.Grace{Stdin: time.Millisecond}

// maxGitOutput bounds what is read of one run, in bytes.
const maxGitOutput = 1 << 20

// ErrGit says that git could not be run, or said no.
var ErrGit = errors.New("git failed")

// ErrNoGit says that there is no git to run.
var ErrNoGit = errors.New("git is not installed, which worktrees need")

// git runs git in a folder and returns its output without the last line end.
// It never asks for a password and sees no repository but that of the folder.
func git(ctx context.Context, s Spec, host agentctl.Host, folder string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, gitLimit)
	defer cancel()
	p, err := proc.Start(ctx, proc.Command{Self: host.Guard, Path: "git", Args: args, Dir: folder, Env: gitEnvironment(s, host), PIDDir: host.PIDDir, Grace: gitGrace})
	if errors.Is(err, proc.ErrNotFound) {
		return "", ErrNoGit
	}
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrGit, err)
	}
	_ = p.Stdin().Close() // it reads none
	stop := context.AfterFunc(ctx, func() { _ = p.Stop(context.WithoutCancel(ctx)) })
	defer stop()
	out, readErr := io.ReadAll(io.LimitReader(p.Stdout(), maxGitOutput))
	_, _ = io.Copy(io.Discard, p.Stdout()) // or it would die of what nobody reads
	_ = p.Stdout().Close()
	<-p.Done() // at the latest when Stop has ended the tree
	exit := p.Exit()
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("%w: git %s: %w", ErrGit, args[0], context.Cause(ctx))
	case exit.Code != 0 || exit.Err != nil:
		return "", fmt.Errorf("%w: git %s: %s", ErrGit, args[0], reasonOf(p.StderrTail(), exit))
	case readErr != nil:
		return "", fmt.Errorf("%w: git %s: %w", ErrGit, args[0], readErr)
	}
	return strings.TrimRight(string(out), "\r\n"), nil
}

// reasonOf is the last line of what git said.
func reasonOf(stderr []byte, exit proc.Exit) string {
	lines := strings.Split(strings.TrimSpace(string(stderr)), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return last
	}
	return exit.String()
}

// gitEnvironment is that of the session's agent without what would lead git to
// another repository.
func gitEnvironment(s Spec, host agentctl.Host) []string {
	var base []string
	for _, name := range s.Environment {
		if value, ok := host.Getenv(name); ok {
			base = append(base, name+"="+value)
		}
	}
	return proc.Environ(base, []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX"},
		map[string]string{"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"})
}

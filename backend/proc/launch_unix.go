//go:build linux || darwin

package proc

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// charge is a guard that runs, seen from the app.
type charge struct {
	cmd     *exec.Cmd
	control *os.File // the only write end; closing it says stop
	status  *os.File
	lines   *bufio.Reader
	kill    time.Duration
	pidDir  string
}

// launch starts the guard, gives it the order and waits for its first word.
func launch(ctx context.Context, c Command) (*running, error) {
	if len(c.Self) == 0 {
		return nil, fmt.Errorf("%w: no command for the guard", ErrGuard)
	}
	if c.PIDDir != "" {
		if err := os.MkdirAll(c.PIDDir, 0o700); err != nil {
			return nil, fmt.Errorf("pid folder: %w", err)
		}
	}
	pipes, err := openPipes()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrGuard, err)
	}
	// The guard has the app's environment, which its own binary may need in order to load. The command's goes with the order.
	cmd := exec.Command(c.Self[0], c.Self[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = pipes.theirs(0), pipes.theirs(1), pipes.theirs(2)
	if c.OneStream {
		cmd.Stderr = cmd.Stdout
	}
	cmd.ExtraFiles = []*os.File{pipes.theirs(controlFD), pipes.theirs(statusFD)}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = cmd.Start()
	pipes.closeTheirs()
	if err != nil {
		pipes.closeOurs()
		return nil, fmt.Errorf("%w: %w", ErrGuard, err)
	}
	g := &charge{cmd: cmd, control: pipes.ours(controlFD), status: pipes.ours(statusFD), kill: c.Grace.Kill, pidDir: c.PIDDir}
	g.lines = bufio.NewReader(g.status)
	first, err := g.begin(ctx, order{Path: c.Path, Dir: c.Dir, PIDDir: c.PIDDir, Args: c.Args, Env: c.Env, Grace: c.Grace, Poll: c.poll})
	if err != nil {
		g.abandon()
		pipes.closeOurs()
		return nil, err
	}
	stop := sync.OnceFunc(func() { _ = g.control.Close() })
	return &running{
		pid: first.number, guard: cmd.Process.Pid, stdin: pipes.ours(0), stdout: pipes.ours(1), stderr: pipes.ours(2),
		stop: stop, kill: func() { _ = cmd.Process.Kill() },
		wait: func() Exit {
			defer stop()
			return g.wait(ident{PID: first.number, Start: first.text})
		},
	}, nil
}

// begin hands over the order and reads whether the command runs. The end of ctx kills the guard, which ends both.
func (g *charge) begin(ctx context.Context, o order) (status, error) {
	unhook := context.AfterFunc(ctx, func() { _ = g.cmd.Process.Kill() })
	defer unhook()
	limit := time.Now().Add(startLimit)
	_, _ = g.control.SetWriteDeadline(limit), g.status.SetReadDeadline(limit)
	err := o.write(g.control)
	if err == nil {
		var first status
		if first, err = g.next(); err == nil && first.kind == failed {
			return status{}, first.failure()
		}
		if err == nil && first.kind == started && unhook() {
			return first, g.status.SetReadDeadline(time.Time{})
		}
	}
	if ctx.Err() != nil {
		return status{}, ctx.Err()
	}
	return status{}, fmt.Errorf("%w: it did not come up: %w", ErrGuard, err)
}

func (g *charge) next() (status, error) {
	line, err := g.lines.ReadString('\n')
	if err != nil {
		return status{}, err
	}
	return parseStatus(line)
}

// wait reads the guard's words to the end. Without the last one the guard was killed, and the app takes its tree down itself.
func (g *charge) wait(agent ident) Exit {
	exit := Exit{Code: -1, Err: ErrGuard}
	for {
		s, err := g.next()
		if err != nil {
			break
		}
		switch s.kind {
		case exited:
			exit.Code = s.number
		case signalled:
			exit.Signal = unix.SignalName(syscall.Signal(s.number))
		case gone:
			exit.Err = nil
			if s.number > 0 {
				exit.Err = fmt.Errorf("%w: %d", ErrLeft, s.number)
			}
		}
	}
	if errors.Is(exit.Err, ErrGuard) {
		g.takeDown(agent)
	}
	_ = g.status.Close()
	_ = g.cmd.Wait()
	return exit
}

// abandon ends a guard that never got its command to run, or whose command nobody waits for any more.
func (g *charge) abandon() {
	_ = g.cmd.Process.Kill()
	g.takeDown(ident{})
	_ = g.cmd.Wait()
}

// takeDown kills what a dead guard left: its session, what its pid file names, and what descends from them. It comes before the guard is waited for, since until
// then the kernel gives the guard's number to no other session.
func (g *charge) takeDown(agent ident) {
	guard := g.cmd.Process.Pid
	known := map[ident]bool{agent: true}
	path := recordPath(g.pidDir, guard)
	if content, err := os.ReadFile(path); g.pidDir != "" && err == nil {
		if r, err := parseRecord(content); err == nil && r.Boot == bootID() {
			for _, id := range r.Tree {
				known[id] = true
			}
		}
		defer func() { _ = os.Remove(path) }()
	}
	killAll(g.kill, func() []entry {
		return remember(known, closure(processTable(), func(e entry) bool {
			return e.session == guard || known[e.ident]
		}))
	})
}

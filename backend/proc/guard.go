//go:build linux || darwin

package proc

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// guard is the state of the guard's process. Its goroutines end with the process.
type guard struct {
	order  order
	status *os.File
	agent  entry
	tree   *tree

	stopping  chan struct{} // the control pipe ended: the app said stop, or is gone
	signals   chan os.Signal
	ended     chan struct{} // the agent was reaped; result is valid
	childless chan struct{} // nothing is left to reap
	result    unix.WaitStatus
	reported  bool
	recorded  string // content of the pid file
}

// Guard is the whole guard subcommand. It finds its order on descriptor 3, reports on descriptor 4, and takes the descriptors 0 to 2 for
// the command. It returns the exit code of the guard, which is 0 when it did its work, whatever the command's own was.
// The caller does nothing before it and nothing after it.
func Guard() int {
	runtime.LockOSThread() // the death signal of the agent follows the thread that started it
	closeOnExecFrom(controlFD)
	control := os.NewFile(controlFD, "control")
	g := &guard{
		status: os.NewFile(statusFD, "status"), tree: newTree(os.Getpid()), signals: make(chan os.Signal, 1),
		stopping: make(chan struct{}), ended: make(chan struct{}), childless: make(chan struct{}),
	}
	signal.Notify(g.signals, unix.SIGTERM, unix.SIGINT, unix.SIGHUP)
	var err error
	if g.order, err = readOrder(control); err != nil {
		fmt.Fprintln(os.Stderr, "guard: started without an order; the app starts it, not a person")
		return 2
	}
	if err := g.start(); err != nil {
		g.report(failureStatus(err))
		return 1
	}
	go g.reap()
	go func() {
		defer close(g.stopping)
		_, _ = io.Copy(io.Discard, control)
	}()
	g.live()
	left := g.end()
	g.removeRecord()
	g.report(status{kind: gone, number: left})
	if left > 0 {
		return 1
	}
	return 0
}

// report writes one line. The app may be gone, then nobody wants it.
func (g *guard) report(s status) { _, _ = io.WriteString(g.status, s.line()) }

// start runs the command and gives up the descriptors that are its own.
func (g *guard) start() error {
	if err := becomeReaper(); err != nil {
		return fmt.Errorf("%w: subreaper: %w", ErrGuard, err)
	}
	pid, err := g.order.exec()
	if err != nil {
		return err
	}
	// Not reaped yet, so the row is there even when the command has ended already.
	if e, ok := processEntry(pid); ok {
		g.agent = e
	} else {
		g.agent = entry{ident: ident{PID: pid}}
	}
	g.agent.group = pid
	g.tree.seen[g.agent.ident] = true
	// The pid file is only the second net: a full disk must not keep the command from running.
	_ = g.record(g.tree.refresh()) // the next poll tries again
	if err := releaseStdio(); err != nil {
		killAll(g.order.Grace.Kill, g.tree.refresh)
		return fmt.Errorf("%w: stdio: %w", ErrGuard, err)
	}
	g.report(status{kind: started, number: pid, text: g.agent.Start})
	return nil
}

// reap collects the agent and, on Linux, every orphan of its tree.
func (g *guard) reap() {
	defer close(g.childless)
	for {
		var result unix.WaitStatus
		pid, err := unix.Wait4(-1, &result, 0, nil)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return
		case pid == g.agent.PID:
			g.result = result
			close(g.ended)
		}
	}
}

// live lasts until the agent ends or must end. The poll keeps the pid file current, and on macOS the tree.
func (g *guard) live() {
	poll := time.NewTicker(g.order.Poll)
	defer poll.Stop()
	for {
		select {
		case <-g.stopping:
			return
		case <-g.signals: // a logout, say: the same as stop
			return
		case <-g.ended:
			return
		case <-poll.C:
			_ = g.record(g.tree.refresh()) // the next poll tries again
		}
	}
}

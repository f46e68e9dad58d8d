package proc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// drainLimit is how long what a tree has written may take to arrive after it is gone.
const drainLimit = time.Second

// drainMost is how much of stdout is read after that, in bytes: more than a pipe holds is of somebody outside of the tree.
const drainMost = 1 << 20

// Exit says how the command itself ended.
type Exit struct {
	Code   int    // its exit code, -1 when a signal ended it or when it is not known
	Signal string // such as "SIGKILL", "" when it exited by itself
	Err    error  // ErrGuard or ErrLeft, nil when all went as it should
}

func (e Exit) String() string {
	if e.Signal != "" {
		return "ended by " + e.Signal
	}
	return fmt.Sprintf("exit code %d", e.Code)
}

// running is what the system's part of Start hands over. The functions are safe for concurrent use, wait is called once.
type running struct {
	pid                   int // the command's
	guard                 int // the guard's, 0 where there is none
	stdin, stdout, stderr *os.File
	stop                  func()      // asks for an orderly end; again is harmless
	kill                  func()      // ends the tree now; for a guard that hangs
	wait                  func() Exit // returns when the tree is gone, and releases what the others use
}

// Process is a started command. Its methods are safe for concurrent use. Whoever started it calls Stop, or waits for Done.
type Process struct {
	name   string
	run    *running
	limit  time.Duration
	tail   *tail
	stdout *stream
	done   chan struct{}
	exit   Exit

	mu    sync.Mutex
	timer *time.Timer // set by the first Stop
}

// Start runs the command under a guard and returns when it runs. ctx ends the starting only, not the process.
// Errors: ErrNotFound, ErrNotExecutable, ErrNoFolder, ErrGuard, or the context's, wrapped with the name.
func Start(ctx context.Context, c Command) (*Process, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Path, err)
	}
	name := c.Path
	c, err := c.resolved()
	if err != nil {
		return nil, err
	}
	run, err := launch(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	p := &Process{
		name: name, run: run, limit: c.Grace.total() + stopMargin, tail: newTail(c.StderrTail),
		stdout: &stream{file: run.stdout}, done: make(chan struct{}),
	}
	go p.watch()
	return p, nil
}

// watch owns the process until its tree is gone; Stop and Done wait for it.
func (p *Process) watch() {
	drained := make(chan struct{})
	go func() { defer close(drained); p.tail.drain(p.run.stderr) }()
	exit := p.run.wait()
	select {
	case <-drained:
	case <-time.After(drainLimit): // something we could not end still holds the pipe
	}
	_ = p.run.stderr.Close()
	<-drained
	p.stdout.expire()
	_ = p.run.stdin.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer != nil {
		p.timer.Stop()
	}
	p.exit = exit
	close(p.done)
}

// Stdin is the command's stdin. Writing blocks while the command does not read; Close and Stop end such a write.
func (p *Process) Stdin() io.WriteCloser { return p.run.stdin }

// Stdout is the command's stdout, to be read by one goroutine. It frees itself at its end; who stops reading earlier closes it.
// The end comes when the last process of the tree that holds it is gone; after Done its reads wait for a second or two in all.
func (p *Process) Stdout() io.ReadCloser { return p.stdout }

// StderrTail is a copy of the last bytes of stderr, complete after Done. Foreign text: redact before showing, never log.
func (p *Process) StderrTail() []byte { return p.tail.Bytes() }

// PID is the command's own, not the guard's. It means nothing after Done.
func (p *Process) PID() int { return p.run.pid }

// Done is closed when the command and everything it started are gone.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit is how the command ended. Valid after Done; before it, code -1.
func (p *Process) Exit() Exit {
	select {
	case <-p.done:
		return p.exit
	default:
		return Exit{Code: -1}
	}
}

// Stop closes stdin, tells the guard, and waits for Done or for ctx. The tree ends even when ctx ends first. Again is harmless.
// The error is ctx's, or that of Exit.
func (p *Process) Stop(ctx context.Context) error {
	p.beginStop()
	select {
	case <-p.done:
	case <-ctx.Done():
		return fmt.Errorf("stop %s: %w", p.name, ctx.Err())
	}
	if p.exit.Err != nil {
		return fmt.Errorf("stop %s: %w", p.name, p.exit.Err)
	}
	return nil
}

// StopSoon is Stop that does not wait; Done tells when the tree is gone.
func (p *Process) StopSoon() { p.beginStop() }

// beginStop closes stdin last: where closing waits for a blocked write, only the end of the tree frees that write.
func (p *Process) beginStop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.done:
		return
	default:
	}
	if p.timer == nil {
		p.timer = time.AfterFunc(p.limit, p.run.kill)
		p.run.stop()
		_ = p.run.stdin.Close()
	}
}

// stream closes its file at the end of the stream, so that a reader who reads to the end leaves nothing open.
type stream struct {
	file   *os.File
	over   atomic.Bool   // the tree is gone
	rest   int           // bytes that were read since; this and the next are the reader's own
	waited time.Duration // for them
}

func (s *stream) Read(p []byte) (int, error) {
	began, over := time.Now(), s.over.Load()
	if over {
		_ = s.file.SetReadDeadline(began.Add(drainLimit - s.waited))
	}
	n, err := s.file.Read(p)
	if over {
		s.rest += n
		s.waited += time.Since(began)
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, os.ErrClosed), err == nil && s.rest > drainMost:
		err = io.EOF
		_ = s.file.Close()
	case err != nil:
		_ = s.file.Close()
	}
	return n, err
}

func (s *stream) Close() error { return s.file.Close() }

// expire ends the stream although somebody outside of the tree may hold it: a process that we could not end or never saw, or one that was
// handed the descriptor. What the pipe holds is still read, however slow the reader is.
func (s *stream) expire() {
	s.over.Store(true)
	_ = s.file.SetReadDeadline(time.Now().Add(drainLimit))
}

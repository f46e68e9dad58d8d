package agentctl

import (
	"io"
	"sync"
	"time"

	"kandev/backend/acp"
	"kandev/backend/proc"
	"kandev/backend/session"
)

const (
	shownEvery = 200 * time.Millisecond // between two looks at a terminal that writes
	drainLimit = time.Second            // for the rest of the output after the end
)

// terminal is one command and what it wrote. Safe for concurrent use.
type terminal struct {
	id      string
	command string // as one line
	process *proc.Process
	limit   int           // bytes that the agent is told
	changed chan struct{} // one token: it wrote something
	done    chan struct{} // closed when the command is gone and its output whole

	mu      sync.Mutex
	written tail
}

func newTerminal(id, command string, p *proc.Process, limit int) *terminal {
	return &terminal{
		id: id, command: command, process: p, limit: limit,
		written: tail{keep: max(limit, session.MaxTerminal)}, changed: make(chan struct{}, 1), done: make(chan struct{}),
	}
}

// Write takes output; it never fails and never waits.
func (t *terminal) Write(b []byte) (int, error) {
	t.mu.Lock()
	t.written.add(b)
	t.mu.Unlock()
	select {
	case t.changed <- struct{}{}:
	default:
	}
	return len(b), nil
}

// watch owns the terminal until its command is gone and tells how it stands.
// ended is called before anybody can know that it is over.
func (t *terminal) watch(tell func(session.Terminal), ended func()) {
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(t, t.process.Stdout()) // an error is an end: the pipe is ours
	}()
	for runs := true; runs; {
		select {
		case <-t.process.Done():
			runs = false
		case <-t.changed:
			tell(t.shown())
			runs = t.rest()
		}
	}
	select {
	case <-read:
	case <-time.After(drainLimit): // something we could not end still holds the pipe
		_ = t.process.Stdout().Close()
		<-read
	}
	ended()
	close(t.done)
	tell(t.shown())
}

// rest waits until one may look again; false: the command is gone.
func (t *terminal) rest() (runs bool) {
	rest := time.NewTimer(shownEvery)
	defer rest.Stop()
	select {
	case <-t.process.Done():
		return false
	case <-rest.C:
		return true
	}
}

// over reports whether the command and all that it started are gone.
func (t *terminal) over() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

// exit says how the command ended; valid when it is over.
func (t *terminal) exit() acp.TerminalExit {
	e := t.process.Exit()
	if e.Signal != "" || e.Code < 0 {
		return acp.TerminalExit{Signal: e.Signal}
	}
	return acp.TerminalExit{Code: &e.Code}
}

// output is what the agent is told.
func (t *terminal) output() acp.TerminalOutput {
	over := t.over()
	text, cut := t.text(t.limit, over)
	out := acp.TerminalOutput{Text: text, Truncated: cut}
	if over {
		exit := t.exit()
		out.Exit = &exit
	}
	return out
}

// shown is what the person is shown.
func (t *terminal) shown() session.Terminal {
	over := t.over()
	text, cut := t.text(session.MaxTerminal, over)
	s := session.Terminal{ID: t.id, Command: t.command, Output: text, Cut: cut, Ended: over}
	if over {
		exit := t.exit()
		s.Code, s.Signal = exit.Code, exit.Signal
	}
	return s
}

func (t *terminal) text(limit int, whole bool) (string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.written.text(limit, whole)
}

package agentctl

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"kandev/backend/acp"
	"kandev/backend/proc"
	"kandev/backend/session"
)

// Bounds of an agent's terminals.
const (
	MaxTerminals    = 32      // commands that run at once, released ones that have not ended included
	MaxTerminalsAll = 128     // those that ended and were not released included
	MaxOutput       = 1 << 20 // bytes of output kept of one, whatever the agent asks for
)

// terminals are the commands that an agent runs through us: each a process tree
// with a guard of its own, ended with its attempt, with the instance, and when
// the app is gone. Safe for concurrent use.
type terminals struct {
	folder  string
	command func(r acp.CreateTerminal, folder string) proc.Command
	newID   func(prefix string) string
	tell    func(session.Terminal)

	mu      sync.Mutex
	closed  bool
	attempt int // terminals begun in an earlier one are not kept
	begun   int // that are being started
	running int // that were started and are not over, whether still known or not
	all     map[string]*terminal
	wg      sync.WaitGroup // of terminals; added to only while closed is false
}

func newTerminals(folder string, command func(acp.CreateTerminal, string) proc.Command, host Host) *terminals {
	t := &terminals{folder: folder, command: command, newID: host.NewID, tell: host.Terminal, all: map[string]*terminal{}}
	if t.tell == nil {
		t.tell = func(session.Terminal) {}
	}
	return t
}

// answers are the functions behind the terminal methods.
func (t *terminals) answers() acp.Terminals {
	return acp.Terminals{Create: t.create, Output: t.output, Wait: t.waitForExit, Kill: t.kill, Release: t.release}
}

// create starts a command. What it shows is told before its id is known to the
// agent.
func (t *terminals) create(ctx context.Context, r acp.CreateTerminal) (string, error) {
	folder, err := terminalFolder(t.folder, r.Cwd)
	if err != nil {
		return "", err
	}
	attempt, err := t.begin()
	if err != nil {
		return "", err
	}
	p, err := proc.Start(ctx, t.command(r, folder))
	if err != nil {
		t.began(nil, attempt)
		return "", startRefusal(ctx, r.Command, err)
	}
	_ = p.Stdin().Close() // nobody types there
	one := newTerminal(t.newID("term"), commandLine(r.Command, r.Args), p, limitOf(r.Limit))
	t.tell(one.shown())
	if !t.began(one, attempt) {
		p.StopSoon()
		return "", errTerminalGone
	}
	if ctx.Err() != nil { // nobody will know its id
		_ = t.release(ctx, acp.TerminalRef{TerminalID: one.id})
		return "", errTerminalGone
	}
	return one.id, nil
}

// begin reserves a place.
func (t *terminals) begin() (attempt int, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.closed:
		return 0, errTerminalGone
	case t.begun+t.running >= MaxTerminals:
		return 0, &acp.TerminalError{Sentence: fmt.Sprintf("%d terminals run already, which is the most at once. Wait for one, or kill one.", MaxTerminals)}
	case t.begun+len(t.all) >= MaxTerminalsAll:
		return 0, &acp.TerminalError{Sentence: fmt.Sprintf("%d terminals are not released, which is the most. Release some.", MaxTerminalsAll)}
	}
	t.begun++
	t.wg.Add(1)
	return t.attempt, nil
}

// began gives the place to a terminal that was started, or back for nil. false:
// its attempt is over; it is watched to its end and forgotten.
func (t *terminals) began(one *terminal, attempt int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.begun--
	if one == nil {
		t.wg.Done()
		return true
	}
	t.running++
	go func() {
		defer t.wg.Done()
		one.watch(t.tell, t.ended)
	}()
	if t.closed || attempt != t.attempt {
		return false
	}
	t.all[one.id] = one
	return true
}

// ended gives a place back.
func (t *terminals) ended() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running--
}

func (t *terminals) find(id string) (*terminal, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if one := t.all[id]; one != nil {
		return one, nil
	}
	return nil, errTerminalUnknown
}

func (t *terminals) output(_ context.Context, r acp.TerminalRef) (acp.TerminalOutput, error) {
	one, err := t.find(r.TerminalID)
	if err != nil {
		return acp.TerminalOutput{}, err
	}
	return one.output(), nil
}

// waitForExit has no limit of its own: it ends with the command, which ends with
// its attempt.
func (t *terminals) waitForExit(ctx context.Context, r acp.TerminalRef) (acp.TerminalExit, error) {
	one, err := t.find(r.TerminalID)
	if err != nil {
		return acp.TerminalExit{}, err
	}
	select {
	case <-one.done:
		return one.exit(), nil
	case <-ctx.Done():
		return acp.TerminalExit{}, ctx.Err()
	}
}

// kill answers when the command and all that it started are gone.
func (t *terminals) kill(ctx context.Context, r acp.TerminalRef) error {
	one, err := t.find(r.TerminalID)
	if err != nil {
		return err
	}
	one.process.StopSoon()
	select {
	case <-one.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// release forgets the terminal at once; its command ends in the background.
func (t *terminals) release(_ context.Context, r acp.TerminalRef) error {
	t.mu.Lock()
	one := t.all[r.TerminalID]
	delete(t.all, r.TerminalID)
	t.mu.Unlock()
	if one == nil {
		return errTerminalUnknown
	}
	one.process.StopSoon()
	return nil
}

// endAttempt ends and forgets every terminal; it does not wait.
func (t *terminals) endAttempt() {
	t.mu.Lock()
	old := slices.Collect(maps.Values(t.all))
	clear(t.all)
	t.attempt++
	t.mu.Unlock()
	for _, one := range old {
		one.process.StopSoon()
	}
}

// end is endAttempt, and nothing is started any more.
func (t *terminals) end() {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.endAttempt()
}

// wait returns when all commands are gone, after end; proc bounds how long that is.
func (t *terminals) wait() { t.wg.Wait() }

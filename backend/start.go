package backend

import (
	"cmp"
	"context"
	"errors"
	"time"

	"kandev/backend/acp"
	"kandev/backend/agentctl"
	"kandev/backend/executor"
	"kandev/backend/session"
	"kandev/backend/timelimit"
)

// StartSession starts the agent of a session that has none running: a new
// execution and a new attempt, in which an earlier session is loaded when the
// agent can. It returns when the start has begun; how it goes on is told to the
// window.
func (b *Backend) StartSession(ctx context.Context, id session.ID) error {
	return b.start(ctx, id, beginning{})
}

// beginning is what a start is asked for.
type beginning struct {
	prompt string // sent once the agent is ready; after a start that failed it is kept for the next one
	fresh  bool   // nothing earlier is loaded
	auth   string // id of the method to log in by first; "" = none
}

// start begins an execution.
func (b *Backend) start(ctx context.Context, id session.ID, how beginning) error {
	c, err := b.find(id)
	if err != nil {
		return err
	}
	if err := c.load(ctx); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.idle(); err != nil {
		return err
	}
	if !b.enter() {
		return errClosing
	}
	c.row.AgentName, c.stopping, c.loginAsk = "", "", how.auth != ""
	if how.prompt != "" {
		c.first = how.prompt
		c.add(session.Item{Kind: session.ItemPrompt, Text: how.prompt, Ref: session.RefWaiting})
	}
	if how.fresh {
		c.row.AgentSession = ""
	}
	c.typed = nil
	c.wants, c.next, c.over = how, make(chan delivery, 1), make(chan struct{})
	c.newExecution()
	c.enter(session.Starting, "")
	ctx, cancel := context.WithCancel(b.ctx)
	c.endStart = cancel
	go c.live(ctx)
	return nil
}

// newExecution begins another life of the agent process. Lock held.
func (c *conversation) newExecution() {
	c.row.Execution, c.ran = newID("x"), ""
	c.items.newExecution()
}

// live is a session with an agent: one execution, and another one where an
// agent must be restarted for a new attempt, to the end of the last process.
// starting ends when the session is stopped: whatever a start waits for before
// it has a process (login shell, keychain, git, the person) ends with it.
func (c *conversation) live(starting context.Context) {
	defer c.b.wg.Done()
	defer c.endStart()
	for d := (delivery{}); ; {
		i, err := c.launch(starting)
		if err != nil {
			if noFolder(err) {
				c.tellFolder()
			}
			c.ended(failure(err, c.secrets()...), nil)
			return
		}
		if reason := c.adopt(i); reason != "" {
			c.finish(i, reason, false)
			return
		}
		d, err = c.serve(c.b.ctx, i, d)
		switch {
		case err == nil:
			c.finish(i, "", true)
			return
		case !errors.Is(err, agentctl.ErrRestart):
			c.finish(i, c.failure(err), errors.Is(err, acp.ErrClosed))
			return
		case !c.release():
			c.finish(i, "", false)
			return
		}
		c.close(i, "restart")
		c.renew()
	}
}

// serve says hello and makes attempts until the agent is gone. ErrRestart comes
// with what the next process has to begin with.
func (c *conversation) serve(ctx context.Context, i *agentctl.Instance, d delivery) (delivery, error) {
	if err := c.greet(ctx, i); err != nil {
		return d, err
	}
	if d.reason == "" {
		d = c.firstDelivery(i)
	}
	for {
		var err error
		if d, err = c.deliver(ctx, i, d); err != nil {
			return d, err
		}
		select {
		case <-i.Done():
		case <-i.Lost():
		case <-ctx.Done():
		case d = <-c.next:
			continue
		}
		return d, nil
	}
}

// release gives an instance up for the next one, unless it is being stopped.
func (c *conversation) release() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopping != "" {
		return false
	}
	c.instance = nil
	return true
}

// renew begins the next execution, when all that the one before it had to tell
// was told: how its commands ended comes with the end of its process.
func (c *conversation) renew() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.items.endExecution(c.b.o.Now())
	c.newExecution()
	c.touched()
}

// launch builds the instance where the session's executor says.
func (c *conversation) launch(ctx context.Context) (*agentctl.Instance, error) {
	c.mu.Lock()
	row := c.row
	c.mu.Unlock()
	c.b.mu.Lock()
	p, t := c.b.projects[row.Project], c.b.tasks[row.Task]
	off := c.b.settings.PreambleOff
	c.b.mu.Unlock()
	start, err := c.b.command(ctx, row.Agent)
	if err != nil {
		return nil, err
	}
	rows := c.b.ownServersOn(ctx, row.Agent)
	servers := c.b.withValues(ctx, rows, c.typedFor(ctx, rows))
	c.mu.Lock()
	if c.stopping != "" { // while it was asked for values
		c.mu.Unlock()
		return nil, errStopped
	}
	c.ran, c.given, c.program = shownCommand(start.argv), append(start.given, givenValues(servers)...), start.program
	c.mu.Unlock()
	spec := c.b.place(row, p)
	spec.Agent, spec.Command, spec.Servers, spec.Limits = start.Definition, start.argv, servers, c.b.o.limits
	spec.Profile = agentctl.Profile{Provisional: t.Provisional, NoPreamble: contains(off, row.Agent)}
	host := c.host()
	if start.path == "" && len(servers) > 0 { // programs of servers need their node as well
		start.path = c.b.programs(ctx).childPath(program{place: onPath})
	}
	host.Getenv = c.b.getenvWith(start.path)
	return executor.Create(ctx, spec, host)
}

// adopt makes the instance the session's, unless it was stopped meanwhile.
func (c *conversation) adopt(i *agentctl.Instance) (stopped string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopping == "" {
		c.instance = i
	}
	return c.stopping
}

// greet says hello, and logs in where that is asked for.
func (c *conversation) greet(ctx context.Context, i *agentctl.Instance) error {
	answered := make(chan struct{})
	c.b.wg.Go(func() { c.tellSlow(answered) })
	in, err := i.Initialize(ctx)
	close(answered)
	if err != nil {
		return err
	}
	c.mu.Lock()
	if c.wants.auth != "" { // from here on it is the person who takes long
		c.row.Reason = ""
	}
	c.row.AgentName, c.auth = c.b.agentTitle(c.row.Agent, in.Agent), in.AuthMethods
	c.publishRow()
	method := c.wants.auth
	c.mu.Unlock()
	if method == "" {
		return nil
	}
	return c.login(ctx, i, method)
}

// stillStarting is what a session says whose agent takes long.
const stillStarting = "The agent is still starting."

// tellSlow tells of an agent that does not answer soon.
func (c *conversation) tellSlow(answered <-chan struct{}) {
	soon := time.NewTimer(cmp.Or(c.b.o.slowStart, timelimit.StillStarting))
	defer soon.Stop()
	select {
	case <-answered:
		return
	case <-soon.C:
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.row.State == session.Starting && c.stopping == "" && !isClosed(answered) {
		c.row.Reason = stillStarting
		c.publishRow()
	}
}

package backend

import (
	"context"
	"errors"
	"fmt"

	"kandev/backend/acp"
	"kandev/backend/agentctl"
	"kandev/backend/attach"
	"kandev/backend/executor"
	"kandev/backend/session"
)

// StartSession starts the agent of a session that has none running: a new
// execution and a new attempt. It returns when the start has begun; how it goes
// on is told to the window.
func (b *Backend) StartSession(ctx context.Context, id session.ID) error {
	return b.start(ctx, id, "")
}

// start begins an execution. prompt is sent once the agent is ready; after a
// start that failed it is kept for the next one.
func (b *Backend) start(ctx context.Context, id session.ID, prompt string) error {
	c, err := b.find(id)
	if err != nil {
		return err
	}
	if err := c.load(ctx); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.removing || c.deleted:
		return fmt.Errorf("%w: %s", session.ErrNotFound, id)
	case c.row.State.Live():
		return session.ErrLive
	}
	if !b.enter() {
		return errClosing
	}
	c.row.Execution, c.row.AgentName, c.stopping, c.ran = newID("x"), "", "", ""
	if prompt != "" {
		c.first = prompt
	}
	c.over = make(chan struct{})
	c.items.newExecution()
	c.enter(session.Starting, "")
	go c.live()
	return nil
}

// live is one execution from its start to the end of its process tree.
func (c *conversation) live() {
	defer c.b.wg.Done()
	i, err := c.launch(c.b.ctx)
	if err != nil {
		c.ended(failure(err), nil)
		return
	}
	if reason := c.adopt(i); reason != "" {
		c.finish(i, reason, false)
		return
	}
	if err := c.greet(c.b.ctx, i); err != nil {
		c.finish(i, failure(err), errors.Is(err, acp.ErrClosed))
		return
	}
	select {
	case <-i.Done():
	case <-i.Lost():
	case <-c.b.ctx.Done():
	}
	c.finish(i, "", true)
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
	def, argv, err := c.b.argv(row.Agent)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.ran = shownCommand(argv)
	c.mu.Unlock()
	profile := agentctl.Profile{Provisional: t.Provisional, NoPreamble: contains(off, row.Agent)}
	return executor.Create(ctx, executor.Spec{
		Session: row, Project: p, Agent: def, Command: argv, Environment: c.b.environNames(), Profile: profile,
		Limits: c.b.o.limits,
	}, c.host())
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

// greet says hello and delivers the MCP configuration.
func (c *conversation) greet(ctx context.Context, i *agentctl.Instance) error {
	in, err := i.Initialize(ctx)
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.row.AgentName = c.b.agentTitle(c.row.Agent, in.Agent)
	c.publishRow()
	c.mu.Unlock()
	if err := i.Attempt(ctx, c.reason()); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.row.State == session.Starting {
		c.fresh = true
		c.row.State = session.Ready // not told when the first prompt goes out at once
		if text := c.first; text != "" && c.begin(text) == nil {
			c.first = ""
			return nil
		}
		c.enter(session.Ready, "")
		c.sendLater()
	}
	return nil
}

// reason says why the next attempt starts.
func (c *conversation) reason() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.history.Current() == nil {
		return attach.StartNew
	}
	return attach.StartRestart
}

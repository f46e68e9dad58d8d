package backend

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"kandev/backend/acp"
	"kandev/backend/agent"
	"kandev/backend/agentctl"
	"kandev/backend/attach"
	"kandev/backend/builtin"
	"kandev/backend/event"
	"kandev/backend/executor"
	"kandev/backend/proc"
	"kandev/backend/redact"
	"kandev/backend/session"
	"kandev/backend/tool"
)

// StartSession starts the agent of a session that has none running: a new
// execution and a new attempt. It returns when the start has begun; how it goes
// on is told to the window.
func (b *Backend) StartSession(ctx context.Context, id session.ID) error {
	return b.start(ctx, id, "")
}

// start begins an execution; prompt is sent once the agent is ready.
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
	if b.ctx.Err() != nil {
		return errClosing
	}
	if c.row.State.Live() || c.deleted {
		return session.ErrLive
	}
	c.row.Execution, c.row.AgentName, c.stopping = newID("x"), "", ""
	c.items.newExecution()
	c.enter(session.Starting, "")
	b.wg.Go(func() { c.live(prompt) })
	return nil
}

// live is one execution from its start to the end of its process tree.
func (c *conversation) live(prompt string) {
	i, err := c.launch(c.b.ctx)
	if err != nil {
		c.ended(failure(err), nil)
		return
	}
	if reason := c.adopt(i); reason != "" {
		c.finish(i, reason)
		return
	}
	if err := c.greet(c.b.ctx, i); err != nil {
		c.finish(i, failure(err))
		return
	}
	if prompt != "" {
		if err := c.prompt(prompt); err != nil {
			c.b.log.Warn("first prompt not sent", "session", c.row.ID, "err", err)
		}
	}
	select {
	case <-i.Done():
	case <-i.Lost():
	case <-c.b.ctx.Done():
	}
	c.finish(i, "")
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
	def, argv, err := c.b.command(ctx, row.Agent)
	if err != nil {
		return nil, err
	}
	profile := agentctl.Profile{Provisional: t.Provisional, NoPreamble: contains(off, row.Agent)}
	return executor.Create(ctx, executor.Spec{
		Session: row, Project: p, Agent: def, Command: argv, Environment: c.b.environNames(), Profile: profile,
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
	c.row.AgentName = agentTitle(c.row.Agent, in.Agent)
	c.publishRow()
	c.mu.Unlock()
	if err := i.Attempt(ctx, c.reason()); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.row.State == session.Starting {
		c.fresh = true
		c.enter(session.Ready, "")
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

// finish closes an instance and says how it ended.
func (c *conversation) finish(i *agentctl.Instance, reason string) {
	c.mu.Lock()
	asked := c.stopping
	c.mu.Unlock()
	why := endReason(asked, reason)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.b.ctx), stopLimit)
	defer cancel()
	if err := i.Close(ctx, why); err != nil && !errors.Is(err, context.Canceled) {
		c.b.log.Warn("agent did not end in order", "session", c.row.ID, "err", redact.Summary(err.Error()))
	}
	exit, stderr := i.Exit()
	if asked == "" && reason == "" {
		reason = "The agent ended by itself: " + exit.String() + "."
	}
	c.ended(reason, stderr)
}

func endReason(asked, failed string) string {
	switch {
	case asked != "":
		return "stopped"
	case failed != "":
		return "start_failed"
	}
	return "agent_ended"
}

// ended settles everything that waited on the agent. reason "" = it was asked to.
func (c *conversation) ended(reason string, stderr []byte) {
	c.cancelAll("The agent has ended.")
	c.mu.Lock()
	defer c.mu.Unlock()
	c.instance, c.fresh = nil, false
	c.items.endCalls(c.b.o.Now())
	state := session.Stopped
	if c.stopping == "" {
		state = session.Failed
		c.note(withStderr(reason, stderr))
	} else {
		reason = c.stopping
	}
	c.touched()
	c.enter(state, reason)
	c.b.out.publish(event.View{Attachment: c.attachmentView()})
}

// withStderr shows the last lines an agent wrote, redacted.
func withStderr(reason string, stderr []byte) string {
	lines := redact.Stderr(strings.Split(string(stderr), "\n"))
	if len(lines) == 0 {
		return reason
	}
	return reason + " Its last output:\n" + strings.Join(lines, "\n")
}

// host is what the instance acts through.
func (c *conversation) host() agentctl.Host {
	b := c.b
	return agentctl.Host{
		Endpoint: b.mcp.Open,
		Record:   c.record, Used: c.used,
		Tools:      c.tools,
		Preamble:   func(p agentctl.Profile) string { return builtin.Preamble(builtin.Profile{Provisional: p.Provisional}) },
		Update:     c.update,
		Permission: c.permission,
		Noise: func(length int, sha256 string) {
			b.log.Info("agent output that is not JSON-RPC", "session", c.row.ID, "length", length, "sha256", sha256)
		},
		Dropped: func(length int64) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.note(fmt.Sprintf("A message of the agent with %d MiB was dropped; the limit is 64 MiB.", length>>20))
		},
		Estimate: b.o.Estimate, Count: b.o.Count,
		Getenv: b.getenv, NewID: newID,
		Guard: append(append([]string{}, b.o.Self...), "guard"), PIDDir: b.path("run"),
		Version: b.o.Version, Now: b.o.Now, Log: b.log,
	}
}

// tools is the set that a profile of this session is served.
func (c *conversation) tools(p agentctl.Profile) *tool.Set {
	set, refused := tool.NewSet(1, builtin.Tools(builtin.Profile{Provisional: p.Provisional}, c.toolHost())...)
	for _, r := range refused {
		c.b.log.Error("tool not served", "tool", r.Name, "reason", r.Reason)
	}
	return set
}

// failure turns a start error into a sentence for the person.
func failure(err error) string {
	switch {
	case errors.Is(err, executor.ErrFolder), errors.Is(err, proc.ErrNoFolder):
		return "The project's folder is not there any more. Choose it again in the project menu, then start the session again."
	case errors.Is(err, agent.ErrNotInstalled), errors.Is(err, proc.ErrNotFound):
		return "The agent's program was not found. " + redact.Summary(err.Error())
	case errors.Is(err, proc.ErrNotExecutable):
		return "The agent's program cannot be executed. " + redact.Summary(err.Error())
	case acp.IsAuthRequired(err):
		return "The agent wants you to log in first. Log in with its own command, then start the session again."
	case errors.Is(err, acp.ErrNoAnswer):
		return "The agent did not answer in time. Start the session again, or look at its own log."
	}
	return "The agent could not be started: " + redact.Summary(err.Error())
}

// StopSession ends the agent of a session; its transcript and what it was
// given stay. It waits until the process tree is gone, at most nine seconds.
func (b *Backend) StopSession(ctx context.Context, id session.ID) error {
	c, err := b.find(id)
	if err != nil {
		return err
	}
	return c.stop(ctx, "Stopped by you.")
}

// stop asks the live goroutine to end and waits for it.
func (c *conversation) stop(ctx context.Context, why string) error {
	c.mu.Lock()
	if !c.row.State.Live() {
		c.mu.Unlock()
		return nil
	}
	if c.stopping == "" {
		c.stopping = why
	}
	i := c.instance
	c.mu.Unlock()
	if i != nil {
		if err := i.Close(ctx, "stopped"); err != nil && ctx.Err() != nil {
			return err
		}
	}
	return c.await(ctx, func(s session.State) bool { return !s.Live() })
}

// await polls the state; starts and ends are told to nobody else inside.
func (c *conversation) await(ctx context.Context, ok func(session.State) bool) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		c.mu.Lock()
		done := ok(c.row.State)
		c.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

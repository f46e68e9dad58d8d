package backend

import (
	"context"
	"errors"
	"strings"

	"kandev/backend/agentctl"
	"kandev/backend/event"
	"kandev/backend/redact"
	"kandev/backend/session"
)

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
	c.endAsk(nil)
	c.endStart()
	i, over := c.instance, c.over
	c.mu.Unlock()
	if i != nil {
		if err := i.Close(ctx, "stopped"); err != nil && ctx.Err() != nil {
			return err
		}
	}
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// finish closes an instance and says how it ended. gone: the agent had ended
// before, so that its exit is its own and worth telling.
func (c *conversation) finish(i *agentctl.Instance, reason string, gone bool) {
	c.mu.Lock()
	asked := c.stopping
	c.mu.Unlock()
	c.close(i, endReason(asked, reason))
	exit, stderr := i.Exit()
	switch {
	case reason == "":
		reason = "The agent ended by itself: " + exit.String() + "."
	case gone: // what was run and how it ended, spec/agents.md "Processes"
		reason += " It ran " + c.command() + ": " + exit.String() + "."
	}
	c.ended(reason, stderr)
}

// close ends an instance's process tree, within the limit of a stop.
func (c *conversation) close(i *agentctl.Instance, reason string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.b.ctx), stopLimit)
	defer cancel()
	if err := i.Close(ctx, reason); err != nil && !errors.Is(err, context.Canceled) {
		c.b.log.Warn("agent did not end in order", "session", c.row.ID, "err", redact.Summary(err.Error()))
	}
}

func (c *conversation) command() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ran
}

func isClosed(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
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

// ended settles everything that waited on the agent, and with it the execution.
// reason is dropped when somebody asked for the end.
func (c *conversation) ended(reason string, stderr []byte) {
	c.cancelAll("The agent has ended.")
	c.mu.Lock()
	defer c.mu.Unlock()
	c.instance, c.fresh, c.typed = nil, false, nil
	c.items.endExecution(c.b.o.Now())
	c.dropLater()
	state := session.Stopped
	if c.stopping == "" {
		state = session.Failed
		reason = c.hide(reason)
		c.note(reason)
		if output := lastOutput(stderr, c.given...); output != "" && reason != loginWanted {
			c.note(output)
		}
	} else {
		reason = c.stopping
	}
	c.touched()
	c.enter(state, reason)
	c.tell(event.View{Attachment: c.attachmentView()})
	close(c.over)
}

// lastOutput shows the last lines that an agent wrote, redacted; "" when it wrote none. It is a notice of its own: the
// window does not repeat the reason before it while it stands under the conversation.
func lastOutput(stderr []byte, secrets ...string) string {
	lines := redact.Stderr(strings.Split(string(stderr), "\n"), secrets...)
	if len(lines) == 0 {
		return ""
	}
	return "Its last output:\n" + strings.Join(lines, "\n")
}

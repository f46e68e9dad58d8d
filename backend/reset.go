package backend

import (
	"context"
	"errors"
	"slices"

	"kandev/backend/acp"
	"kandev/backend/agentctl"
	"kandev/backend/attach"
	"kandev/backend/redact"
	"kandev/backend/session"
)

// Sentences about what the agent still knows.
const (
	noteLost  = "The agent could not take up its earlier session, so the context was lost: it knows nothing of what was said above."
	noteAnew  = "This agent cannot take up an earlier session: it knows nothing of what was said above."
	noteReset = "The agent's context was reset: it knows nothing of what was said above."
)

// ResetSession gives a session a new context: the agent forgets what was said,
// the transcript stays. It is a new attempt of a running agent, which must have
// ended its turn, else ErrBusy; a session without an agent is started afresh.
// It returns when the reset has begun; how it goes on is told to the window.
func (b *Backend) ResetSession(ctx context.Context, id session.ID) error {
	c, err := b.find(id)
	if err != nil {
		return err
	}
	c.mu.Lock()
	state := c.row.State
	if state == session.Ready && c.instance != nil && c.stopping == "" {
		c.row.AgentSession = ""
		c.turn++ // a question of before is answered too late
		c.endPermits("The agent's context was reset.")
		c.endDetached("The agent's context was reset.")
		c.enter(session.Starting, "")
		c.next <- delivery{reason: attach.StartReset, note: noteReset} // has room: nothing resets while starting
		c.mu.Unlock()
		return nil
	}
	c.mu.Unlock()
	if state.Live() {
		return session.ErrBusy
	}
	return b.start(ctx, id, beginning{fresh: true})
}

// delivery is how the next attempt begins.
type delivery struct {
	reason string
	load   string // the agent's own id of the session to load; "" = session/new
	note   string // told once the attempt was accepted
}

// firstDelivery is how an execution begins: with what the agent knew before,
// where it can be loaded.
func (c *conversation) firstDelivery(i *agentctl.Instance) delivery {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.history.Current() == nil:
		return delivery{reason: attach.StartNew}
	case c.wants.fresh:
		return delivery{reason: attach.StartReset, note: noteReset}
	case c.row.AgentSession != "" && i.CanLoad():
		return delivery{reason: attach.StartLoad, load: c.row.AgentSession}
	}
	d := delivery{reason: attach.StartRestart}
	if c.spoken() {
		d.note = noteAnew
	}
	return d
}

// spoken reports whether there is something that the agent could have known;
// the embedded one has no memory to lose. Lock held.
func (c *conversation) spoken() bool {
	known, _ := c.b.o.agents(c.row.Agent)
	return !known.Embedded && slices.ContainsFunc(c.items.items, func(i session.Item) bool { return i.Kind == session.ItemPrompt && i.Ref != session.RefWaiting })
}

// deliver makes one attempt, and a second one when an earlier session cannot be
// loaded: what is lost then is said. ErrRestart comes back with what a new
// process has to begin with.
func (c *conversation) deliver(ctx context.Context, i *agentctl.Instance, d delivery) (delivery, error) {
	err := attempt(ctx, i, d)
	if err == nil {
		c.ready(i, d)
		return d, nil
	}
	if d.load == "" || !refused(err) || ctx.Err() != nil {
		return d, err
	}
	c.b.log.Info("session not loaded", "session", c.row.ID)
	c.mu.Lock()
	c.row.AgentSession = ""
	c.note(noteLost + " It said: " + redact.Summary(err.Error(), c.given...))
	c.mu.Unlock()
	return c.deliver(ctx, i, delivery{reason: attach.StartNew})
}

func attempt(ctx context.Context, i *agentctl.Instance, d delivery) error {
	if d.load != "" {
		return i.Load(ctx, d.load)
	}
	return i.Attempt(ctx, d.reason)
}

// ready lets the person go on, after an attempt that was accepted.
func (c *conversation) ready(i *agentctl.Instance, d delivery) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.row.State != session.Starting || c.stopping != "" {
		return
	}
	c.wants, c.loginAsk = beginning{}, false
	c.b.logins.wantsLogin(c.row.Agent, false)
	if c.row.AgentSession = i.AgentSession(); len(c.row.AgentSession) > session.MaxAgentSession {
		c.row.AgentSession = ""
	}
	if d.note != "" {
		c.note(d.note)
	}
	c.fresh = d.load == ""
	c.row.State = session.Ready // not told when the first prompt goes out at once
	if c.beginFirst() {
		return
	}
	c.enter(session.Ready, "")
	c.sendLater()
}

// refused reports whether a load failed in a way that leaves an agent to make a
// new session. One that wants a login keeps its session for later.
func refused(err error) bool {
	return !acp.IsAuthRequired(err) && !errors.Is(err, acp.ErrClosed) && !errors.Is(err, agentctl.ErrEnded) && !errors.Is(err, agentctl.ErrRestart)
}

package backend

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"kandev/backend/acp"
	"kandev/backend/agentctl"
	"kandev/backend/builtin"
	"kandev/backend/redact"
	"kandev/backend/session"
)

// errStopped is the cause that waiting calls end with when a person stops the turn.
var errStopped = errors.New("the person stopped the turn")

// MaxPrompt bounds what a person can send at once, in bytes.
const MaxPrompt = 1 << 20

// ErrPrompt says that a prompt is empty or too long.
var ErrPrompt = errors.New("a prompt has 1 byte to 1 MiB of text")

// Prompt sends a prompt to a session's agent; the turn runs on by itself.
func (b *Backend) Prompt(ctx context.Context, id session.ID, text string) error {
	c, err := b.find(id)
	if err != nil {
		return err
	}
	return c.prompt(text)
}

// prompt begins a turn when the agent is ready for one.
func (c *conversation) prompt(text string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.begin(text)
}

// begin is prompt with the lock held.
func (c *conversation) begin(text string) error {
	return c.beginTurn(text, turnStart{show: func() { c.add(session.Item{Kind: session.ItemPrompt, Text: text}) }})
}

// turnStart is what happens before a prompt goes out.
type turnStart struct {
	show func() // puts it into the transcript; lock held
	wait func() // nil = nothing is waited for
}

// beginTurn begins a turn with a prompt. Lock held.
func (c *conversation) beginTurn(text string, how turnStart) error {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if strings.TrimSpace(text) == "" || len(text) > MaxPrompt {
		return ErrPrompt
	}
	switch {
	case c.row.State == session.Working || c.row.State == session.Cancelling || c.row.State == session.Starting:
		return session.ErrBusy
	case c.row.State != session.Ready || c.instance == nil || c.stopping != "":
		return session.ErrNotLive
	}
	c.row.State = session.Working // before anything is told, so that no snapshot says ready
	c.turn++
	c.items.newTurn()
	clear(c.joined) // some agents count their calls anew in each turn
	blocks := c.preamble()
	how.show()
	c.enter(session.Working, "")
	i := c.instance
	c.b.wg.Go(func() {
		if how.wait != nil {
			how.wait()
		}
		c.run(i, append(blocks, acp.Block{Text: text}))
	})
	return nil
}

// preamble is the first block of the first prompt of an attempt that began
// with session/new. Lock held.
func (c *conversation) preamble() []acp.Block {
	first := c.fresh
	c.fresh = false
	c.b.mu.Lock()
	provisional, off := c.b.tasks[c.row.Task].Provisional, contains(c.b.settings.PreambleOff, c.row.Agent)
	c.b.mu.Unlock()
	if !first || off {
		return nil
	}
	text := builtin.Preamble(builtin.Profile{Provisional: provisional})
	c.add(session.Item{Kind: session.ItemPreamble, Text: text})
	return []acp.Block{{Text: text}}
}

// run sends the prompt, unless its turn was stopped before, and waits for the end
// of the turn.
func (c *conversation) run(i *agentctl.Instance, blocks []acp.Block) {
	c.mu.Lock()
	stopped := c.row.State == session.Cancelling
	c.mu.Unlock()
	stop, err := acp.StopCancelled, error(nil)
	if !stopped {
		stop, err = i.Prompt(c.b.ctx, blocks)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.instance != i || !c.row.State.Live() || errors.Is(err, acp.ErrClosed) || errors.Is(err, agentctl.ErrEnded) {
		return // the agent has ended: that is told, or about to be
	}
	c.items.endCalls(c.b.o.Now())
	if acp.IsAuthRequired(err) {
		c.note(c.loginSentence())
	} else if sentence := turnNote(stop, err, c.given...); sentence != "" {
		c.note(sentence)
	}
	c.touched()
	if errors.Is(err, acp.ErrNoAnswer) {
		c.stopping = "The agent did not react to Stop and was ended."
		c.b.wg.Go(func() { _ = i.Close(context.WithoutCancel(c.b.ctx), "no_answer_to_cancel") })
		return
	}
	c.enter(session.Ready, "")
	c.sendLater()
}

// turnNote says how a turn ended when it did not just end.
func turnNote(stop acp.StopReason, err error, given ...string) string {
	switch {
	case errors.Is(err, context.Canceled):
		return ""
	case err != nil:
		return "The agent ended the turn with an error: " + redact.Summary(err.Error(), given...)
	}
	switch stop {
	case acp.StopEndTurn, "":
		return ""
	case acp.StopCancelled:
		return "Stopped."
	case "max_tokens":
		return "The agent reached its token limit."
	case "max_turn_requests":
		return "The agent reached its limit of model requests in one turn."
	case "refusal":
		return "The agent refused to go on."
	}
	return fmt.Sprintf("The agent ended the turn: %s.", redact.Summary(string(stop), given...))
}

// CancelTurn stops the running turn; the agent lives on. What waits on our
// side is resolved whatever the agent does.
func (b *Backend) CancelTurn(id session.ID) error {
	c, err := b.find(id)
	if err != nil {
		return err
	}
	c.mu.Lock()
	i := c.instance
	if c.row.State != session.Working || i == nil {
		c.mu.Unlock()
		return nil
	}
	c.enter(session.Cancelling, "")
	c.dropLater()
	c.mu.Unlock()
	c.cancelAll("You stopped the turn.")
	return i.Cancel(errStopped)
}

// update merges what the agent shows into the transcript.
func (c *conversation) update(u acp.Update) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.items.apply(c.b.o.Now(), u) {
		c.touched()
	}
}

// terminal shows how a command of the agent stands.
func (c *conversation) terminal(state session.Terminal) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.items.setTerminal(c.b.o.Now(), state) {
		c.touched()
	}
}

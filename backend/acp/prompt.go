package acp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kandev/backend/session"
)

// StopReason says why a turn ended; a value we do not know stays as sent, ""
// means that the agent gave none.
type StopReason string

// Stop reasons of ACP version 1.
const (
	StopEndTurn         StopReason = "end_turn"
	StopMaxTokens       StopReason = "max_tokens"
	StopMaxTurnRequests StopReason = "max_turn_requests"
	StopRefusal         StopReason = "refusal"
	StopCancelled       StopReason = "cancelled"
)

// Block is one content block of a prompt. Text only, which every agent takes.
type Block struct{ Text string }

type textBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type promptParams struct {
	Session string      `json:"sessionId"`
	Prompt  []textBlock `json:"prompt"`
}

type sessionParams struct {
	Session string `json:"sessionId"`
}

// turn is one prompt that has not been answered.
type turn struct{ cancelled chan struct{} }

// cancel marks the turn. Conn.mu is held.
func (t *turn) cancel() {
	if !t.isCancelled() {
		close(t.cancelled)
	}
}

func (t *turn) isCancelled() bool {
	select {
	case <-t.cancelled:
		return true
	default:
		return false
	}
}

// Prompt runs one turn and returns when it has ended. When ctx ends it cancels
// the turn as Cancel does and still waits for the answer. A cancelled turn
// that is not answered within Limits.Cancel gives ErrNoAnswer, and a late
// answer is ignored; one that the agent ends with an error has stopped for
// StopCancelled. A second prompt while one runs is session.ErrBusy.
func (c *Conn) Prompt(ctx context.Context, sessionID string, blocks []Block) (StopReason, error) {
	if ctx.Err() != nil {
		return "", fmt.Errorf("session/prompt: %w", context.Cause(ctx))
	}
	params := promptParams{Session: sessionID, Prompt: make([]textBlock, 0, len(blocks))}
	for _, b := range blocks {
		params.Prompt = append(params.Prompt, textBlock{"text", b.Text})
	}
	t, err := c.beginTurn(sessionID)
	if err != nil {
		return "", fmt.Errorf("session/prompt: %w", err)
	}
	defer c.endTurn(sessionID, t)
	p, err := c.begin("session/prompt", params)
	if err != nil {
		return "", err
	}
	select {
	case a := <-p.answer:
		return stopOf(a, t)
	case <-t.cancelled:
	case <-ctx.Done():
		// Its only errors are those of the connection, which end the call too.
		_ = c.Cancel(sessionID)
	}
	return c.awaitCancelled(p, t)
}

func (c *Conn) awaitCancelled(p *call, t *turn) (StopReason, error) {
	timer := time.NewTimer(c.o.Limits.Cancel)
	defer timer.Stop()
	select {
	case a := <-p.answer:
		return stopOf(a, t)
	case <-timer.C:
		c.abandon(p)
		return "", fmt.Errorf("session/prompt: %w (%v after session/cancel)", ErrNoAnswer, c.o.Limits.Cancel)
	}
}

func stopOf(a answer, t *turn) (StopReason, error) {
	if _, refused := asError(a.err); refused && t.isCancelled() {
		return StopCancelled, nil
	}
	if a.err != nil {
		return "", fmt.Errorf("session/prompt: %w", a.err)
	}
	return StopReason(parseObject(a.result).text("stopReason")), nil
}

func (c *Conn) beginTurn(sessionID string) (*turn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.turns[sessionID] != nil {
		return nil, session.ErrBusy
	}
	t := &turn{cancelled: make(chan struct{})}
	c.turns[sessionID] = t
	delete(c.loaded, sessionID)
	return t, nil
}

func (c *Conn) endTurn(sessionID string, t *turn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.turns[sessionID] == t {
		delete(c.turns, sessionID)
	}
}

// Cancel asks the agent to end the running turn of a session. It does not
// wait: the turn's Prompt returns when it has ended. Open permission requests
// of the session are answered "cancelled" after it, and so are those that
// still come until the turn ends, as the protocol demands.
func (c *Conn) Cancel(sessionID string) error {
	f, err := encode(message{Method: "session/cancel", Params: sessionParams{sessionID}})
	if err != nil {
		return fmt.Errorf("session/cancel: %w", err)
	}
	frames := []*frame{f}
	c.mu.Lock()
	if t := c.turns[sessionID]; t != nil {
		t.cancel()
	}
	for s := range c.serving {
		if s.session != sessionID || !s.asks {
			continue
		}
		a, encodeErr := encode(message{ID: s.id, Result: outcomeOf(PermissionOutcome{})})
		err = errors.Join(err, encodeErr)
		if encodeErr == nil {
			frames = append(frames, a)
		}
		s.taken = true
		delete(c.serving, s)
		s.cancel()
	}
	err = errors.Join(err, c.enqueue(frames...))
	c.mu.Unlock()
	if err != nil {
		return fmt.Errorf("session/cancel: %w", err)
	}
	return nil
}

package acp

import (
	"context"
	"testing"
	"time"

	"kandev/backend/session"
)

func TestStopReasons(t *testing.T) {
	tests := []struct {
		answer string
		want   StopReason
	}{
		{`"result":{"stopReason":"end_turn"}`, StopEndTurn},
		{`"result":{"stopReason":"max_tokens","_meta":null}`, StopMaxTokens},
		{`"result":{"stopReason":"something_new"}`, "something_new"},
		{`"result":{"stopReason":5}`, ""},
		{`"result":null`, ""},
		{`"result":{"stopReason":"end_turn"},"error":null`, StopEndTurn},
	}
	for _, tt := range tests {
		c, p := connect(t, Options{})
		ch := async(func() (StopReason, error) { return c.Prompt(t.Context(), "s", []Block{{"<hi>"}}) })
		p.expect(`{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"<hi>"}]}}`)
		p.send(`{"jsonrpc":"2.0","id":1,` + tt.answer + `}`)
		if r := wait(t, tt.answer, ch); r.err != nil || r.value != tt.want {
			t.Errorf("%s: %q, %v; want %q", tt.answer, r.value, r.err, tt.want)
		}
	}
}

// The end of a prompt's context is a cancel: the answer still counts, and an
// agent that answers with an error has ended the turn as well.
func TestPromptCancelled(t *testing.T) {
	for _, answer := range []string{`"result":{"stopReason":"cancelled"}`, `"error":{"code":-32603,"message":"aborted"}`} {
		c, p := connect(t, Options{})
		ctx, cancel := context.WithCancel(t.Context())
		ch := async(func() (StopReason, error) { return c.Prompt(ctx, "s", nil) })
		p.line()
		cancel()
		p.expect(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}`)
		p.send(`{"jsonrpc":"2.0","id":1,` + answer + `}`)
		if r := wait(t, answer, ch); r.err != nil || r.value != StopCancelled {
			t.Errorf("%s: %q, %v", answer, r.value, r.err)
		}
		if _, err := c.Prompt(ctx, "s", nil); !isErr(err, context.Canceled) {
			t.Errorf("Prompt with an ended context: %v", err)
		}
	}
}

// A cancelled turn that is not answered is given up; the session can go on and
// the late answer harms nobody.
func TestCancelledTurnNotAnswered(t *testing.T) {
	c, p := connect(t, Options{Limits: Limits{Cancel: 20 * time.Millisecond}})
	ch := async(func() (StopReason, error) { return c.Prompt(t.Context(), "s", nil) })
	p.line()
	if err := c.Cancel("s"); err != nil {
		t.Fatal(err)
	}
	p.line()
	if r := wait(t, "first turn", ch); !isErr(r.err, ErrNoAnswer) {
		t.Errorf("first turn: %q, %v", r.value, r.err)
	}
	ch = async(func() (StopReason, error) { return c.Prompt(t.Context(), "s", nil) })
	p.line()
	p.send(`{"jsonrpc":"2.0","id":1,"result":{"stopReason":"cancelled"}}`, `{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}`)
	if r := wait(t, "second turn", ch); r.err != nil || r.value != StopEndTurn {
		t.Errorf("second turn: %q, %v", r.value, r.err)
	}
}

func TestOneTurnAtATime(t *testing.T) {
	c, p := connect(t, Options{})
	first := async(func() (StopReason, error) { return c.Prompt(t.Context(), "s", nil) })
	p.line()
	if _, err := c.Prompt(t.Context(), "s", nil); !isErr(err, session.ErrBusy) {
		t.Errorf("second prompt: %v, want ErrBusy", err)
	}
	other := async(func() (StopReason, error) { return c.Prompt(t.Context(), "t", nil) })
	p.line()
	p.send(`{"jsonrpc":"2.0","id":2,"result":{"stopReason":"refusal"}}`, `{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}}`)
	if r := wait(t, "other session", other); r.value != StopRefusal {
		t.Errorf("other session: %q, %v", r.value, r.err)
	}
	if r := wait(t, "first", first); r.value != StopEndTurn {
		t.Errorf("first: %q, %v", r.value, r.err)
	}
}

package acp

import (
	"context"
	"encoding/json"
	"math"

	"kandev/backend/agent"
)

// Terminals are the functions behind the terminal methods: all of them, or none.
// Several may run at once. ctx ends when the agent withdraws the request and with
// the connection. A TerminalError's text goes to the agent, any other error is
// answered without one.
type Terminals struct {
	// Create starts a command and answers the terminal's id at once.
	Create func(ctx context.Context, r CreateTerminal) (id string, err error)
	// Output is what the command has written so far.
	Output func(ctx context.Context, r TerminalRef) (TerminalOutput, error)
	// Wait returns when the command has ended.
	Wait func(ctx context.Context, r TerminalRef) (TerminalExit, error)
	// Kill ends the command; its terminal stays. Release ends both.
	Kill    func(ctx context.Context, r TerminalRef) error
	Release func(ctx context.Context, r TerminalRef) error
}

// CreateTerminal is one terminal/create, as the agent sent it.
type CreateTerminal struct {
	SessionID string
	Command   string
	Args      []string
	Env       []agent.Value
	Cwd       string  // "" = not given
	Limit     *uint64 // bytes of output to keep; nil = not given
}

// TerminalRef names a terminal in terminal/output, wait_for_exit, kill and release.
type TerminalRef struct{ SessionID, TerminalID string }

// TerminalOutput is what a command has written: its end, when it was too long.
type TerminalOutput struct {
	Text      string
	Truncated bool          // the beginning is missing
	Exit      *TerminalExit // nil while the command runs
}

// TerminalExit says how a command ended: by its own code, or by a signal. Both
// are empty when that is not known.
type TerminalExit struct {
	Code   *int // nil = none
	Signal string
}

// TerminalError is a refusal whose sentence the agent is told.
type TerminalError struct {
	Sentence string
	NotFound bool
}

func (e *TerminalError) Error() string { return e.Sentence }

type exitStatus struct {
	Code   *uint32 `json:"exitCode,omitempty"`
	Signal string  `json:"signal,omitempty"`
}

type createTerminalResult struct {
	ID string `json:"terminalId"`
}

type terminalOutputResult struct {
	Output    string      `json:"output"`
	Truncated bool        `json:"truncated"`
	Exit      *exitStatus `json:"exitStatus,omitempty"`
}

// terminalHandler is nil for a method that is none of the terminals'.
func (c *Conn) terminalHandler(method string) handler {
	do := c.o.Terminals
	switch method {
	case "terminal/create":
		return c.createTerminal
	case "terminal/output":
		return func(ctx context.Context, params json.RawMessage) (any, error) {
			out, err := do.Output(ctx, terminalRef(params))
			result := terminalOutputResult{Output: out.Text, Truncated: out.Truncated}
			if out.Exit != nil {
				status := statusOf(*out.Exit)
				result.Exit = &status
			}
			return result, err
		}
	case "terminal/wait_for_exit":
		return func(ctx context.Context, params json.RawMessage) (any, error) {
			exit, err := do.Wait(ctx, terminalRef(params))
			return statusOf(exit), err
		}
	case "terminal/kill":
		return func(ctx context.Context, params json.RawMessage) (any, error) {
			return struct{}{}, do.Kill(ctx, terminalRef(params))
		}
	case "terminal/release":
		return func(ctx context.Context, params json.RawMessage) (any, error) {
			return struct{}{}, do.Release(ctx, terminalRef(params))
		}
	}
	return nil
}

// createTerminal refuses what cannot be understood: a command must not run with
// less than it was meant to have.
func (c *Conn) createTerminal(ctx context.Context, params json.RawMessage) (any, error) {
	o := parseObject(params)
	r := CreateTerminal{SessionID: o.text("sessionId"), Command: o.text("command")}
	if r.Command == "" {
		return nil, &TerminalError{Sentence: "command must be a string that is not empty"}
	}
	for _, raw := range o.list("args") {
		arg, ok := stringOf(raw)
		if !ok {
			return nil, &TerminalError{Sentence: "args must be an array of strings"}
		}
		r.Args = append(r.Args, arg)
	}
	for _, raw := range o.list("env") {
		e := parseObject(raw)
		value, ok := stringOf(e["value"])
		if e.text("name") == "" || !ok {
			return nil, &TerminalError{Sentence: "env must be an array of objects with name and value"}
		}
		r.Env = append(r.Env, agent.Value{Name: e.text("name"), Value: value})
	}
	if raw := o.raw("cwd"); raw != nil {
		cwd, ok := stringOf(raw)
		if !ok || cwd == "" {
			return nil, &TerminalError{Sentence: "cwd must be an absolute path"}
		}
		r.Cwd = cwd
	}
	if raw := o.raw("outputByteLimit"); raw != nil {
		var f float64
		if json.Unmarshal(raw, &f) != nil || f < 0 {
			return nil, &TerminalError{Sentence: "outputByteLimit must be a number that is not negative"}
		}
		n := uint64(min(f, 1<<53)) // "no limit" is sent as the largest number there is
		r.Limit = &n
	}
	id, err := c.o.Terminals.Create(ctx, r)
	return createTerminalResult{id}, err
}

func terminalRef(params json.RawMessage) TerminalRef {
	o := parseObject(params)
	return TerminalRef{SessionID: o.text("sessionId"), TerminalID: o.id("terminalId")}
}

// statusOf keeps codes that the schema has no number for, below zero, out.
func statusOf(e TerminalExit) exitStatus {
	s := exitStatus{Signal: e.Signal}
	if e.Code != nil && *e.Code >= 0 && int64(*e.Code) <= math.MaxUint32 {
		code := uint32(*e.Code)
		s.Code = &code
	}
	return s
}

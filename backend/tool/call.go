package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"time"

	"kandev/backend/timelimit"
)

// DefaultLimit ends a handler that states no limit.
const DefaultLimit = timelimit.ToolHandler

// DefaultGrace is how long a handler may take to return after its ctx ended.
// Then the call is answered without it.
const DefaultGrace = 2 * time.Second

// Limits are the bounds of one call.
type Limits struct {
	Default time.Duration // for definitions with Limit 0; 0 is DefaultLimit
	Grace   time.Duration // 0 is DefaultGrace
	// Go starts the handler's goroutine, so that its owner can wait for one
	// that does not return in time. Nil starts it plainly.
	Go func(func())
}

// Outcome says how a call ended, for logs and counts.
type Outcome string

// Outcomes. Each but OutcomeOK and OutcomeCancelled is a failed call.
const (
	OutcomeOK        Outcome = "ok"
	OutcomeToolError Outcome = "tool_error"
	OutcomeInvalid   Outcome = "invalid_arguments"
	OutcomeFault     Outcome = "fault" // the handler returned an error
	OutcomePanic     Outcome = "panic"
	OutcomeDeadline  Outcome = "deadline"
	OutcomeCancelled Outcome = "cancelled" // by the client, the attempt or the app
)

// Failed tells a call that went wrong from one that was answered or cancelled.
func (o Outcome) Failed() bool { return o != OutcomeOK && o != OutcomeCancelled }

// Report is how a call ended. Site is the function that panicked; it holds no
// value of the call.
type Report struct {
	Outcome Outcome
	Site    string
}

var (
	errTaken    = fmt.Errorf("%w: the name is already taken", ErrRefused)
	errDeadline = errors.New("tool: deadline")
)

// Call runs one tool of this set: arguments are checked, then the handler runs
// under its limit. It returns a result in every case, soon after ctx ended at
// the latest. A def of another set is refused.
func (s *Set) Call(ctx context.Context, def *Definition, c Call, l Limits) (Result, Report) {
	checked, ok := s.Checked(def.Name)
	if own, _ := s.Lookup(def.Name); !ok || own != def {
		return Fail("This tool is not available any more."), Report{Outcome: OutcomeToolError}
	}
	c.Name = def.Name
	if raw := bytes.TrimSpace(c.Arguments); len(raw) == 0 || string(raw) == "null" {
		c.Arguments = json.RawMessage("{}")
	}
	if c.Progress == nil {
		c.Progress = func(string) {}
	}
	limit := def.Limit
	if limit <= 0 {
		limit = l.Default
	}
	if limit <= 0 {
		limit = DefaultLimit
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errDeadline)
	defer cancel()
	result, report := run(ctx, def, checked, c, l)
	if len(result.Structured) > 0 && !json.Valid(result.Structured) {
		return broken(def), Report{Outcome: OutcomeFault}
	}
	if report.Outcome == OutcomeOK && checked.output != nil {
		if wrong := validate(checked.output, result.Structured); wrong != "" {
			return Fail(fmt.Sprintf("%s gave a result that does not fit its own output schema.", def.Name)), Report{Outcome: OutcomeFault}
		}
	}
	if report.Outcome == OutcomeDeadline {
		result = Fail(fmt.Sprintf("%s did not finish within %s.", def.Name, limit))
	}
	return result, report
}

type ended struct {
	result Result
	report Report
}

// run waits for the handler, and after ctx ended only for the grace.
func run(ctx context.Context, def *Definition, checked Checked, c Call, l Limits) (Result, Report) {
	done := make(chan ended, 1)
	start := l.Go
	if start == nil {
		start = func(f func()) { go f() }
	}
	start(func() { guarded(ctx, def, checked, c, func(e ended) { done <- e }) })
	select {
	case e := <-done:
		return e.result, e.report
	case <-ctx.Done():
	}
	grace := l.Grace
	if grace <= 0 {
		grace = DefaultGrace
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case e := <-done:
		return e.result, e.report
	case <-timer.C:
		return stopped(ctx, def)
	}
}

// guarded checks the arguments and runs the handler; a panic or an exit of its
// goroutine is an answer. Checking is under the call's limit as well: nothing
// bounds how long a hostile recursive schema takes.
func guarded(ctx context.Context, def *Definition, checked Checked, c Call, end func(ended)) {
	returned := false
	defer func() {
		if returned {
			return
		}
		_ = recover() // its value may hold arguments: it is not kept
		end(ended{broken(def), Report{Outcome: OutcomePanic, Site: panicSite()}})
	}()
	if wrong := validate(checked.input, c.Arguments); wrong != "" {
		returned = true
		end(ended{Fail("Invalid arguments for " + def.Name + ": " + wrong), Report{Outcome: OutcomeInvalid}})
		return
	}
	result, err := def.Handler(ctx, c)
	returned = true
	switch {
	case err == nil && result.IsError:
		end(ended{result, Report{Outcome: OutcomeToolError}})
	case err == nil:
		end(ended{result, Report{Outcome: OutcomeOK}})
	case ctx.Err() != nil:
		result, report := stopped(ctx, def)
		end(ended{result, report})
	default:
		end(ended{broken(def), Report{Outcome: OutcomeFault}})
	}
}

func broken(def *Definition) Result {
	return Fail(def.Name + " failed inside Kandev. Nothing more is known; trying again may help.")
}

// stopped is the answer to a call whose ctx ended.
func stopped(ctx context.Context, def *Definition) (Result, Report) {
	if errors.Is(context.Cause(ctx), errDeadline) || errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return Fail(def.Name + " did not finish in time."), Report{Outcome: OutcomeDeadline}
	}
	return Fail(def.Name + " was cancelled."), Report{Outcome: OutcomeCancelled}
}

// panicSite names the function that panicked, as seen from a deferred call.
func panicSite() string {
	pcs := make([]uintptr, 16)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for {
		f, more := frames.Next()
		if f.Function != "" && !bytes.HasPrefix([]byte(f.Function), []byte("runtime.")) {
			return f.Function
		}
		if !more {
			return ""
		}
	}
}

package wasm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/tetratelabs/wazero/sys"
)

// Outcome says how a call of a plugin ended, for logs, counts and crash loops.
type Outcome string

// The outcomes.
const (
	OK        Outcome = "ok"
	ToolError Outcome = "tool_error" // the tool's own answer is an error
	Trap      Outcome = "trap"       // unreachable, out of bounds, stack or memory at its end
	Exit      Outcome = "exit"       // the module ended itself
	Timeout   Outcome = "timeout"
	Malformed Outcome = "malformed" // an answer that is none, or over a limit
	Refused   Outcome = "refused"   // by the host: a grant, a limit, a bad use of its functions, no free instance
	Unusable  Outcome = "unusable"  // it could not be loaded
	Cancelled Outcome = "cancelled" // by the client, or the plugin was switched off
)

// Crashed reports whether the outcome counts towards a crash loop.
func (o Outcome) Crashed() bool {
	return o == Trap || o == Exit || o == Timeout || o == Unusable
}

// Failure is a call that gave no result. Line is one clean line for the model
// and the person; it may hold text of the module, never a Go or wasm stack.
type Failure struct {
	Outcome Outcome
	Line    string
	// Load numbers the load that failed, or that took longer than the call had
	// time; 0: it was not the load. Calls that waited for one have one number.
	Load uint64
}

func (f *Failure) Error() string { return f.Line }

func failure(o Outcome, format string, args ...any) *Failure {
	return &Failure{Outcome: o, Line: line(fmt.Sprintf(format, args...))}
}

// refusal is what a host function panics with: the engine ends the call and
// hands it back.
type refusal struct {
	text    string
	waiting bool // for another's answer
}

func (r refusal) Error() string { return r.text }

func refuse(format string, args ...any) { panic(refusal{text: fmt.Sprintf(format, args...)}) }

// refuseWaiting is refuse while another's answer was waited for: a call that
// runs out of time there has not failed itself.
func refuseWaiting(format string, args ...any) {
	panic(refusal{text: fmt.Sprintf(format, args...), waiting: true})
}

// errStopped ends the calls of a plugin that is closed.
var errStopped = errors.New("the plugin was switched off, updated or removed")

// classify says in one line why the engine ended a call.
func classify(ctx context.Context, limit time.Duration, err error) *Failure {
	var exit *sys.ExitError
	var refused refusal
	switch {
	case errors.Is(context.Cause(ctx), errStopped):
		return failure(Cancelled, "%s while it ran", errStopped)
	case errors.Is(ctx.Err(), context.DeadlineExceeded) && errors.As(err, &refused) && refused.waiting:
		return failure(Refused, "HTTP request failed: no whole answer came within %s", limit)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return failure(Timeout, "it did not finish within %s and was stopped", limit)
	case ctx.Err() != nil:
		return failure(Cancelled, "it was cancelled")
	case errors.As(err, &refused):
		return failure(Refused, "%s", refused.text)
	case errors.As(err, &exit):
		return failure(Exit, "it ended itself with code %d", exit.ExitCode())
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	text = strings.TrimPrefix(text, "wasm error: ")
	return failure(Trap, "it crashed: %s", text)
}

// unserved says why a call got no instance. That others took so long is no
// failure of the plugin's: a slow one that is asked much would be switched off.
func unserved(ctx context.Context, limit time.Duration, err error) *Failure {
	if fail := classify(ctx, limit, err); fail.Outcome != Timeout {
		return fail
	}
	return failure(Refused, "it was busy with other calls for %s; call it again later", limit)
}

// line makes one printable line of at most maxLine bytes.
func line(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > maxLine {
		s = strings.ToValidUTF8(s[:maxLine], "") + "…"
	}
	return s
}

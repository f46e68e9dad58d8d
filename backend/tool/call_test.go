package tool

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// one is a set with one tool of this handler, and the tool.
func one(t *testing.T, h Handler) (*Set, *Definition) {
	t.Helper()
	d := def("x_kandev", `{"type":"object","properties":{"a":{"type":"string"}}}`)
	d.Handler = h
	set, refused := NewSet(1, d)
	if len(refused) > 0 {
		t.Fatal(refused)
	}
	got, _ := set.Lookup("x_kandev")
	return set, got
}

func TestCallOutcomes(t *testing.T) {
	for _, c := range []struct {
		name      string
		handler   Handler
		arguments string
		outcome   Outcome
		text      string
	}{
		{"answer", func(_ context.Context, c Call) (Result, error) {
			c.Progress("never nil")
			return Text(c.Name + string(c.Arguments)), nil
		}, "", OutcomeOK, "x_kandev{}"},
		{"null arguments", func(_ context.Context, c Call) (Result, error) { return Text(string(c.Arguments)), nil }, " null ", OutcomeOK, "{}"},
		{"tool error", func(context.Context, Call) (Result, error) { return Fail("try b"), nil }, "{}", OutcomeToolError, "try b"},
		{"invalid", func(context.Context, Call) (Result, error) { panic("reached") }, `{"a":1}`, OutcomeInvalid, "Invalid arguments for x_kandev: /a: type"},
		{"fault", func(context.Context, Call) (Result, error) { return Result{}, errors.New("SECRET") }, "{}", OutcomeFault, "failed inside Kandev"},
		{"panic", func(context.Context, Call) (Result, error) { panic("SECRET") }, "{}", OutcomePanic, "failed inside Kandev"},
		{"panic nil map", func(context.Context, Call) (Result, error) {
			var m map[string]int
			m["SECRET"] = 1
			return Result{}, nil
		}, "{}", OutcomePanic, "failed inside Kandev"},
		{"goexit", func(context.Context, Call) (Result, error) { runtime.Goexit(); return Result{}, nil }, "{}", OutcomePanic, "failed inside Kandev"},
	} {
		t.Run(c.name, func(t *testing.T) {
			set, d := one(t, c.handler)
			got, report := set.Call(t.Context(), d, Call{Name: "x", Arguments: json.RawMessage(c.arguments)}, Limits{})
			if report.Outcome != c.outcome || !strings.Contains(got.Text, c.text) {
				t.Errorf("%v %q", report, got.Text)
			}
			if strings.Contains(got.Text+report.Site, "SECRET") {
				t.Errorf("told the panic's value: %q %q", got.Text, report.Site)
			}
			if c.name == "panic" && !strings.Contains(report.Site, "TestCallOutcomes") {
				t.Errorf("panicked in %q", report.Site)
			}
			if got.IsError != (c.outcome != OutcomeOK) {
				t.Errorf("isError %v", got.IsError)
			}
		})
	}
}

// Every call ends: also that of a handler that never looks at its ctx.
func TestCallEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		set, d := one(t, func(context.Context, Call) (Result, error) { <-release; return Text("late"), nil })
		start := time.Now()
		got, report := set.Call(t.Context(), d, Call{}, Limits{})
		if report.Outcome != OutcomeDeadline || time.Since(start) != DefaultLimit+DefaultGrace || !got.IsError {
			t.Errorf("%v after %v: %q", report, time.Since(start), got.Text)
		}
		close(release)
	})
	synctest.Test(t, func(t *testing.T) {
		_, d := one(t, func(ctx context.Context, _ Call) (Result, error) { <-ctx.Done(); return Result{}, ctx.Err() })
		long := *d
		long.Limit = 2 * time.Hour
		set, _ := NewSet(2, long)
		d, _ = set.Lookup("x_kandev")
		start := time.Now()
		_, report := set.Call(t.Context(), d, Call{}, Limits{})
		if report.Outcome != OutcomeDeadline || time.Since(start) != 2*time.Hour {
			t.Errorf("%v after %v", report, time.Since(start))
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if _, report = set.Call(ctx, d, Call{}, Limits{}); report.Outcome != OutcomeCancelled {
			t.Errorf("%v", report)
		}
	})
}

func TestCallOfAnotherSet(t *testing.T) {
	set, _ := one(t, answer)
	_, foreign := one(t, answer)
	if _, report := set.Call(t.Context(), foreign, Call{}, Limits{}); report.Outcome != OutcomeToolError {
		t.Error(report)
	}
}

func TestCallChecksOutput(t *testing.T) {
	d := def("x_kandev", `{"type":"object"}`)
	d.OutputSchema = json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)
	for structured, want := range map[string]Outcome{`{"n":1}`: OutcomeOK, `{}`: OutcomeFault, ``: OutcomeFault} {
		d.Handler = func(context.Context, Call) (Result, error) {
			return Result{Text: "t", Structured: json.RawMessage(structured)}, nil
		}
		set, _ := NewSet(1, d)
		got, _ := set.Lookup("x_kandev")
		if _, report := set.Call(t.Context(), got, Call{}, Limits{}); report.Outcome != want {
			t.Errorf("%s: %v", structured, report)
		}
	}
}

// A schema whose checking doubles with every level of the arguments: the call
// ends all the same.
func TestCallEndsWhileChecking(t *testing.T) {
	d := def("x_kandev", `{"type":"object","$ref":"#/$defs/n","$defs":{
		"n":{"allOf":[{"$ref":"#/$defs/m"},{"$ref":"#/$defs/m"}]},
		"m":{"type":"object","properties":{"c":{"$ref":"#/$defs/n"}}}}}`)
	d.Limit = 20 * time.Millisecond
	set, refused := NewSet(1, d)
	if len(refused) > 0 {
		t.Skip("refused at the gate, which is as good")
	}
	got, _ := set.Lookup("x_kandev")
	arguments := strings.Repeat(`{"c":`, 20) + "{}" + strings.Repeat("}", 20) // about a second of work, not for ever: the test ends too
	began := time.Now()
	_, report := set.Call(t.Context(), got, Call{Arguments: json.RawMessage(arguments)}, Limits{Grace: time.Millisecond})
	if report.Outcome != OutcomeDeadline {
		t.Errorf("%v after %v", report, time.Since(began))
	}
}

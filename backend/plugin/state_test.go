package plugin

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestStatus(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	more := Asks{PrivateNetwork: true}
	enable := func(a Asks) func(Status) Status {
		return func(s Status) Status { next, _ := s.Enable(a, at); return next }
	}
	off := func(r Reason) func(Status) Status {
		return func(s Status) Status { return s.Disable(r, "", at) }
	}
	update := func(a Asks) func(Status) Status {
		return func(s Status) Status { return s.Update(a, at) }
	}
	for name, c := range map[string]struct {
		steps  []func(Status) Status
		state  State
		reason Reason
	}{
		"installed is off":         {nil, Installed, ""},
		"enabled":                  {[]func(Status) Status{enable(Asks{})}, Enabled, ""},
		"not without the grant":    {[]func(Status) Status{enable(more)}, Installed, ""},
		"switched off":             {[]func(Status) Status{enable(Asks{}), off(ByPerson)}, Disabled, ByPerson},
		"never on, switched off":   {[]func(Status) Status{off(ByPerson)}, Installed, ""},
		"crash loop":               {[]func(Status) Status{enable(Asks{}), off(CrashLoop)}, Disabled, CrashLoop},
		"the first reason stays":   {[]func(Status) Status{enable(Asks{}), off(CrashLoop), off(ByPerson)}, Disabled, CrashLoop},
		"on again after a loop":    {[]func(Status) Status{enable(Asks{}), off(CrashLoop), enable(Asks{})}, Enabled, ""},
		"update asks the same":     {[]func(Status) Status{enable(Asks{}), update(Asks{})}, Enabled, ""},
		"update asks more":         {[]func(Status) Status{enable(Asks{}), update(more)}, Disabled, AsksMore},
		"then granted":             {[]func(Status) Status{enable(Asks{}), update(more), enable(Asks{})}, Enabled, ""},
		"update of an off one":     {[]func(Status) Status{enable(Asks{}), off(ByPerson), update(Asks{})}, Disabled, ByPerson},
		"update of a broken one":   {[]func(Status) Status{enable(Asks{}), off(Changed), update(Asks{})}, Installed, ""},
		"update before first use":  {[]func(Status) Status{update(more)}, Installed, ""},
		"file changed, never on":   {[]func(Status) Status{off(Changed)}, Disabled, Changed},
		"update drops the request": {[]func(Status) Status{enable(Asks{}), update(more), update(Asks{})}, Installed, ""},
	} {
		s := New(at)
		for _, step := range c.steps {
			s = step(s)
		}
		if s.State != c.state || s.Reason != c.reason || s.Offered() != (c.state == Enabled) {
			t.Errorf("%s: got %+v", name, s)
		}
	}
	if _, err := New(at).Enable(more, at); !errors.Is(err, ErrNotGranted) {
		t.Errorf("got %v", err)
	}
}

func TestFailed(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	run := func(seconds ...int) bool {
		var failures []time.Time
		looping := false
		for _, s := range seconds {
			failures, looping = Failed(failures, at.Add(time.Duration(s)*time.Second))
			if len(failures) > LoopFailures {
				t.Fatalf("keeps %d times", len(failures))
			}
		}
		return looping
	}
	for name, c := range map[string]struct {
		at   []int
		want bool
	}{
		"one":                {[]int{0}, false},
		"four":               {[]int{0, 1, 2, 3}, false},
		"five":               {[]int{0, 1, 2, 3, 4}, true},
		"five in 59 s":       {[]int{0, 1, 2, 3, 59}, true},
		"five in 60 s":       {[]int{0, 1, 2, 3, 60}, false},
		"slow":               {[]int{0, 20, 40, 60, 80, 100, 120}, false},
		"slow then fast":     {[]int{0, 100, 200, 201, 202, 203, 204}, true},
		"clock was set back": {[]int{100, 0, 1, 2, 3}, true},
	} {
		if got := run(c.at...); got != c.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
	if s := LoopDetail("boom"); !strings.Contains(s, "5 failures") || !strings.Contains(s, "boom") {
		t.Error(s)
	}
}

func TestUndeclared(t *testing.T) {
	m := Manifest{Tools: []Tool{{Name: "a"}, {Name: "b"}}}
	if absent, err := m.Undeclared([]string{"a"}); err != nil || !reflect.DeepEqual(absent, []string{"b"}) {
		t.Errorf("%v, %v", absent, err)
	}
	if _, err := m.Undeclared([]string{"a", "b", "shell"}); !errors.Is(err, ErrManifest) || !strings.Contains(err.Error(), "shell") {
		t.Errorf("%v", err)
	}
}

//go:build linux || darwin

package proc

import (
	"errors"
	"testing"
)

func TestStatusRoundTrip(t *testing.T) {
	for _, s := range []status{{started, 12, "345"}, {exited, 127, ""}, {signalled, 9, ""}, {gone, 0, ""}, {failed, 1, "/a b/ü: why"}} {
		got, err := parseStatus(s.line())
		if got != s || err != nil {
			t.Errorf("%+v became %+v, %v", s, got, err)
		}
	}
	for _, line := range []string{"", "\n", "exited\n", "exited x\n", "exited  1\n", "Exited 1\n", "exited 99999999999999999999\n"} {
		if s, err := parseStatus(line); !errors.Is(err, ErrGuard) {
			t.Errorf("%q: %+v, %v", line, s, err)
		}
	}
}

func FuzzParseStatus(f *testing.F) {
	f.Add("failed 2 why\n")
	f.Fuzz(func(t *testing.T, line string) {
		if s, err := parseStatus(line); err == nil && s.kind == failed && s.failure() == nil {
			t.Error("a failure without an error")
		}
	})
}

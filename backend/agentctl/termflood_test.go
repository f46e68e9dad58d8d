//go:build linux || darwin

package agentctl

import (
	"context"
	"strings"
	"testing"

	"kandev/backend/acp"
)

// TestReleasedStillCount: a command that does not end when it is told to runs on
// after its release for a while. An agent that creates and releases in a loop
// has no more of them than one that does not release.
func TestReleasedStillCount(t *testing.T) {
	s := newShell(t)
	stubborn := "trap '' TERM; echo up; while :; do sleep 1; done"
	n := 0
	for ; n < 2*MaxTerminals; n++ {
		id, err := s.tt.create(t.Context(), acp.CreateTerminal{Command: "/bin/sh", Args: []string{"-c", stubborn}})
		if err != nil {
			if !strings.Contains(err.Error(), "most at once") {
				t.Fatal(err)
			}
			break
		}
		if err := s.tt.release(t.Context(), acp.TerminalRef{TerminalID: id}); err != nil {
			t.Fatal(err)
		}
	}
	// A slow machine may have ended some meanwhile: then more than the limit were made, never at once.
	s.tt.mu.Lock()
	running := s.tt.running
	s.tt.mu.Unlock()
	if n < MaxTerminals || running > MaxTerminals {
		t.Errorf("%d made, %d run", n, running)
	}
	s.until(func() bool { // and the places come back
		s.tt.mu.Lock()
		defer s.tt.mu.Unlock()
		return s.tt.running == 0
	})
	s.end(s.run("true"))
}

// TestWithdrawnCreate: a terminal whose agent took the request back while it was
// started has no id that anybody knows, so it takes no place.
func TestWithdrawnCreate(t *testing.T) {
	s := newShell(t)
	ctx, cancel := context.WithCancel(t.Context())
	newID := s.tt.newID
	s.tt.newID = func(prefix string) string { cancel(); return newID(prefix) }
	if id, err := s.tt.create(ctx, acp.CreateTerminal{Command: "/bin/sh", Args: []string{"-c", "sleep 60"}}); err == nil {
		t.Fatalf("made %s", id)
	}
	s.tt.newID = newID
	s.tt.mu.Lock()
	kept := len(s.tt.all)
	s.tt.mu.Unlock()
	if kept != 0 {
		t.Errorf("%d terminals are kept", kept)
	}
}

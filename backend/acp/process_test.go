package acp

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"kandev/backend/agent"
)

var kandev = InitializeRequest{Client: Implementation{Name: "kandev", Version: "1.0.0"}}

// openSession initializes a fake agent and makes its session.
func openSession(t *testing.T, c *Conn, servers ...agent.Server) NewSessionResult {
	t.Helper()
	if _, err := c.Initialize(t.Context(), kandev); err != nil {
		t.Fatal(err)
	}
	s, err := c.NewSession(t.Context(), NewSession{Cwd: t.TempDir(), Servers: servers})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// An agent that does everything we do not know still has its full turn, and
// nothing it sent was taken for something else.
func TestGrease(t *testing.T) {
	var kinds []string
	var text string
	var noise atomic.Int32
	c := startFake(t, "grease", Options{
		Update: func(_ string, u Update) {
			kinds = append(kinds, u.Kind)
			if u.Chunk != nil {
				text += u.Chunk.Text
			}
		},
		Permission: func(_ context.Context, r PermissionRequest) (PermissionOutcome, error) {
			kinds = append(kinds, "permission "+r.Call.CallID)
			return PermissionOutcome{OptionID: r.Options[1].ID}, nil
		},
		Noise: func(int, string) { noise.Add(1) },
	})
	s := openSession(t, c)
	stop, err := c.Prompt(t.Context(), s.SessionID, []Block{{Text: "hello"}})
	if err != nil || stop != StopEndTurn {
		t.Fatalf("Prompt = %q, %v", stop, err)
	}
	want := []string{"compaction_summary_chunk", "_fake_thing", "tool_call", "permission c1", "agent_message_chunk"}
	if !slices.Equal(kinds, want) {
		t.Errorf("kinds = %v, want %v", kinds, want)
	}
	if text != "yes2" {
		t.Errorf("text = %q: the chosen option did not reach the agent", text)
	}
	if noise.Load() != 1 {
		t.Errorf("noise was told %d times, want 1", noise.Load())
	}
}

// However many updates an agent writes at once, all come, in order, before the
// answer.
func TestBurst(t *testing.T) {
	next := 0
	c := startFake(t, "burst", Options{Update: func(_ string, u Update) {
		if u.Chunk == nil || u.Chunk.Text != strconv.Itoa(next) {
			t.Errorf("update %d is %+v", next, u)
		}
		next++
	}})
	s := openSession(t, c)
	stop, err := c.Prompt(t.Context(), s.SessionID, nil)
	if err != nil || stop != StopEndTurn || next != burstUpdates {
		t.Fatalf("Prompt = %q, %v after %d updates", stop, err, next)
	}
}

// Case 81.
func TestGiantFrames(t *testing.T) {
	var lengths []int
	var dropped []int64
	c := startFake(t, "giant", Options{
		Update:  func(_ string, u Update) { lengths = append(lengths, len(u.Chunk.Text)) },
		Dropped: func(n int64) { dropped = append(dropped, n) },
	})
	s := openSession(t, c)
	if stop, err := c.Prompt(t.Context(), s.SessionID, nil); err != nil || stop != StopEndTurn {
		t.Fatalf("Prompt = %q, %v", stop, err)
	}
	if !slices.Equal(lengths, []int{giantText, len("after")}) {
		t.Errorf("lengths of texts = %v", lengths)
	}
	if !slices.Equal(dropped, []int64{MaxFrame + 1<<20}) {
		t.Errorf("dropped = %v", dropped)
	}
}

// An agent that ends in a turn: its last words are kept, the call ends.
func TestExitInTurn(t *testing.T) {
	var text string
	c := startFake(t, "exit", Options{Update: func(_ string, u Update) { text += u.Chunk.Text }})
	s := openSession(t, c)
	if _, err := c.Prompt(t.Context(), s.SessionID, nil); !errors.Is(err, ErrClosed) {
		t.Fatalf("Prompt: %v, want ErrClosed", err)
	}
	<-c.Done()
	if text != "last" || !errors.Is(c.Err(), ErrClosed) {
		t.Errorf("text = %q, Err = %v", text, c.Err())
	}
}

// An agent that never reads its input: a call that fills the pipe ends with
// its context, and Close ends the blocked write.
func TestDeafAgent(t *testing.T) {
	ready := make(chan struct{})
	c := startFake(t, "deaf", Options{Update: func(string, Update) { close(ready) }})
	wait(t, "start", ready)
	ctx, cancel := context.WithCancel(t.Context())
	ch := async(func() (NewSessionResult, error) {
		return c.NewSession(ctx, NewSession{Cwd: strings.Repeat("/long", 1<<20)})
	})
	cancel()
	if r := wait(t, "NewSession", ch); !errors.Is(r.err, context.Canceled) {
		t.Errorf("NewSession: %v", r.err)
	}
	closed := async(func() (int, error) { return 0, c.Close() })
	wait(t, "Close", closed)
}

// A full turn against another implementation of the protocol.
func TestSDKAgent(t *testing.T) {
	var seen []string
	blocking := make(chan struct{})
	c := startFake(t, "sdk", Options{
		Update: func(_ string, u Update) {
			switch {
			case u.Chunk != nil && u.Chunk.Text == "blocking":
				close(blocking)
			case u.Chunk != nil:
				seen = append(seen, u.Chunk.Text)
			case u.Tool != nil:
				seen = append(seen, u.Kind+" "+u.Tool.CallID)
			}
		},
		Permission: func(_ context.Context, r PermissionRequest) (PermissionOutcome, error) {
			seen = append(seen, "permission "+r.SessionID)
			return PermissionOutcome{OptionID: "y"}, nil
		},
	})
	s := openSession(t, c,
		agent.Server{Name: "kandev", Transport: "http", URL: "http://127.0.0.1:1/mcp/a", Headers: []agent.Value{{Name: "Authorization", Value: "Bearer ${T}"}}},
		agent.Server{Name: "b", Transport: "sse", URL: "http://127.0.0.1:1/sse"},
		agent.Server{Name: "c", Transport: "stdio", Command: "cat"})
	if stop, err := c.Prompt(t.Context(), s.SessionID, []Block{{"go"}}); err != nil || stop != StopEndTurn {
		t.Fatalf("Prompt = %q, %v", stop, err)
	}
	want := []string{"http:kandev:Bearer ${T} sse:b stdio:cat ", "tool_call c1", "permission sdk-1", "tool_call_update c1"}
	if !slices.Equal(seen, want) {
		t.Errorf("seen = %q, want %q", seen, want)
	}
	ch := async(func() (StopReason, error) { return c.Prompt(t.Context(), s.SessionID, []Block{{"block"}}) })
	wait(t, "second turn", blocking)
	if err := c.Cancel(s.SessionID); err != nil {
		t.Fatal(err)
	}
	if r := wait(t, "cancelled turn", ch); r.err != nil || r.value != StopCancelled {
		t.Errorf("cancelled turn = %q, %v", r.value, r.err)
	}
}

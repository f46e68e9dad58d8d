package acp

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func isErr(err, target error) bool { return errors.Is(err, target) }

// Error answers of every shape end the call and can be read.
func TestErrorShapes(t *testing.T) {
	tests := []struct {
		in   string
		code int
		want string
	}{
		{`{"code":-32000,"message":"log in first"}`, -32000, "log in first"},
		{`{"code":-32000.0,"message":"a"}`, -32000, "a"},
		{`{"code":"-32000","message":"a"}`, -32000, "a"},
		{`{"code":"E_AUTH","message":"a"}`, 0, "a"},
		{`{"code":1.5,"message":"a"}`, 0, "a"},
		{`{"code":1e99,"message":"a"}`, 0, "a"},
		{`{"message":{"message":"inner"}}`, 0, "inner"},
		{`{"message":{"x":1}}`, 0, `{"x":1}`},
		{`{"message":["a","b"]}`, 0, `["a","b"]`},
		{`{"code":5}`, 5, "an error without a message"},
		{`{"code":5,"message":"","data":{"details":"why"}}`, 5, "why"},
		{`"boom"`, 0, "boom"},
		{`["a"]`, 0, `["a"]`},
		{`false`, 0, "false"},
		{`""`, 0, "an error without a message"},
	}
	for _, tt := range tests {
		c, p := connect(t, Options{})
		ch := async(func() (StopReason, error) { return c.Prompt(t.Context(), "s", nil) })
		p.line()
		p.send(`{"jsonrpc":"2.0","id":1,"error":` + tt.in + `}`)
		e, ok := asError(wait(t, tt.in, ch).err)
		if !ok || e.Code != tt.code || e.Message != tt.want {
			t.Errorf("%s: %+v, want %d %q", tt.in, e, tt.code, tt.want)
		}
	}
	long := decodeError([]byte(`"` + strings.Repeat("é", maxMessage) + `"`))
	if len(long.Message) > maxMessage || !strings.HasSuffix(long.Message, "é") {
		t.Errorf("a long message has %d bytes", len(long.Message))
	}
}

func TestAnswerIDs(t *testing.T) {
	tests := []struct {
		id   string
		ours bool
	}{
		{`1`, true},
		{`1.0`, true},
		{`"1"`, true},
		{` 1 `, true},
		{`2`, false},
		{`1.5`, false},
		{`null`, false},
		{`"x"`, false},
		{`{"a":1}`, false},
		{`-1`, false},
		{`1e400`, false},
	}
	for _, tt := range tests {
		c, p := connect(t, Options{})
		ch := async(func() (StopReason, error) { return c.Prompt(t.Context(), "s", nil) })
		p.line()
		p.send(`{"jsonrpc":"2.0","id":`+tt.id+`,"result":{"stopReason":"refusal"}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"stopReason":"cancelled"}}`) // twice: ignored
		want := StopEndTurn
		if tt.ours {
			want = StopRefusal
		}
		if r := wait(t, tt.id, ch); r.err != nil || r.value != want {
			t.Errorf("id %s: %q, %v", tt.id, r.value, r.err)
		}
	}
}

func TestAnswerWithoutResult(t *testing.T) {
	c, p := connect(t, Options{})
	ch := async(func() (NewSessionResult, error) { return c.NewSession(t.Context(), NewSession{Cwd: "/w"}) })
	p.line()
	p.send(`{"jsonrpc":"2.0","id":1}`)
	if r := wait(t, "NewSession", ch); !isErr(r.err, ErrAnswer) {
		t.Errorf("NewSession: %v, want ErrAnswer", r.err)
	}
}

// A call that is given up is withdrawn once it was sent; its late answer is
// ignored and the connection goes on.
func TestContextEndsCall(t *testing.T) {
	c, p := connect(t, Options{})
	ctx, cancel := context.WithCancelCause(t.Context())
	ch := async(func() (NewSessionResult, error) { return c.NewSession(ctx, NewSession{Cwd: "/w"}) })
	p.line()
	why := errors.New("closed by the person")
	cancel(why)
	if r := wait(t, "NewSession", ch); !isErr(r.err, why) {
		t.Errorf("NewSession: %v, want the cause", r.err)
	}
	p.expect(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}`)
	if _, err := c.NewSession(ctx, NewSession{}); !isErr(err, why) {
		t.Errorf("NewSession with an ended context: %v", err)
	}
	ch = async(func() (NewSessionResult, error) { return c.NewSession(t.Context(), NewSession{Cwd: "/w"}) })
	p.expect(`{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/w","mcpServers":[]}}`)
	p.send(`{"jsonrpc":"2.0","id":1,"result":{"sessionId":"late"}}`, `{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s2"}}`)
	if r := wait(t, "NewSession", ch); r.err != nil || r.value.SessionID != "s2" {
		t.Errorf("NewSession = %q, %v", r.value.SessionID, r.err)
	}
}

// A request that never left is taken back and needs no withdrawal.
func TestUnsentCallIsTakenBack(t *testing.T) {
	c, p := connect(t, Options{})
	fill := async(func() (StopReason, error) {
		return c.Prompt(t.Context(), "fill", []Block{{strings.Repeat("x", 4<<20)}})
	})
	// The writer hangs in the first frame, which is larger than the pipe.
	until(t, c, func() bool { return c.queued > 0 && len(c.queue) == 0 })
	ctx, cancel := context.WithCancel(t.Context())
	ch := async(func() (NewSessionResult, error) { return c.NewSession(ctx, NewSession{Cwd: "/never"}) })
	until(t, c, func() bool { return len(c.queue) == 1 })
	cancel()
	wait(t, "NewSession", ch)
	if line := p.line(); !strings.Contains(line, `"session/prompt"`) {
		t.Errorf("first line: %.100s", line)
	}
	if err := c.Cancel("fill"); err != nil {
		t.Fatal(err)
	}
	p.expect(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"fill"}}`)
	p.send(`{"jsonrpc":"2.0","id":1,"result":{"stopReason":"cancelled"}}`)
	wait(t, "Prompt", fill)
}

// until waits for a state of the connection that nothing tells of.
func until(t *testing.T, c *Conn, reached func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); runtime.Gosched() {
		c.mu.Lock()
		ok := reached()
		c.mu.Unlock()
		if ok {
			return
		}
	}
	t.Fatal("the connection did not reach the state")
}

// stuckPipe takes nothing and gives nothing until it is closed, inside a
// synctest bubble where the system's pipes cannot be used.
type stuckPipe struct {
	once sync.Once
	end  chan struct{}
}

func (s *stuckPipe) Read([]byte) (int, error)    { <-s.end; return 0, errors.New("closed") }
func (s *stuckPipe) Write(p []byte) (int, error) { return len(p), nil }
func (s *stuckPipe) Close() error                { s.once.Do(func() { close(s.end) }); return nil }

// Each limit of the table ends its call.
func TestLimits(t *testing.T) {
	calls := map[string]struct {
		want time.Duration
		do   func(context.Context, *Conn) error
	}{
		"initialize":   {time.Minute, func(ctx context.Context, c *Conn) error { _, err := c.Initialize(ctx, kandev); return err }},
		"authenticate": {5 * time.Minute, func(ctx context.Context, c *Conn) error { return c.Authenticate(ctx, "m") }},
		"new":          {2 * time.Minute, func(ctx context.Context, c *Conn) error { _, err := c.NewSession(ctx, NewSession{}); return err }},
		"load":         {2 * time.Minute, func(ctx context.Context, c *Conn) error { _, err := c.LoadSession(ctx, LoadSession{}); return err }},
		"cancel": {time.Hour + 10*time.Second, func(ctx context.Context, c *Conn) error {
			ctx, cancel := context.WithTimeout(ctx, time.Hour) // a turn has no limit of its own
			defer cancel()
			_, err := c.Prompt(ctx, "s", nil)
			return err
		}},
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := NewConn(&stuckPipe{end: make(chan struct{})}, &stuckPipe{end: make(chan struct{})}, Options{})
				defer c.Close()
				began := time.Now()
				err := call.do(t.Context(), c)
				if took := time.Since(began); !isErr(err, ErrNoAnswer) || took != call.want {
					t.Errorf("%v after %v, want ErrNoAnswer after %v", err, took, call.want)
				}
			})
		})
	}
}

// The end of the connection, by either side, ends every call and handler.
func TestEndOfConnection(t *testing.T) {
	for _, who := range []string{"agent", "close"} {
		t.Run(who, func(t *testing.T) {
			asked, ended := make(chan struct{}), make(chan struct{})
			c, p := connect(t, Options{Permission: func(ctx context.Context, _ PermissionRequest) (PermissionOutcome, error) {
				close(asked)
				<-ctx.Done()
				close(ended)
				return PermissionOutcome{}, ctx.Err()
			}})
			prompt := async(func() (StopReason, error) { return c.Prompt(t.Context(), "s", nil) })
			p.line()
			fresh := async(func() (NewSessionResult, error) { return c.NewSession(t.Context(), NewSession{}) })
			p.line()
			p.send(`{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"sessionId":"s"}}`)
			wait(t, "permission", asked)
			if who == "agent" {
				p.out.Close()
			} else {
				c.Close()
			}
			wait(t, "handler", ended)
			if r := wait(t, "Prompt", prompt); !isErr(r.err, ErrClosed) {
				t.Errorf("Prompt: %v", r.err)
			}
			if r := wait(t, "NewSession", fresh); !isErr(r.err, ErrClosed) {
				t.Errorf("NewSession: %v", r.err)
			}
			wait(t, "Done", c.Done())
			if err := c.Cancel("s"); !isErr(err, ErrClosed) || !isErr(c.Err(), ErrClosed) {
				t.Errorf("afterwards: Cancel %v, Err %v", err, c.Err())
			}
			for range 2 {
				if err := c.Close(); err != nil {
					t.Errorf("Close: %v", err)
				}
			}
		})
	}
}

// An agent that closed its input may still answer; after that the end comes.
func TestInputClosedByAgent(t *testing.T) {
	c, p := connect(t, Options{Limits: Limits{Drain: 200 * time.Millisecond}})
	ch := async(func() (StopReason, error) { return c.Prompt(t.Context(), "s", nil) })
	p.line()
	p.inF.Close()
	if err := c.Cancel("s"); err != nil {
		t.Fatal(err)
	}
	p.send(`{"jsonrpc":"2.0","id":1,"result":{"stopReason":"cancelled"}}`)
	if r := wait(t, "Prompt", ch); r.err != nil || r.value != StopCancelled {
		t.Errorf("Prompt = %q, %v", r.value, r.err)
	}
	wait(t, "Done", c.Done())
}

// An agent that asks and asks and never reads does not fill our memory.
func TestAnswersThatNobodyReads(t *testing.T) {
	c, p := connect(t, Options{}, func(c *Conn) { c.maxQueue = 64 << 10 })
	go func() {
		line := []byte(`{"jsonrpc":"2.0","id":"` + strings.Repeat("i", 1000) + `","method":"x"}` + "\n")
		for {
			if _, err := p.out.Write(line); err != nil {
				return
			}
		}
	}()
	wait(t, "Done", c.Done())
	if !isErr(c.Err(), ErrStalled) || !isErr(c.Err(), ErrClosed) {
		t.Errorf("Err = %v", c.Err())
	}
}

// The log holds no word of what was said.
func TestLogHoldsNoContent(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	c, p := connect(t, Options{
		Log:    log,
		Update: func(string, Update) { panic("SENTINEL") },
		Permission: func(context.Context, PermissionRequest) (PermissionOutcome, error) {
			return PermissionOutcome{}, errors.New("SENTINEL")
		},
	})
	ch := async(func() (StopReason, error) { return c.Prompt(t.Context(), "s", []Block{{"SENTINEL"}}) })
	p.line()
	p.send("SENTINEL", `{"jsonrpc":"2.0","method":"x","params":"SENTINEL"}`,
		`{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"SENTINEL"}}}`,
		`{"jsonrpc":"2.0","id":"SENTINEL","method":"y"}`,
		`{"jsonrpc":"2.0","id":3,"method":"session/request_permission","params":{"sessionId":"SENTINEL"}}`,
		`{"jsonrpc":"2.0","id":"SENTINEL","result":{}}`)
	p.line()
	p.line()
	p.send(`{"jsonrpc":"2.0","id":1,"error":{"message":"SENTINEL"}}`)
	wait(t, "Prompt", ch)
	c.Close()
	if strings.Contains(out.String(), "SENTINEL") || !strings.Contains(out.String(), "session/prompt") {
		t.Errorf("log:\n%s", out.String())
	}
}

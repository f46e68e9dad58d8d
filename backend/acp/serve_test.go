package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

const options = `"options":[{"optionId":"a","name":"Allow","kind":"allow_once"},{"name":"no id"},"x",{"optionId":"b","kind":"allow_once"}]`

func ask(id, sessionID string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"session/request_permission","params":{"sessionId":%q,"toolCall":{"toolCallId":"c"},%s}}`, id, sessionID, options)
}

const (
	cancelledOutcome = `"result":{"outcome":{"outcome":"cancelled"}}}`
	failedOutcome    = `"error":{"code":-32603,"message":"the request could not be answered"}}`
)

func TestPermissionOutcomes(t *testing.T) {
	tests := []struct {
		name   string
		handle func(PermissionRequest) (PermissionOutcome, error)
		want   string
	}{
		{"selected", func(r PermissionRequest) (PermissionOutcome, error) {
			return PermissionOutcome{r.Options[1].ID}, nil
		}, `"result":{"outcome":{"outcome":"selected","optionId":"b"}}}`},
		{"cancelled", func(PermissionRequest) (PermissionOutcome, error) { return PermissionOutcome{}, nil }, cancelledOutcome},
		{"not offered", func(PermissionRequest) (PermissionOutcome, error) { return PermissionOutcome{"z"}, nil }, failedOutcome},
		{"error", func(PermissionRequest) (PermissionOutcome, error) {
			return PermissionOutcome{}, errors.New("private")
		}, failedOutcome},
		{"panic", func(PermissionRequest) (PermissionOutcome, error) { panic("private") }, failedOutcome},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, p := connect(t, Options{Permission: func(_ context.Context, r PermissionRequest) (PermissionOutcome, error) {
				if len(r.Options) != 2 || r.Call.CallID != "c" || r.SessionID != "s" {
					t.Errorf("request = %+v", r)
				}
				return tt.handle(r)
			}})
			p.send(ask(`"i"`, "s"))
			p.expect(`{"jsonrpc":"2.0","id":"i",` + tt.want)
		})
	}
}

// TestPermissionName: Qwen Code gives the tool's programmatic name of a request
// in _meta only. A name in its place wins.
func TestPermissionName(t *testing.T) {
	for call, want := range map[string]string{
		`{"toolCallId":"c","title":"{}","_meta":{"toolName":"mcp__kandev__x"}}`: "mcp__kandev__x",
		`{"toolCallId":"c","name":"own","_meta":{"toolName":"mcp__kandev__x"}}`: "own",
		`{"toolCallId":"c","title":"mcp__kandev__x","_meta":{"toolName":7}}`:    "",
	} {
		r := decodePermission(json.RawMessage(`{"sessionId":"s","toolCall":` + call + `,"options":[]}`))
		if got := fmt.Sprint(r.Call.Name != nil); got != fmt.Sprint(want != "") || r.Call.Name != nil && *r.Call.Name != want {
			t.Errorf("%s: named %s", call, got)
		}
	}
}

// Ids are the agent's own: any JSON value comes back as it was.
func TestRequestIDs(t *testing.T) {
	_, p := connect(t, Options{})
	for _, id := range []string{`0`, `1.5`, `null`, `"x"`, `[1]`, `{"a":"<&>"}`, `123456789012345678901234567890`} {
		p.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"terminal/create","params":{}}`)
		p.expect(`{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32601,"message":"method not offered by this client"}}`)
	}
	p.send(ask(`1`, "s")) // without a handler it is not offered either
	p.expect(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"method not offered by this client"}}`)
}

// pending is a handler that never answers by itself.
type pending struct{ asked, ended chan string }

func newPending() *pending {
	return &pending{make(chan string, 2*maxServing), make(chan string, 2*maxServing)}
}

func (h *pending) handle(ctx context.Context, r PermissionRequest) (PermissionOutcome, error) {
	h.asked <- r.SessionID
	<-ctx.Done()
	h.ended <- r.SessionID
	return PermissionOutcome{"a"}, nil // too late: dropped
}

func TestPermissionWithdrawn(t *testing.T) {
	h := newPending()
	_, p := connect(t, Options{Permission: h.handle})
	p.send(ask(`"i"`, "s"), ask(`7`, "s"))
	wait(t, "first", h.asked)
	wait(t, "second", h.asked)
	p.send(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":8}}`,
		`{"jsonrpc":"2.0","method":"$/cancel_request"}`,
		`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId": 7 }}`)
	wait(t, "end", h.ended)
	p.expect(`{"jsonrpc":"2.0","id":7,"error":{"code":-32800,"message":"request cancelled"}}`)
	p.send(`{"jsonrpc":"2.0","id":9,"method":"x"}`) // nothing was sent for the late outcome
	if got := p.line(); !strings.Contains(got, `"id":9`) {
		t.Errorf("sent %s", got)
	}
}

// Cancel answers what is open in its session, and what still comes until the
// turn has ended, and leaves other sessions alone.
func TestCancelAnswersPermissions(t *testing.T) {
	h := newPending()
	c, p := connect(t, Options{Permission: h.handle})
	turn := async(func() (StopReason, error) { return c.Prompt(t.Context(), "s", nil) })
	p.line()
	p.send(ask(`1`, "other"), ask(`2`, "s"))
	wait(t, "first", h.asked)
	wait(t, "second", h.asked)
	if err := c.Cancel("s"); err != nil {
		t.Fatal(err)
	}
	p.expect(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}`)
	p.expect(`{"jsonrpc":"2.0","id":2,` + cancelledOutcome)
	if s := wait(t, "end", h.ended); s != "s" {
		t.Errorf("the request of session %q ended", s)
	}
	p.send(ask(`3`, "s"))
	p.expect(`{"jsonrpc":"2.0","id":3,` + cancelledOutcome)
	p.send(`{"jsonrpc":"2.0","id":1,"result":{"stopReason":"cancelled"}}`)
	if r := wait(t, "turn", turn); r.value != StopCancelled {
		t.Errorf("turn = %q, %v", r.value, r.err)
	}
	p.send(ask(`4`, "s")) // a new request after the turn is asked again
	if s := wait(t, "later request", h.asked); s != "s" {
		t.Errorf("asked for %q", s)
	}
}

func TestTooManyRequests(t *testing.T) {
	h := newPending()
	_, p := connect(t, Options{Permission: h.handle})
	for range maxServing {
		p.send(ask(`1`, "s"))
		wait(t, "request", h.asked)
	}
	p.send(ask(`2`, "s"))
	p.expect(`{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"too many open requests"}}`)
}

func TestPermissionParams(t *testing.T) {
	_, p := connect(t, Options{Permission: func(_ context.Context, r PermissionRequest) (PermissionOutcome, error) {
		if len(r.Options) != 0 {
			t.Errorf("options = %v", r.Options)
		}
		return PermissionOutcome{}, nil
	}})
	for _, params := range []string{`[]`, `null`, `"x"`} {
		p.send(`{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":` + params + `}`)
		p.expect(`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params must be an object"}}`)
	}
	for _, params := range []string{`{}`, `{"sessionId":5,"toolCall":[],"options":{}}`, `{"options":[null,5]}`} {
		p.send(`{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":` + params + `}`)
		p.expect(`{"jsonrpc":"2.0","id":1,` + cancelledOutcome)
	}
}

// A panic in Update costs that update only.
func TestUpdatePanic(t *testing.T) {
	n := 0
	c, p := connect(t, Options{Update: func(string, Update) {
		n++
		if n == 1 {
			panic("x")
		}
	}})
	p.send(said, said)
	p.out.Close()
	wait(t, "Done", c.Done())
	if n != 2 {
		t.Errorf("%d updates", n)
	}
}

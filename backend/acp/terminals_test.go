package acp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// terminalAnswers are requests of an agent and what goes out for them: a result
// with its definition in the schema, or an error.
var terminalAnswers = []struct{ method, params, definition, want string }{
	{"create", `{"sessionId":"s","command":"go","args":["test"],"env":[{"name":"A","value":""}],"cwd":"/w","outputByteLimit":7}`, "CreateTerminalResponse", `{"terminalId":"t1"}`},
	{"create", `{"sessionId":"s","command":"bare","args":null,"env":null,"cwd":null,"outputByteLimit":null}`, "CreateTerminalResponse", `{"terminalId":"t2"}`},
	{"create", `{"sessionId":"s","command":"all","outputByteLimit":18446744073709551615}`, "CreateTerminalResponse", `{"terminalId":"t3"}`},
	{"output", `{"sessionId":"s","terminalId":"runs"}`, "TerminalOutputResponse", `{"output":"<a>\n","truncated":false}`},
	{"output", `{"sessionId":"s","terminalId":"cut"}`, "TerminalOutputResponse", `{"output":"","truncated":true,"exitStatus":{"exitCode":0}}`},
	{"wait_for_exit", `{"sessionId":"s","terminalId":"code"}`, "WaitForTerminalExitResponse", `{"exitCode":3}`},
	{"wait_for_exit", `{"sessionId":"s","terminalId":"signal"}`, "WaitForTerminalExitResponse", `{"signal":"SIGKILL"}`},
	{"wait_for_exit", `{"sessionId":"s","terminalId":"odd"}`, "WaitForTerminalExitResponse", `{}`},
	{"kill", `{"sessionId":"s","terminalId":"code"}`, "KillTerminalResponse", `{}`},
	{"release", `{"sessionId":"s","terminalId":"code"}`, "ReleaseTerminalResponse", `{}`},
	{"release", `{"sessionId":"s","terminalId":7}`, "", `{"code":-32002,"message":"no 7"}`},
	{"kill", `{"sessionId":"s"}`, "", `{"code":-32603,"message":"the request could not be answered"}`},
	{"create", `{"command":""}`, "", `{"code":-32602,"message":"command must be a string that is not empty"}`},
	{"create", `{"command":7}`, "", `{"code":-32602,"message":"command must be a string that is not empty"}`},
	{"create", `{"command":"a","args":[1]}`, "", `{"code":-32602,"message":"args must be an array of strings"}`},
	{"create", `{"command":"a","env":[{"name":"A"}]}`, "", `{"code":-32602,"message":"env must be an array of objects with name and value"}`},
	{"create", `{"command":"a","cwd":""}`, "", `{"code":-32602,"message":"cwd must be an absolute path"}`},
	{"create", `{"command":"a","outputByteLimit":-1}`, "", `{"code":-32602,"message":"outputByteLimit must be a number that is not negative"}`},
	{"create", `{"command":"refused"}`, "", `{"code":-32602,"message":"refused was not found."}`},
	{"resize", `{"sessionId":"s"}`, "", `{"code":-32601,"message":"method not offered by this client"}`},
}

// terminalsOfTest answer by the name of the terminal.
func terminalsOfTest(t *testing.T) Terminals {
	three, below := 3, -1
	return Terminals{
		Create: func(_ context.Context, r CreateTerminal) (string, error) {
			switch r.Command {
			case "go":
				if got := fmt.Sprintf("%s %v %v %s %d", r.SessionID, r.Args, r.Env, r.Cwd, *r.Limit); got != "s [test] [{A }] /w 7" {
					t.Error(got)
				}
				return "t1", nil
			case "bare":
				if r.Args != nil || r.Env != nil || r.Cwd != "" || r.Limit != nil {
					t.Errorf("%+v", r)
				}
				return "t2", nil
			case "all":
				if *r.Limit != 1<<53 {
					t.Error(*r.Limit)
				}
				return "t3", nil
			}
			return "", &TerminalError{Sentence: r.Command + " was not found."}
		},
		Output: func(_ context.Context, r TerminalRef) (TerminalOutput, error) {
			if r.TerminalID == "cut" {
				return TerminalOutput{Truncated: true, Exit: &TerminalExit{Code: new(int)}}, nil
			}
			return TerminalOutput{Text: "<a>\n"}, nil
		},
		Wait: func(_ context.Context, r TerminalRef) (TerminalExit, error) {
			return map[string]TerminalExit{"code": {Code: &three}, "signal": {Signal: "SIGKILL"}, "odd": {Code: &below}}[r.TerminalID], nil
		},
		Kill: func(_ context.Context, r TerminalRef) error {
			if r.TerminalID == "" {
				return errors.New("private")
			}
			return nil
		},
		Release: func(_ context.Context, r TerminalRef) error {
			if r.TerminalID == "7" {
				return &TerminalError{Sentence: "no 7", NotFound: true}
			}
			return nil
		},
	}
}

// TestTerminals: what an agent asks for reaches the functions whole, and what
// goes back is what was written for it.
func TestTerminals(t *testing.T) {
	_, p := connect(t, Options{Terminals: terminalsOfTest(t)})
	for n, a := range terminalAnswers {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"terminal/%s","params":%s}`, n, a.method, a.params))
		key := "result"
		if a.definition == "" {
			key = "error"
		}
		p.expect(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%q:%s}`, n, key, a.want))
	}
}

// TestTerminalsOffered: in initialize when there are functions, and only then.
func TestTerminalsOffered(t *testing.T) {
	for offered, o := range map[string]Options{"true": {Terminals: terminalsOfTest(t)}, "false": {}} {
		c, p := connect(t, o)
		done := make(chan error, 1)
		go func() { _, err := c.Initialize(t.Context(), InitializeRequest{}); done <- err }()
		if line := p.line(); !strings.Contains(line, `"terminal":`+offered) {
			t.Error(line)
		}
		p.send(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}`)
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// TestTerminalWaitEnds: a wait that the agent takes back, or that the connection
// outlives, ends.
func TestTerminalWaitEnds(t *testing.T) {
	ended := make(chan error, 2)
	terminals := terminalsOfTest(t)
	terminals.Wait = func(ctx context.Context, _ TerminalRef) (TerminalExit, error) {
		<-ctx.Done()
		ended <- ctx.Err()
		return TerminalExit{}, ctx.Err()
	}
	c, p := connect(t, Options{Terminals: terminals})
	p.send(`{"jsonrpc":"2.0","id":1,"method":"terminal/wait_for_exit","params":{"terminalId":"a"}}`,
		`{"jsonrpc":"2.0","id":2,"method":"terminal/wait_for_exit","params":{"terminalId":"b"}}`,
		`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}`)
	p.expect(`{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"request cancelled"}}`)
	<-ended
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	<-ended
}

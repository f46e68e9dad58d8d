package acp

import (
	"strings"
	"testing"

	"kandev/backend/agent"
)

func initialize(t *testing.T, answer string) (Initialized, error) {
	t.Helper()
	c, p := connect(t, Options{})
	ch := async(func() (Initialized, error) { return c.Initialize(t.Context(), kandev) })
	p.expect(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":false,"writeTextFile":false},"terminal":false,"auth":{"terminal":true}},"clientInfo":{"name":"kandev","version":"1.0.0"}}}`)
	p.send(`{"jsonrpc":"2.0","id":1,` + answer + `}`)
	r := wait(t, answer, ch)
	return r.value, r.err
}

// Case 83.
func TestProtocolVersion(t *testing.T) {
	const spoken = "agent speaks ACP v2, Kandev supports v1"
	tests := []struct{ answer, want string }{
		{`"result":{"protocolVersion":1}`, ""},
		{`"result":{"protocolVersion":1.0}`, ""},
		{`"result":{"protocolVersion":2}`, spoken},
		{`"error":{"code":-32022,"message":"x","data":{"requested":1,"supported":[2]}}`, spoken},
		{`"error":{"code":-32022,"message":"x"}`, "agent does not speak ACP v1"},
		{`"result":{"protocolVersion":0}`, "agent speaks ACP v0, Kandev supports v1"},
		{`"result":{}`, "agent does not say which ACP version it speaks, Kandev supports v1"},
		{`"result":{"protocolVersion":null}`, "agent does not say which ACP version it speaks, Kandev supports v1"},
		{`"result":{"protocolVersion":"1"}`, "agent gives its ACP version in a form that is not a number, Kandev supports v1"},
	}
	for _, tt := range tests {
		_, err := initialize(t, tt.answer)
		if tt.want == "" {
			if err != nil {
				t.Errorf("%s: %v", tt.answer, err)
			}
			continue
		}
		if !isErr(err, ErrProtocol) || !strings.HasSuffix(err.Error(), ": "+tt.want) {
			t.Errorf("%s: %v, want ErrProtocol: %s", tt.answer, err, tt.want)
		}
	}
	if _, err := initialize(t, `"result":[]`); !isErr(err, ErrAnswer) {
		t.Errorf("a list: %v, want ErrAnswer", err)
	}
	if _, err := initialize(t, `"error":{"code":-32000,"message":"log in"}`); !IsAuthRequired(err) {
		t.Errorf("%v is not IsAuthRequired", err)
	}
}

// Case 79.
func TestMCPCapabilities(t *testing.T) {
	tests := []struct {
		caps string
		want MCPCapabilities
	}{
		{`{"mcpCapabilities":{"http":true,"sse":false}}`, MCPCapabilities{HTTP: true, Given: true}},
		{`{"mcpCapabilities":{"http":"yes","sse":true}}`, MCPCapabilities{SSE: true, Given: true}},
		{`{"mcpCapabilities":{}}`, MCPCapabilities{Given: true}},
		{`{"mcpCapabilities":["http"]}`, MCPCapabilities{}},
		{`{"mcpCapabilities":null}`, MCPCapabilities{}},
		{`{}`, MCPCapabilities{}},
		{`"none"`, MCPCapabilities{}},
	}
	for _, tt := range tests {
		in, err := initialize(t, `"result":{"protocolVersion":1,"agentCapabilities":`+tt.caps+`}`)
		if err != nil || in.MCP != tt.want {
			t.Errorf("%s: %+v, %v; want %+v", tt.caps, in.MCP, err, tt.want)
		}
	}
}

func TestInitialized(t *testing.T) {
	in, err := initialize(t, `"result":{"protocolVersion":1,"agentInfo":{"name":"a","title":"A","version":2},"agentCapabilities":{"loadSession":true,"sessionCapabilities":{"resume":{}},"promptCapabilities":{"image":true}},"authMethods":[{"id":"key","name":"API key"},{"name":"no id"},7,{"id":"t","type":"gateway"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	in.Raw = nil
	const want = `{"Agent":{"name":"a","title":"A"},"AuthMethods":[{"ID":"key","Name":"API key","Type":"agent"},{"ID":"t","Type":"gateway"}],"Image":true,"LoadSession":true,"MCP":{},"ResumeSession":true}`
	if got := compact(t, in); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestNewSessionAnswers(t *testing.T) {
	tests := []struct {
		answer, want string
		err          error
	}{
		{`{"sessionId":"s"}`, `{"SessionID":"s"}`, nil},
		{
			`{"sessionId":"s","modes":{"currentModeId":"m","availableModes":[{"id":"m","name":"M"},{"name":"no id"}]},"models":7}`,
			`{"Modes":{"Available":[{"ID":"m","Name":"M"}],"Current":"m"},"SessionID":"s"}`, nil,
		},
		{`{"sessionId":"s","modes":"auto"}`, `{"SessionID":"s"}`, nil},
		{`{"sessionId":""}`, "", ErrAnswer},
		{`{"sessionId":7}`, "", ErrAnswer},
		{`null`, "", ErrAnswer},
	}
	for _, tt := range tests {
		c, p := connect(t, Options{})
		ch := async(func() (NewSessionResult, error) { return c.NewSession(t.Context(), NewSession{Cwd: "/w"}) })
		p.line()
		p.send(`{"jsonrpc":"2.0","id":1,"result":` + tt.answer + `}`)
		r := wait(t, tt.answer, ch)
		if !isErr(r.err, tt.err) {
			t.Errorf("%s: %v, want %v", tt.answer, r.err, tt.err)
		}
		r.value.Raw = nil
		if got := compact(t, r.value); tt.err == nil && got != tt.want {
			t.Errorf("%s: %s", tt.answer, got)
		}
	}
}

func TestUnknownTransport(t *testing.T) {
	c, _ := connect(t, Options{})
	_, err := c.NewSession(t.Context(), NewSession{Servers: []agent.Server{{Name: "n", Transport: "carrier pigeon"}}})
	if !isErr(err, ErrTransport) || !strings.Contains(err.Error(), `"n"`) {
		t.Errorf("NewSession: %v", err)
	}
}

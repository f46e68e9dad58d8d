package acp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	sdk "github.com/coder/acp-go-sdk"
)

var quiet = slog.New(slog.DiscardHandler)

// runFake is the agent that the test binary is when started as one.
func runFake(name string) {
	f := &fake{in: bufio.NewReader(os.Stdin), out: bufio.NewWriter(os.Stdout)}
	switch name {
	case "grease":
		f.grease()
	case "burst":
		f.burst()
	case "giant":
		f.giant()
	case "exit":
		f.exit()
	case "deaf":
		f.out.WriteString("{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"s\",\"update\":{\"sessionUpdate\":\"ready\"}}}\n")
		f.out.Flush()
		select {} // reads nothing, ends only when killed
	case "sdk":
		runSDKAgent()
	}
}

// fake speaks JSON-RPC by hand, so that it can do what no library does.
type fake struct {
	in  *bufio.Reader
	out *bufio.Writer
}

type inbound struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *struct{ Code int }
}

func (f *fake) recv() inbound {
	f.out.Flush()
	line, err := f.in.ReadBytes('\n')
	if err != nil {
		os.Exit(0)
	}
	var m inbound
	if err := json.Unmarshal(line, &m); err != nil {
		panic(err)
	}
	return m
}

func (f *fake) line(format string, args ...any) { fmt.Fprintf(f.out, format+"\n", args...) }

func (f *fake) answer(m inbound, result string) {
	f.line(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

func (f *fake) update(body string) {
	f.line(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":%s}}`, body)
}

// handshake answers initialize and session/new and returns the first prompt.
func (f *fake) handshake() inbound {
	f.answer(f.recv(), `{"protocolVersion":1,"agentInfo":{"name":"fake","version":"1"},"x-grease":[1]}`)
	f.answer(f.recv(), `{"sessionId":"s1","configOptions":[{"type":"unheard-of"}]}`)
	return f.recv()
}

// grease does everything an agent may do that we do not know.
func (f *fake) grease() {
	f.line("Fake agent 1.0 starting")
	f.line("\ufeff")
	p := f.handshake()
	f.line(`{"jsonrpc":"2.0","method":"_fake/telemetry","params":{"a":1}}`)
	f.line(`{"jsonrpc":"2.0","method":"session/news","params":null}`)
	f.update(`{"sessionUpdate":"compaction_summary_chunk","content":{"type":"text","text":"summary"}}`)
	f.update(`{"sessionUpdate":"_fake_thing","title":"t"}`)
	f.line(`{"jsonrpc":"2.0","id":"read","method":"fs/read_text_file","params":{"sessionId":"s1","path":"/x"}}`)
	if r := f.recv(); r.Error == nil || r.Error.Code != CodeMethodNotFound || string(r.ID) != `"read"` {
		panic("fs/read_text_file was not refused")
	}
	f.line(`{"jsonrpc":"2.0","id":null,"method":"terminal/create","params":{}}`)
	f.recv()
	f.update(`{"sessionUpdate":"tool_call","toolCallId":"c1","title":"Write","status":"pending","x":{}}`)
	f.line(`{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"c1"},"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"},{"optionId":"yes2","name":"Always","kind":"allow_always"}]}}`)
	f.update(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` + chosen(f.recv()) + `"}}`)
	f.line(`{"jsonrpc":"2.0","id":999,"result":{}}`)
	f.answer(p, `{"stopReason":"end_turn","usage":{"x":1}}`)
	f.answer(p, `{"stopReason":"refusal"}`)
	f.recv()
}

func chosen(m inbound) string {
	var r struct{ Outcome struct{ OptionID string } }
	_ = json.Unmarshal(m.Result, &r)
	return r.Outcome.OptionID
}

const burstUpdates = 50_000

// burst writes many updates in one go, then the answer.
func (f *fake) burst() {
	p := f.handshake()
	for i := range burstUpdates {
		f.update(fmt.Sprintf(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"%d"}}`, i))
	}
	f.answer(p, `{"stopReason":"end_turn"}`)
	f.recv()
}

const giantText = 12 << 20

// giant sends one long frame in pieces and one that is too long.
func (f *fake) giant() {
	p := f.handshake()
	f.update(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` + strings.Repeat("x", giantText) + `"}}`)
	piece := strings.Repeat("y", 1<<20)
	for range MaxFrame>>20 + 1 {
		f.out.WriteString(piece)
	}
	f.line("")
	f.update(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"after"}}`)
	f.answer(p, `{"stopReason":"end_turn"}`)
	f.recv()
}

// exit answers session/new, then ends in the middle of the turn; its last
// update has no line end.
func (f *fake) exit() {
	f.handshake()
	f.out.WriteString(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"last"}}}}`)
	f.out.Flush()
}

// sdkAgent is an independent implementation of the agent's side.
type sdkAgent struct {
	sdk.Agent // methods that a turn does not need
	conn      *sdk.AgentSideConnection
	servers   string
}

func runSDKAgent() {
	a, in := &sdkAgent{}, &gate{open: make(chan struct{}), from: os.Stdin}
	a.conn = sdk.NewAgentSideConnection(a, os.Stdout, in)
	a.conn.SetLogger(quiet)
	close(in.open)
	<-a.conn.Done()
}

// gate lets nothing be read before it is open: the library reads from the
// moment it is made, when its user has not even got it yet.
type gate struct {
	open chan struct{}
	from io.Reader
}

func (g *gate) Read(b []byte) (int, error) {
	<-g.open
	return g.from.Read(b)
}

func (a *sdkAgent) Initialize(_ context.Context, r sdk.InitializeRequest) (sdk.InitializeResponse, error) {
	if r.ClientInfo == nil || r.ClientInfo.Name != "kandev" || r.ClientCapabilities.Terminal || r.ClientCapabilities.Fs.ReadTextFile {
		return sdk.InitializeResponse{}, sdk.NewInvalidParams(nil)
	}
	return sdk.InitializeResponse{
		ProtocolVersion:   r.ProtocolVersion,
		AgentCapabilities: sdk.AgentCapabilities{LoadSession: true, McpCapabilities: sdk.McpCapabilities{Http: true}},
	}, nil
}

func (a *sdkAgent) NewSession(_ context.Context, r sdk.NewSessionRequest) (sdk.NewSessionResponse, error) {
	for _, s := range r.McpServers {
		switch {
		case s.Http != nil:
			a.servers += "http:" + s.Http.Name + ":" + s.Http.Headers[0].Value + " "
		case s.Sse != nil:
			a.servers += "sse:" + s.Sse.Name + " "
		case s.Stdio != nil:
			a.servers += "stdio:" + s.Stdio.Command + " "
		}
	}
	return sdk.NewSessionResponse{SessionId: "sdk-1"}, nil
}

func (a *sdkAgent) Cancel(context.Context, sdk.CancelNotification) error { return nil }

func (a *sdkAgent) Prompt(ctx context.Context, r sdk.PromptRequest) (sdk.PromptResponse, error) {
	say := func(u sdk.SessionUpdate) error {
		return a.conn.SessionUpdate(ctx, sdk.SessionNotification{SessionId: r.SessionId, Update: u})
	}
	if r.Prompt[0].Text.Text == "block" {
		_ = say(sdk.UpdateAgentMessageText("blocking"))
		<-ctx.Done()
		return sdk.PromptResponse{StopReason: sdk.StopReasonCancelled}, nil
	}
	_ = say(sdk.UpdateAgentMessageText(a.servers))
	_ = say(sdk.StartToolCall("c1", "Edit", sdk.WithStartKind(sdk.ToolKindEdit)))
	p, err := a.conn.RequestPermission(ctx, sdk.RequestPermissionRequest{
		SessionId: r.SessionId,
		ToolCall:  sdk.ToolCallUpdate{ToolCallId: "c1"},
		Options:   []sdk.PermissionOption{{Kind: sdk.PermissionOptionKindAllowOnce, Name: "Yes", OptionId: "y"}},
	})
	if err != nil || p.Outcome.Selected == nil {
		return sdk.PromptResponse{StopReason: sdk.StopReasonRefusal}, err
	}
	_ = say(sdk.UpdateToolCall("c1", sdk.WithUpdateStatus(sdk.ToolCallStatusCompleted)))
	return sdk.PromptResponse{StopReason: sdk.StopReasonEndTurn}, nil
}

package toolbench

import (
	"context"
	"encoding/json"
	"slices"

	acp "github.com/coder/acp-go-sdk"
)

// JSON-RPC error codes used here.
const (
	codeInvalidRequest = -32600
	codeInvalidParams  = -32602
	codeInternal       = -32603
)

// handle answers one ACP message. The SDK runs requests concurrently and notifications in order.
// A handler that panics is answered as an internal error, so that one bad message never ends the agent.
func (a *agent) handle(ctx context.Context, method string, params json.RawMessage) (result any, failure *acp.RequestError) {
	defer func() {
		if recover() != nil {
			result, failure = nil, refusal(codeInternal, "The agent failed on this request.")
		}
	}()
	switch method {
	case acp.AgentMethodInitialize:
		return a.initialize(), nil
	case acp.AgentMethodAuthenticate:
		return acp.AuthenticateResponse{}, nil
	case acp.AgentMethodSessionNew:
		return a.newSession(ctx, params)
	case acp.AgentMethodSessionPrompt:
		return a.prompt(ctx, params)
	case acp.AgentMethodSessionCancel:
		return nil, a.cancel(params)
	}
	return nil, acp.NewMethodNotFound(method)
}

// initialize always offers protocol 1, whatever the client asked for: the client decides whether it can go on.
func (a *agent) initialize() acp.InitializeResponse {
	return acp.InitializeResponse{
		ProtocolVersion: 1,
		AgentInfo:       &acp.Implementation{Name: "toolbench", Title: new("Toolbench"), Version: a.version},
		AgentCapabilities: acp.AgentCapabilities{
			McpCapabilities: acp.McpCapabilities{Http: true, Sse: true},
		},
		AuthMethods: []acp.AuthMethod{},
	}
}

// promptParams is what is read of session/prompt. Blocks of unknown types are allowed and ignored.
type promptParams struct {
	SessionID string `json:"sessionId"`
	Prompt    []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"prompt"`
}

// input is the last text block; the ones before it are for models (the preamble is one of them).
func (p promptParams) input() string {
	for _, block := range slices.Backward(p.Prompt) {
		if block.Type == "text" {
			return block.Text
		}
	}
	return ""
}

func (a *agent) prompt(ctx context.Context, params json.RawMessage) (any, *acp.RequestError) {
	// Whatever becomes of it, the reader may go on once this prompt is registered or refused.
	defer a.in.promptTaken()
	var p promptParams
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, refusal(codeInvalidParams, "The prompt could not be read.")
	}
	s := a.session(p.SessionID)
	if s == nil {
		return nil, refusal(codeInvalidParams, "There is no such session.")
	}
	turn, done, ok := s.begin(ctx)
	if !ok {
		return nil, refusal(codeInvalidRequest, "A prompt is already running in this session. Cancel it or wait for its end.")
	}
	defer done()
	a.in.promptTaken()
	s.run(turn, p.input())
	if turn.Err() != nil {
		return acp.PromptResponse{StopReason: acp.StopReasonCancelled}, nil
	}
	return acp.PromptResponse{StopReason: acp.StopReasonEndTurn}, nil
}

func (a *agent) cancel(params json.RawMessage) *acp.RequestError {
	var p struct {
		SessionID string `json:"sessionId"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return refusal(codeInvalidParams, "The notification could not be read.")
	}
	if s := a.session(p.SessionID); s != nil {
		s.cancel()
	}
	return nil
}

func refusal(code int, sentence string) *acp.RequestError {
	return &acp.RequestError{Code: code, Message: sentence}
}

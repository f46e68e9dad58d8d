package tool

import (
	"context"
	"encoding/json"
	"time"

	"kandev/backend/catalog"
)

// Definition is one registered tool: data plus handler.
type Definition struct {
	Name         string // canonical
	Title        string
	Description  string
	InputSchema  json.RawMessage // an object schema, 2020-12 unless $schema says otherwise
	OutputSchema json.RawMessage // an object schema or empty; with it every successful Result carries Structured
	Annotations  Annotations
	Meta         json.RawMessage // served as _meta; an object or empty
	Source       catalog.Source
	Handler      Handler

	// Limit ends a call; 0 is the default of Limits.
	Limit time.Duration
	// Waits says that a call may wait for a person: a client that reads
	// server-sent events gets the headers at once.
	Waits bool
	// Requires names the client capabilities that a call cannot do without
	// ("elicitation", "sampling", "roots"). A client that did not declare one is
	// refused before the handler. No tool of ours needs any.
	Requires []string
}

// Annotations are MCP's hints, each set on purpose; nil is not served.
type Annotations struct {
	ReadOnly    *bool `json:"readOnlyHint,omitempty"`
	Destructive *bool `json:"destructiveHint,omitempty"`
	Idempotent  *bool `json:"idempotentHint,omitempty"`
	OpenWorld   *bool `json:"openWorldHint,omitempty"`
}

// Handler answers one call. Its arguments were validated. ctx ends with the
// client's cancel, the attempt, the deadline or the app; a handler returns soon
// after. An error is a fault of ours and becomes a tool error with a neutral
// text; what the model can act on is a Result with IsError.
type Handler func(ctx context.Context, c Call) (Result, error)

// Call is one validated tools/call.
type Call struct {
	Name      string          // canonical, from the first step on
	Arguments json.RawMessage // an object; "{}" when the client sent none
	CallID    string          // the agent's own id of this call, when it sent one (_meta callId, claudecode/toolUseId)
	// Progress sends a short sentence to the waiting client; never nil.
	Progress func(message string)
}

// Result is what goes back to the model.
type Result struct {
	Text       string
	IsError    bool
	Structured json.RawMessage // an object or empty; served as structuredContent
}

// Text is a successful result.
func Text(s string) Result { return Result{Text: s} }

// Fail is the result of a call that the model can correct.
func Fail(s string) Result { return Result{Text: s, IsError: true} }

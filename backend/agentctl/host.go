package agentctl

import (
	"context"
	"log/slog"
	"time"

	"kandev/backend/acp"
	"kandev/backend/attach"
	"kandev/backend/mcpserver"
	"kandev/backend/session"
	"kandev/backend/tool"
)

// Host is what an instance acts through; it is never part of the request.
// Functions may be called from any goroutine of the instance, never while a
// lock of the instance is held, and not after Close returned. Endpoint, Tools
// and Preamble are called while what is served is being swapped: they must not
// ask the instance for another swap.
type Host struct {
	// Endpoint opens an MCP endpoint on the app's one listener.
	Endpoint func(mcpserver.Options) (*mcpserver.Endpoint, error)
	// Record takes evidence, in order per server; Used counts a call by its
	// canonical name, see mcpserver.Options.Used.
	Record func(attach.Evidence)
	Used   func(attempt, name string, known, failed bool, at time.Time)
	// Tools returns the set a profile is served, Preamble what it is told.
	Tools    func(Profile) *tool.Set
	Preamble func(Profile) string
	// Update takes what the agent shows, in order; Permission asks the person.
	Update     func(acp.Update)
	Permission func(context.Context, acp.PermissionRequest) (acp.PermissionOutcome, error)
	// Terminal takes how a terminal of the agent stands, in order for each: when
	// it was made, while it writes at most five times a second, when it ended.
	Terminal func(session.Terminal)
	// Noise and Dropped tell of output that was no JSON-RPC, and of frames too
	// large to keep.
	Noise   func(length int, sha256 string)
	Dropped func(length int64)
	// Estimate and Count are the tokenizer; nil = unavailable.
	Estimate func(toolJSON []byte) (int, error)
	Count    func(text string) int
	// Getenv gives the value of a variable that the request names.
	Getenv func(name string) (string, bool)
	// NewID makes a random id with a prefix.
	NewID func(prefix string) string

	Guard   []string // argv prefix of the guard
	Bridge  []string // argv prefix of the stdio bridge, an absolute path first
	PIDDir  string   // for the sweep after a crash
	Version string
	Now     func() time.Time
	Log     *slog.Logger
}

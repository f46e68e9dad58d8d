package mcpserver

import (
	"context"
	"net/http"
	"strings"
	"unicode"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kandev/backend/attach"
)

// engine is mcp-go: the protocol engine behind our transport. It holds no
// tool, so that nothing of tools/list and tools/call depends on it: a tool
// cannot empty its list (D1), panic in it (D2), or race with it (D12), and its
// shared channels (D5, D6) carry nothing.
type engine struct{ srv *server.MCPServer }

// handshake is what initialize settled, or what a stateless request says.
type handshake struct {
	client       string // name and version as the client says, cleaned and cut
	protocol     string
	capabilities map[string]bool // that the client declared, by name
}

type handshakeKey struct{}

func newEngine(version, instructions string) *engine {
	hooks := &server.Hooks{}
	hooks.AddAfterInitialize(func(ctx context.Context, _ any, q *mcp.InitializeRequest, a *mcp.InitializeResult) {
		if h, ok := ctx.Value(handshakeKey{}).(*handshake); ok {
			h.client = clientName(q.Params.ClientInfo)
			h.protocol = a.ProtocolVersion
			c := q.Params.Capabilities
			h.capabilities = map[string]bool{"elicitation": c.Elicitation != nil, "sampling": c.Sampling != nil, "roots": c.Roots != nil}
		}
	})
	srv := server.NewMCPServer(attach.BuiltinServer, version,
		server.WithToolCapabilities(true), // listChanged; nothing else is offered
		server.WithInstructions(instructions),
		server.WithHooks(hooks))
	return &engine{srv: srv}
}

// message answers one request of an older protocol version; nil when there is
// nothing to say. ok is false when the answer is a JSON-RPC error.
func (e *engine) message(ctx context.Context, body []byte) (answer []byte, settled handshake, ok bool) {
	ctx = context.WithValue(ctx, handshakeKey{}, &settled)
	ctx = server.WithSupportedProtocolVersions(ctx, mcp.LegacyProtocolVersions())
	response := e.srv.HandleMessage(ctx, body)
	if response == nil {
		return nil, settled, true
	}
	_, isError := response.(mcp.JSONRPCError)
	return encode(response), settled, !isError
}

// stateless answers one request of 2026-07-28 whose headers and _meta were
// checked; code is that of a JSON-RPC error, or 0. mcp-go adds what each result
// of that version carries.
func (e *engine) stateless(ctx context.Context, body []byte) (answer []byte, code int) {
	ctx = server.WithSupportedProtocolVersions(ctx, supportedVersions())
	response := e.srv.HandleMessage(ctx, body)
	if failed, ok := response.(mcp.JSONRPCError); ok {
		code = failed.Error.Code
	}
	return encode(response), code
}

// supportedVersions are all that this endpoint speaks, newest first.
func supportedVersions() []string { return mcp.ValidProtocolVersions }

func clientName(info mcp.Implementation) string {
	return strings.TrimSpace(clean(info.Name, 64) + " " + clean(info.Version, 32))
}

// isModern tells the era of a request. A body that names a version no one knows
// is of the newer era: only that one puts a version into each request.
func isModern(r *http.Request, m meta) bool {
	named := m.text(mcp.MetaKeyProtocolVersion)
	return mcp.IsModernProtocol(r.Header.Get(headerVersion)) || mcp.IsModernProtocol(named) ||
		named != "" && !mcp.IsValidProtocolVersion(named)
}

// knownVersion: a request after initialize may leave the header out.
func knownVersion(r *http.Request) bool {
	v := r.Header.Get(headerVersion)
	return v == "" || mcp.IsValidProtocolVersion(v)
}

// clean keeps what a client says of itself printable and short.
func clean(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	for n := range s {
		if n >= limit {
			return s[:n]
		}
	}
	return s
}

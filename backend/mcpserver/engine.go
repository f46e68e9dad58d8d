package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
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
type engine struct {
	srv *server.MCPServer
	// modern answers requests that declare 2026-07-28 or later. It is pinned to
	// the versions before: clients fall back.
	modern *server.StreamableHTTPServer
}

// handshake is what initialize settled.
type handshake struct {
	client   string // name and version as the client says, cleaned and cut
	protocol string
}

type handshakeKey struct{}

func newEngine(version, instructions string) *engine {
	hooks := &server.Hooks{}
	hooks.AddAfterInitialize(func(ctx context.Context, _ any, q *mcp.InitializeRequest, a *mcp.InitializeResult) {
		if h, ok := ctx.Value(handshakeKey{}).(*handshake); ok {
			info := q.Params.ClientInfo
			h.client = strings.TrimSpace(clean(info.Name, 64) + " " + clean(info.Version, 32))
			h.protocol = a.ProtocolVersion
		}
	})
	srv := server.NewMCPServer(attach.BuiltinServer, version,
		server.WithToolCapabilities(true), // listChanged; nothing else is offered
		server.WithInstructions(instructions),
		server.WithHooks(hooks))
	return &engine{srv: srv, modern: server.NewStreamableHTTPServer(srv,
		server.WithStreamableHTTPProtocolVersions(mcp.LegacyProtocolVersions()...),
		server.WithStreamableHTTPLogger(slog.New(slog.DiscardHandler)))}
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

// serveModern answers a request of a newer protocol version, whose body was read.
func (e *engine) serveModern(w http.ResponseWriter, r *http.Request, body []byte) {
	r = r.Clone(r.Context())
	r.Body = io.NopCloser(bytes.NewReader(body))
	e.modern.ServeHTTP(w, r)
}

// discoverRefused answers a server/discover that names no version.
func discoverRefused(id json.RawMessage) []byte {
	refusal := mcp.UnsupportedProtocolVersionError{
		Version: mcp.ProtocolVersion20260728, Supported: mcp.LegacyProtocolVersions(),
	}.JSONRPCError()
	return fmtError(id, refusal.Error.Code, refusal.Error.Message, refusal.Error.Data)
}

func fmtError(id json.RawMessage, code int, message string, data any) []byte {
	return encode(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   any             `json:"error"`
	}{"2.0", id, struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Data    any    `json:"data,omitempty"`
	}{code, message, data}})
}

const methodDiscover = string(mcp.MethodServerDiscover)

// isModern is mcp-go's own rule, so that no request is of one era here and of
// the other there.
func isModern(r *http.Request, m meta) bool {
	return mcp.IsModernProtocol(r.Header.Get("Mcp-Protocol-Version")) ||
		mcp.IsModernProtocol(m.text(mcp.MetaKeyProtocolVersion))
}

// knownVersion: a request after initialize may leave the header out.
func knownVersion(r *http.Request) bool {
	v := r.Header.Get("Mcp-Protocol-Version")
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

package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strings"
)

// JSON-RPC error codes.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeInvalidParams  = -32602
	codeInternal       = -32603
	codeNoMethod       = -32601

	// Of MCP 2026-07-28.
	codeHeaderMismatch     = -32020
	codeNeedsCapability    = -32021
	codeUnsupportedVersion = -32022
)

// envelope is one JSON-RPC message. It is read as mcp-go reads it (encoding/json,
// last member wins), so that both see the same message.
type envelope struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
}

// meta is the _meta of a message's parameters.
type meta map[string]json.RawMessage

// text is the member as a string, or empty.
func (m meta) text(key string) string {
	var s string
	if raw, ok := m[key]; !ok || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// progressToken is the token as it was sent, a string or number, or nil.
func (m meta) progressToken() json.RawMessage {
	if raw := m["progressToken"]; isID(raw) {
		return raw
	}
	return nil
}

// metaOf reads params._meta; anything unreadable has none.
func metaOf(params json.RawMessage) meta {
	var p struct {
		Meta meta `json:"_meta"`
	}
	if len(params) == 0 || json.Unmarshal(params, &p) != nil {
		return nil
	}
	return p.Meta
}

// isID tells a string or number from everything else.
func isID(raw json.RawMessage) bool {
	return len(raw) > 0 && (raw[0] == '"' || raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9')
}

// isNotification: no id, or null, which mcp-go takes for none.
func (m *envelope) isNotification() bool { return len(m.ID) == 0 || string(m.ID) == "null" }

// idKey makes ids comparable: the string "7" and the number 7 are two.
func idKey(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return "s" + s
	}
	return "n" + string(raw)
}

// encode is JSON without the escapes that only HTML needs.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return []byte(`null`)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func resultMessage(id json.RawMessage, result []byte) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

// rpcError is the error member of a JSON-RPC message.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// status is what 2026-07-28 prescribes over HTTP; versions before answer 200.
func (e rpcError) status() int {
	switch e.Code {
	case codeNoMethod:
		return http.StatusNotFound
	case codeInternal:
		return http.StatusOK
	default:
		return http.StatusBadRequest
	}
}

func (e rpcError) answer(id json.RawMessage) []byte {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":%s}`, id, encode(e))
}

func errorMessage(id json.RawMessage, code int, message string) []byte {
	return rpcError{Code: code, Message: message}.answer(id)
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// rpcFail refuses a request before its id is known.
func rpcFail(w http.ResponseWriter, status, code int, message string) {
	writeJSON(w, status, errorMessage(nil, code, message))
}

func fail(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(message + "\n"))
}

func notAllowed(w http.ResponseWriter, methods string) {
	w.Header().Set("Allow", methods)
	fail(w, http.StatusMethodNotAllowed, "method not allowed")
}

// accepts reads Accept headers; a request without any takes everything.
func accepts(r *http.Request, want string) bool {
	values := r.Header.Values("Accept")
	if len(values) == 0 {
		return want != eventStream || r.Method == http.MethodGet // a client that says nothing gets plain JSON
	}
	kind, _, _ := strings.Cut(want, "/")
	for _, v := range values {
		for part := range strings.SplitSeq(v, ",") {
			got, _, _ := mime.ParseMediaType(strings.TrimSpace(part))
			if got == want || got == "*/*" || got == kind+"/*" {
				return true
			}
		}
	}
	return false
}

const (
	eventStream = "text/event-stream"
	jsonType    = "application/json"
)

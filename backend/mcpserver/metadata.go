package mcpserver

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// Headers of 2026-07-28 (specification, "Request Metadata").
const (
	headerVersion = "Mcp-Protocol-Version"
	headerMethod  = "Mcp-Method"
	headerName    = "Mcp-Name"
)

// checkModern holds the headers of a request against its body and reads what
// the client says of itself into q.self; nil when both agree. What stands
// between client and server may have acted upon the headers, so they must not
// say something else than the body that is acted upon here.
func (q *request) checkModern() *rpcError {
	header, sent := only(q.r, headerVersion)
	version := q.meta.text(mcp.MetaKeyProtocolVersion)
	switch {
	case !sent:
		return mismatch(headerVersion + " must be sent once")
	case version != "" && version != header:
		return mismatch(headerVersion + " is not the version that the body names")
	case header != mcp.ProtocolVersion20260728:
		return unsupported(header)
	case version == "":
		return invalid(mcp.MetaKeyProtocolVersion)
	}
	var capabilities map[string]json.RawMessage
	if json.Unmarshal(q.meta[mcp.MetaKeyClientCapabilities], &capabilities) != nil || capabilities == nil {
		return invalid(mcp.MetaKeyClientCapabilities)
	}
	if method, ok := only(q.r, headerMethod); !ok || method != q.msg.Method {
		return mismatch(headerMethod + " is not the body's method")
	}
	if wrong := q.checkName(); wrong != nil {
		return wrong
	}
	q.self = &handshake{protocol: version, capabilities: make(map[string]bool, len(capabilities))}
	for name := range capabilities {
		q.self.capabilities[name] = true
	}
	var info mcp.Implementation
	if json.Unmarshal(q.meta[mcp.MetaKeyClientInfo], &info) == nil { // it may be left out
		q.self.client = clientName(info)
	}
	return nil
}

// checkName: of the methods that carry Mcp-Name we serve one.
func (q *request) checkName() *rpcError {
	if q.msg.Method != "tools/call" {
		return nil
	}
	var p callParams
	if json.Unmarshal(q.msg.Params, &p) != nil {
		return &rpcError{Code: codeInvalidParams, Message: "tools/call needs a name and an arguments object"}
	}
	header, sent := only(q.r, headerName)
	if name, ok := decodeHeader(header); !sent || !ok || name != p.Name {
		return mismatch(headerName + " is not the name in the body")
	}
	return nil
}

// only is the value of a header that was sent exactly once.
func only(r *http.Request, name string) (string, bool) {
	values := r.Header.Values(name)
	if len(values) != 1 {
		return "", false
	}
	return values[0], values[0] != ""
}

// decodeHeader reads a header value: visible ASCII and blanks as they are,
// anything else in the base64 sentinel; false when it is neither.
func decodeHeader(value string) (string, bool) {
	if strings.ContainsFunc(value, func(c rune) bool { return c != '\t' && (c < ' ' || c > '~') }) {
		return "", false
	}
	encoded, opened := strings.CutPrefix(value, "=?base64?")
	encoded, closed := strings.CutSuffix(encoded, "?=")
	if !opened || !closed {
		return value, true
	}
	decoded, err := base64.StdEncoding.Strict().DecodeString(encoded)
	return string(decoded), err == nil
}

func mismatch(message string) *rpcError {
	return &rpcError{Code: codeHeaderMismatch, Message: "Header mismatch: " + message}
}

func invalid(key string) *rpcError {
	return &rpcError{Code: codeInvalidParams, Message: "_meta must hold " + key}
}

// unsupported names the versions that a client can go on with.
func unsupported(version string) *rpcError {
	return &rpcError{Code: codeUnsupportedVersion, Message: "Unsupported protocol version", Data: struct {
		Supported []string `json:"supported"`
		Requested string   `json:"requested"`
	}{supportedVersions(), clean(version, 64)}}
}

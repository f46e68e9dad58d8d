package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// JSON-RPC error codes.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeUnreachable    = -32000 // from the range that JSON-RPC leaves to implementations
)

// Methods that the bridge treats apart.
const (
	methodInitialize  = "initialize"
	methodInitialized = "notifications/initialized"
	methodCancelled   = "notifications/cancelled"
	methodListen      = "subscriptions/listen"
	methodAck         = "notifications/subscriptions/acknowledged"
	methodListChanged = "notifications/tools/list_changed"
)

const listChanged = `{"jsonrpc":"2.0","method":"` + methodListChanged + `"}`

// firstModern is the first protocol version without sessions; versions are
// dates and compare as text.
const firstModern = "2026-07-28"

// message is one line of the client, as far as it has to be understood.
type message struct {
	line    []byte
	id      json.RawMessage // nil: a notification, or an answer to a request of the server
	method  string          // empty: an answer
	version string          // that the request itself declares; empty: the session's
	params  map[string]json.RawMessage
}

func (m *message) isRequest() bool { return m.id != nil && m.method != "" }

func (m *message) modern() bool { return m.version >= firstModern }

// parse reads a line. Names are compared exactly and the last of equal members
// holds. A line that is no single JSON-RPC message is refused with the answer
// to give; its id cannot be trusted, so that is null.
func parse(text []byte) (m *message, refused []byte) {
	if text[0] == '[' {
		if !json.Valid(text) {
			return nil, errorMessage(nil, codeParse, "The line is not JSON.")
		}
		return nil, errorMessage(nil, codeInvalidRequest, "Batches are not supported: send one message a line.")
	}
	var top map[string]json.RawMessage
	if err := json.Unmarshal(text, &top); err != nil || top == nil {
		if json.Valid(text) {
			return nil, errorMessage(nil, codeInvalidRequest, "The line is not a JSON-RPC message.")
		}
		return nil, errorMessage(nil, codeParse, "The line is not JSON.")
	}
	m = &message{line: text, id: top["id"], method: str(top["method"])}
	if string(m.id) == "null" {
		m.id = nil // the endpoint takes it for a notification too
	}
	answer := top["result"] != nil || top["error"] != nil
	if m.id != nil && !isID(m.id) || m.method == "" && (m.id == nil || !answer) {
		return nil, errorMessage(nil, codeInvalidRequest, "The line is not a JSON-RPC message.")
	}
	_ = json.Unmarshal(top["params"], &m.params) // parameters of another form have no members
	var meta map[string]json.RawMessage
	_ = json.Unmarshal(m.params["_meta"], &meta)
	m.version = str(meta["io.modelcontextprotocol/protocolVersion"])
	return m, nil
}

// name is what the Mcp-Name header repeats.
func (m *message) name() (value string, has bool) {
	switch m.method {
	case "tools/call", "prompts/get":
		return str(m.params["name"]), true
	case "resources/read":
		return str(m.params["uri"]), true
	}
	return "", false
}

// reply is a message of the endpoint, as far as it has to be understood.
type reply struct {
	ID     json.RawMessage `json:"id"`
	Method *string         `json:"method"`
	Error  json.RawMessage `json:"error"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
}

// isAnswer tells an answer from a request or notification of the server.
func (r *reply) isAnswer() bool { return r.Method == nil }

// answers reports whether this is the answer to the request with that id.
func (r *reply) answers(id json.RawMessage) bool {
	return r.isAnswer() && len(r.ID) > 0 && idKey(r.ID) == idKey(id)
}

// unnamed is an error for a message that the endpoint did not read as far as
// its id. The client would wait for ever.
func (r *reply) unnamed() bool {
	return r.isAnswer() && len(r.Error) > 0 && (len(r.ID) == 0 || string(r.ID) == "null")
}

// str is a JSON string's value, empty for anything else.
func str(raw json.RawMessage) (s string) {
	if len(raw) == 0 || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// isID: ids are strings and numbers.
func isID(raw json.RawMessage) bool {
	return raw[0] == '"' || raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9'
}

// idKey makes ids comparable: the string "7" and the number 7 are two, however
// the string is escaped.
func idKey(raw json.RawMessage) string {
	if len(raw) > 0 && raw[0] == '"' {
		return `"` + str(raw)
	}
	return string(raw)
}

// oneLine takes out what would end the line: line breaks around and between
// the tokens of valid JSON. Strings hold none.
func oneLine(p []byte) []byte {
	p = bytes.Trim(p, " \t\r\n")
	if bytes.IndexByte(p, '\n') < 0 && bytes.IndexByte(p, '\r') < 0 {
		return p
	}
	out := make([]byte, 0, len(p))
	for _, c := range p {
		if c != '\n' && c != '\r' {
			out = append(out, c)
		}
	}
	return out
}

// errorMessage is an answer of our own; a nil id is written as null.
func errorMessage(id json.RawMessage, code int, text string) []byte {
	sentence, _ := json.Marshal(text) // a string always encodes
	return errorAnswer(id, fmt.Appendf(nil, `{"code":%d,"message":%s}`, code, sentence))
}

func errorAnswer(id json.RawMessage, object []byte) []byte {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":%s}`, id, object)
}

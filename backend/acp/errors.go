package acp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Errors of a connection.
var (
	ErrClosed    = errors.New("the connection to the agent has ended")
	ErrNoAnswer  = errors.New("the agent did not answer in time")
	ErrProtocol  = errors.New("unsupported ACP version")
	ErrAnswer    = errors.New("the agent's answer cannot be understood")
	ErrTooLarge  = errors.New("the frame is larger than 64 MiB")
	ErrStalled   = errors.New("the agent does not read its input")
	ErrTransport = errors.New("unknown MCP transport")
)

// Error codes of JSON-RPC and ACP that this package sends or understands.
const (
	CodeAuthRequired   = -32000
	CodeNotFound       = -32002
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
	CodeVersion        = -32022 // a newer agent that does not speak version 1
	CodeCancelled      = -32800
)

// Error is an agent's error answer. The message is the agent's own text: to be
// shown, not logged.
type Error struct {
	Code    int             // 0 when the agent gave none that is a number
	Message string          // never empty, at most 4 KiB
	Data    json.RawMessage // as sent, or nil
}

func (e *Error) Error() string {
	if e.Code == 0 {
		return "agent: " + e.Message
	}
	return fmt.Sprintf("agent: %s (%d)", e.Message, e.Code)
}

// asError finds the agent's own error in err.
func asError(err error) (*Error, bool) {
	var e *Error
	ok := errors.As(err, &e)
	return e, ok
}

// decodeError reads the error member of an answer, of whatever shape: agents
// send plain strings, codes as text or with a fraction, objects as messages.
func decodeError(raw json.RawMessage) *Error {
	e := &Error{}
	o := parseObject(raw)
	if o == nil {
		e.Message = readable(raw)
	} else {
		e.Code = decodeCode(o["code"])
		e.Message = readable(o.raw("message"))
		e.Data = o.raw("data")
		if e.Message == "" {
			e.Message = readable(e.Data)
		}
	}
	if e.Message == "" {
		e.Message = "an error without a message"
	}
	e.Message = cut(e.Message, maxMessage)
	return e
}

func decodeCode(raw json.RawMessage) int {
	text := strings.Trim(string(bytes.TrimSpace(raw)), `"`)
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > math.MaxInt32 {
		return 0
	}
	return int(f)
}

// readable makes a sentence of any JSON value: a string's text, an object's
// message, else the JSON itself.
func readable(raw json.RawMessage) string {
	if s, ok := stringOf(raw); ok {
		return strings.TrimSpace(s)
	}
	if o := parseObject(raw); o != nil {
		for _, key := range []string{"message", "error", "details"} {
			if s, ok := stringOf(o[key]); ok && strings.TrimSpace(s) != "" {
				return strings.TrimSpace(s)
			}
		}
	}
	if isNull(raw) {
		return ""
	}
	return string(bytes.TrimSpace(raw))
}

// cut shortens s to at most n bytes without splitting a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

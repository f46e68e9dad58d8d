package mcpserver

import (
	"net/http"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"kandev/backend/tool"
)

// Methods of 2026-07-28 that are ours.
const (
	methodDiscover = string(mcp.MethodServerDiscover)
	methodListen   = string(mcp.MethodSubscriptionsListen)
)

// postModern answers one message of 2026-07-28. Each stands for itself: there is
// no session, and what the client says of itself comes with each request.
//
// A notification is accepted and means nothing. The only one there is takes a
// call back, and over HTTP closing the response does that; taken by its id it
// could end the call of another client (D4).
func (e *Endpoint) postModern(q *request) {
	if q.msg.Method == "" || len(q.msg.Result) > 0 || len(q.msg.Error) > 0 {
		rpcFail(q.w, http.StatusBadRequest, codeInvalidRequest, "a client sends requests and notifications only")
		return
	}
	if q.msg.isNotification() {
		q.w.WriteHeader(http.StatusAccepted)
		return
	}
	if wrong := q.checkModern(); wrong != nil {
		writeJSON(q.w, wrong.status(), wrong.answer(q.msg.ID))
		return
	}
	switch q.msg.Method {
	case "tools/list":
		e.stateless.seen(*q.self)
		e.list(q)
	case "tools/call":
		e.stateless.seen(*q.self)
		e.call(q)
	case methodListen:
		e.listen(q)
	default:
		if q.msg.Method == methodDiscover {
			e.stateless.seen(*q.self)
		}
		answer, code := e.engine.stateless(q.r.Context(), q.body)
		status := http.StatusOK
		if code != 0 {
			status = rpcError{Code: code}.status()
		}
		writeJSON(q.w, status, answer)
	}
}

// missing lists the capabilities that a call needs and its client did not
// declare: with this request, or in the handshake of its session.
func (q *request) missing(needed []string) (missing []string) {
	if len(needed) == 0 {
		return nil
	}
	declared := q.self
	if declared == nil {
		declared = &q.sess.handshake
	}
	for _, name := range needed {
		if !declared.capabilities[name] {
			missing = append(missing, name)
		}
	}
	return missing
}

// refuse answers a call whose client cannot do what the tool needs (D7). The
// versions before have no code for it; there the model is told.
func (a *answer) refuse(def *tool.Definition, missing []string) {
	message := def.Name + " needs what this client does not offer: " + strings.Join(missing, ", ")
	if a.modern == nil {
		a.result(tool.Fail(message + "."))
		return
	}
	required := make(map[string]struct{}, len(missing))
	for _, name := range missing {
		required[name] = struct{}{}
	}
	a.fail(rpcError{Code: codeNeedsCapability, Message: message, Data: map[string]any{"requiredCapabilities": required}})
}

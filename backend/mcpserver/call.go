package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kandev/backend/attach"
	"kandev/backend/tool"
)

// maxSentName bounds what of an unknown name is sent back.
const maxSentName = 128

// callParams are the parameters of tools/call; _meta is read with the envelope.
type callParams struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// call answers tools/call. The tool set is captured once: alias, lookup,
// validation and the call itself read the same tools.
func (e *Endpoint) call(q *request) {
	tools := e.tools.Load()
	out := e.newAnswer(q)
	defer out.close()
	var p callParams
	if len(q.msg.Params) == 0 || json.Unmarshal(q.msg.Params, &p) != nil {
		out.fail(rpcError{Code: codeInvalidParams, Message: "tools/call needs a name and an arguments object"})
		return
	}
	def, ok := tools.set.Resolve(p.Name, e.o.Namespaced)
	if !ok {
		e.o.Used("", false, true, e.o.Now())
		out.fail(rpcError{Code: codeInvalidParams, Message: fmt.Sprintf("tool '%s' not found: tool not found", clean(p.Name, maxSentName))})
		return
	}
	if missing := q.missing(def.Requires); len(missing) > 0 {
		e.o.Used(def.Name, true, true, e.o.Now())
		out.refuse(def, missing)
		return
	}
	e.watch.add(attach.Evidence{Kind: attach.ToolCallObserved})
	e.run(q, tools, def, p, out)
}

// run calls the tool and answers the client that still waits.
func (e *Endpoint) run(q *request, tools *served, def *tool.Definition, p callParams, out *answer) {
	ctx, done := e.calls.start(q.r.Context(), q.sessionID(), q.msg.ID)
	defer done()
	// Registered first: a client may cancel as soon as it sees the headers.
	if def.Waits {
		out.open()
	}
	out.keepAlive(e.o.KeepAlive)
	began := time.Now()
	result, report := tools.set.Call(ctx, def, tool.Call{
		Arguments: p.Arguments, CallID: callID(q.meta), Progress: out.progress,
	}, tool.Limits{Go: e.handlers.Go, Default: e.o.CallLimit})
	e.o.Used(def.Name, true, report.Outcome.Failed(), e.o.Now())

	cause := context.Cause(ctx)
	gone := q.r.Context().Err() != nil || errors.Is(cause, errClientGone)
	if report.Outcome == tool.OutcomeCancelled && !gone && !errors.Is(cause, ErrCancelled) {
		result = tool.Fail("This call was ended: " + cause.Error() + ".")
	}
	log := e.log.With("tool", def.Name, "outcome", string(report.Outcome), "ms", time.Since(began).Milliseconds())
	if report.Site != "" {
		log = log.With("site", report.Site)
	}
	log.Info("mcp call")
	switch {
	case gone:
	case report.Outcome == tool.OutcomeCancelled && errors.Is(cause, ErrCancelled):
		out.fail(rpcError{Code: codeInternal, Message: "the call was cancelled"})
	default:
		e.tell(q.sess, out)
		out.result(result)
	}
}

// tell makes list_changed level-triggered: what a lost stream did not deliver,
// the next answer does. In the newer era only a stream that asked for it may
// carry it, and a stream that opens catches up.
func (e *Endpoint) tell(sess *session, out *answer) {
	if sess == nil {
		return
	}
	version, owed := e.sessions.owes(sess)
	if owed && out.notify([]byte(listChanged)) {
		e.sessions.setTold(sess, version)
	}
}

// callID is the agent's own id of the call, as far as it names one.
func callID(m meta) string {
	for _, key := range []string{"callId", "claudecode/toolUseId"} {
		if id := m.text(key); id != "" && len(id) <= 256 {
			return id
		}
	}
	return ""
}

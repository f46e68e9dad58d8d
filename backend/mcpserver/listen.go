package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// listenParams are the parameters of subscriptions/listen. Of what can be asked
// for we offer one.
type listenParams struct {
	Notifications *struct {
		Tools bool `json:"toolsListChanged"`
	} `json:"notifications"`
}

// listen answers subscriptions/listen: first what was granted, then list_changed
// if it was asked for, at last, when we end it, the result. A stream that asked
// for nothing stays open as well: a client that was sent away would come again.
func (e *Endpoint) listen(q *request) {
	var p listenParams
	if json.Unmarshal(q.msg.Params, &p) != nil || p.Notifications == nil {
		wrong := rpcError{Code: codeInvalidParams, Message: "subscriptions/listen needs a notifications object"}
		writeJSON(q.w, wrong.status(), wrong.answer(q.msg.ID))
		return
	}
	if !accepts(q.r, eventStream) {
		rpcFail(q.w, http.StatusNotAcceptable, codeInvalidRequest, "subscriptions/listen is answered with "+eventStream)
		return
	}
	ctx, cancel := context.WithCancel(q.r.Context())
	defer cancel()
	st := &stream{changed: make(chan struct{}, 1), end: cancel}
	out := &sink{w: q.w, timeout: e.server.limits.write}
	mark := fmt.Appendf(nil, `"_meta":{"io.modelcontextprotocol/subscriptionId":%s}`, q.msg.ID)
	granted := "{}"
	if p.Notifications.Tools {
		granted = `{"toolsListChanged":true}`
	}
	l := e.sessions.yield(func() *listener { return e.stateless.open(*q.self, st, p.Notifications.Tools) })
	if l == nil {
		fail(q.w, http.StatusNotFound, "not found")
		return
	}
	defer e.sessions.regain()
	defer e.stateless.gone(l)
	out.stream()
	if out.event(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{%s,"notifications":%s}}`, mark, granted)) != nil {
		return
	}
	if !p.Notifications.Tools {
		st = &stream{} // nothing wakes it
	}
	e.pump(ctx, out, st, fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{%s}}`, mark),
		func() func() { return func() {} })
	if q.r.Context().Err() != nil {
		return
	}
	out.timeout = e.server.limits.farewell // a client that does not read must not hold Close
	_ = out.event(resultMessage(q.msg.ID, fmt.Appendf(nil, `{"resultType":"complete",%s}`, mark)))
}

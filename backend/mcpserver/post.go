package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"time"
	"unicode/utf8"

	"kandev/backend/attach"
)

// request is one POST whose envelope was read.
type request struct {
	w    http.ResponseWriter
	r    *http.Request
	body []byte
	msg  envelope
	meta meta
	sess *session   // nil for initialize and in the newer era
	self *handshake // in the newer era: what this request says of its client
}

// modern: the request is of 2026-07-28 and stands for itself.
func (q *request) modern() bool { return q.self != nil }

func (q *request) sessionID() string {
	if q.sess == nil {
		return ""
	}
	return q.sess.id
}

// post answers one JSON-RPC message.
func (e *Endpoint) post(w http.ResponseWriter, r *http.Request) {
	q := &request{w: w, r: r}
	if !e.read(q) {
		return
	}
	switch {
	case isModern(r, q.meta):
		e.postModern(q)
		return
	case q.msg.Method == methodDiscover:
		writeJSON(w, http.StatusBadRequest, unsupported("").answer(q.msg.ID))
		return
	case q.msg.Method == "initialize" && !q.msg.isNotification():
		e.initialize(q)
		return
	case !knownVersion(r):
		fail(w, http.StatusBadRequest, "unsupported Mcp-Protocol-Version")
		return
	}
	sess, status := e.sessions.begin(r.Header.Get("Mcp-Session-Id"))
	if status != 0 {
		rpcFail(w, status, codeInvalidRequest, "no such session: initialize first")
		return
	}
	defer e.sessions.end(sess)
	q.sess = sess
	e.dispatch(q)
}

func (e *Endpoint) dispatch(q *request) {
	switch {
	case q.msg.Method == "", q.msg.isNotification(): // an answer to a request that we never send, or a notification
		if q.msg.Method == "notifications/cancelled" {
			e.cancelled(q)
		}
		q.w.WriteHeader(http.StatusAccepted)
	case q.msg.Method == "tools/list":
		e.list(q)
	case q.msg.Method == "tools/call":
		e.call(q)
	default:
		answer, _, _ := e.engine.message(q.r.Context(), q.body)
		if answer == nil {
			q.w.WriteHeader(http.StatusAccepted)
			return
		}
		writeJSON(q.w, http.StatusOK, answer)
	}
}

// initialize makes a session. It counts from the moment its answer was written.
func (e *Endpoint) initialize(q *request) {
	answer, settled, ok := e.engine.message(q.r.Context(), q.body)
	if !ok {
		writeJSON(q.w, http.StatusOK, answer)
		e.watch.add(attach.Evidence{Kind: attach.Failed, Reason: "handshake_failed", Summary: "The handshake could not be answered."})
		return
	}
	sess, ok := e.sessions.create(settled)
	if !ok {
		rpcFail(q.w, http.StatusServiceUnavailable, codeInternal, "too many sessions")
		return
	}
	q.w.Header().Set("Mcp-Session-Id", sess.id)
	writeJSON(q.w, http.StatusOK, answer)
	if http.NewResponseController(q.w).Flush() != nil {
		e.sessions.drop(sess)
		return
	}
	e.sessions.connect(sess)
}

// read checks the headers of a POST and reads its message; false: answered.
func (e *Endpoint) read(q *request) bool {
	if kind, _, err := mime.ParseMediaType(q.r.Header.Get("Content-Type")); err != nil || kind != jsonType {
		rpcFail(q.w, http.StatusUnsupportedMediaType, codeInvalidRequest, "Content-Type must be application/json")
		return false
	}
	if !accepts(q.r, jsonType) && !accepts(q.r, eventStream) {
		rpcFail(q.w, http.StatusNotAcceptable, codeInvalidRequest, "Accept must name application/json and text/event-stream")
		return false
	}
	control := http.NewResponseController(q.w)
	hurry := context.AfterFunc(e.ending, func() { _ = control.SetReadDeadline(time.Now()) })
	defer hurry()
	body, err := io.ReadAll(http.MaxBytesReader(q.w, q.r.Body, e.server.limits.maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		rpcFail(q.w, http.StatusRequestEntityTooLarge, codeInvalidRequest, "the request is too large")
		return false
	case err != nil:
		rpcFail(q.w, http.StatusBadRequest, codeParse, "the body could not be read")
		return false
	}
	_ = control.SetReadDeadline(time.Time{}) // from here on reading only notices that the client is gone
	q.body = body
	return q.parse()
}

func (q *request) parse() bool {
	if t := bytes.TrimLeft(q.body, " \t\r\n"); len(t) > 0 && t[0] == '[' {
		rpcFail(q.w, http.StatusBadRequest, codeInvalidRequest, "batches are not supported")
		return false
	}
	if !utf8.Valid(q.body) || json.Unmarshal(q.body, &q.msg) != nil {
		rpcFail(q.w, http.StatusBadRequest, codeParse, "not a JSON-RPC message")
		return false
	}
	if q.msg.JSONRPC != "2.0" || !q.msg.isNotification() && !isID(q.msg.ID) {
		rpcFail(q.w, http.StatusBadRequest, codeInvalidRequest, "not a JSON-RPC 2.0 message")
		return false
	}
	q.meta = metaOf(q.msg.Params)
	return true
}

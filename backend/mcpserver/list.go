package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"kandev/backend/attach"
	"kandev/backend/tool"
)

// list answers tools/list with all tools and hands what was written to the
// observer. It never pages.
func (e *Endpoint) list(q *request) {
	defer func() {
		if p := recover(); p != nil {
			e.watch.add(attach.Evidence{Kind: attach.Failed, Reason: "tools_list_failed", Summary: "The tool list could not be answered."})
			panic(p)
		}
	}()
	out := &sink{w: q.w, timeout: e.server.limits.write}
	if hasCursor(q.msg.Params) {
		wrong := rpcError{Code: codeInvalidParams, Message: "no such cursor: all tools come in one answer"}
		status := http.StatusOK
		if q.modern() {
			status = wrong.status()
		}
		_ = out.whole(status, wrong.answer(q.msg.ID))
		return
	}
	tools := e.tools.Load()
	tail := []byte("}}\n")
	if q.modern() {
		tail = e.stateless.listTail
	}
	chunks := [][]byte{fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":`, q.msg.ID), tools.result, tail}
	var err error
	if accepts(q.r, jsonType) {
		err = out.whole(http.StatusOK, chunks...)
	} else {
		out.stream()
		chunks = slices.Concat([][]byte{[]byte("event: message\ndata: ")}, chunks, [][]byte{[]byte("\n")})
		err = out.write(chunks...)
	}
	if err != nil {
		return // what did not arrive is no evidence
	}
	e.setting.Lock()
	defer e.setting.Unlock()
	e.listed, e.moved = tools.digest, false
	e.setListed(q, &written{chunks: chunks, tools: tools})
	e.compare() // they may have been swapped meanwhile: the list is old already
}

// compare records when the tools become others than those last served, and when
// they are the same again. e.setting is held.
func (e *Endpoint) compare() {
	moved := e.listed != digest{} && e.listed != e.tools.Load().digest
	if moved == e.moved {
		return
	}
	e.moved = moved
	change := attach.Evidence{Kind: attach.ToolsChanged}
	if !moved {
		change.Reason = attach.ReasonBack
	}
	e.watch.add(change)
}

// setListed notes what a client was served, and that it was.
func (e *Endpoint) setListed(q *request, l *written) {
	if !q.modern() {
		e.sessions.setListed(q.sess, l)
		return
	}
	e.stateless.setListed(l.tools.version)
	e.watch.addList(l)
}

// hasCursor: null and the empty string are no cursor, as for mcp-go.
func hasCursor(params json.RawMessage) bool {
	var p struct {
		Cursor json.RawMessage `json:"cursor"`
	}
	if len(params) == 0 || json.Unmarshal(params, &p) != nil {
		return false
	}
	return len(p.Cursor) > 0 && !bytes.Equal(p.Cursor, []byte("null")) && !bytes.Equal(p.Cursor, []byte(`""`))
}

// SetTools swaps the tools in whole. Requests that began keep theirs. When a
// client can see a difference, every session is told once.
func (e *Endpoint) SetTools(set *tool.Set) {
	next := render(set, e.o.Namespaced)
	e.setting.Lock()
	defer e.setting.Unlock()
	old := e.tools.Load()
	next.version = old.version
	changed := old.digest != next.digest
	if changed {
		next.version++
	}
	e.tools.Store(next)
	if !changed {
		return
	}
	e.sessions.announce()
	e.stateless.announce()
	e.compare()
}

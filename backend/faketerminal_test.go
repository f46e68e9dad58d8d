package backend

import (
	"encoding/json"
	"strings"
)

// fakeResult is an answer to the fake agent, and its bytes.
type fakeResult struct {
	Outcome struct{ Outcome, OptionID string }
	Content *string
	raw     string
}

func (r *fakeResult) UnmarshalJSON(b []byte) error {
	type plain fakeResult
	r.raw = string(b)
	return json.Unmarshal(b, (*plain)(r))
}

func (f *fakeAgent) isTerminal(id json.RawMessage) bool { return string(id) == `"t"` }

// terminals plays a script: each line a terminal method with its params, or
// "show" with a tool call's status. $T is the id of the newest terminal. What
// was answered is said, a line for each.
func (f *fakeAgent) terminals(script string) {
	id := ""
	for line := range strings.Lines(script) {
		method, params, _ := strings.Cut(strings.TrimSpace(line), " ")
		if method == "show" {
			f.write(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"fake-1","update":{"sessionUpdate":"tool_call","toolCallId":"term","title":"Run","kind":"execute","status":%q,"content":[{"type":"terminal","terminalId":%q}]}}}`, params, id)
			continue
		}
		f.write(`{"jsonrpc":"2.0","id":"t","method":"terminal/%s","params":%s}`, method, strings.ReplaceAll(params, "$T", id))
		answer := <-f.answers
		var made struct{ TerminalID string }
		if method == "create" && json.Unmarshal([]byte(answer), &made) == nil {
			id, answer = made.TerminalID, "made"
		}
		f.say(answer + "\n")
	}
}

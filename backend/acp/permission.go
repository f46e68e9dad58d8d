package acp

import (
	"encoding/json"
	"slices"

	"kandev/backend/permission"
)

// PermissionRequest is one session/request_permission. Of its call often only
// the id is given: join it with the tool_call that came before.
type PermissionRequest struct {
	SessionID string
	Call      ToolCall
	Options   []permission.Option // the first 64 with an id of at most 4 KiB, in the agent's order
	Raw       json.RawMessage     // the params as sent
}

// PermissionOutcome is the answer: one of the options offered, by its id. The
// zero value is the outcome "cancelled".
type PermissionOutcome struct{ OptionID string }

func (r PermissionRequest) offers(o PermissionOutcome) bool {
	return o.OptionID == "" || slices.ContainsFunc(r.Options, func(p permission.Option) bool { return p.ID == o.OptionID })
}

func decodePermission(params json.RawMessage) PermissionRequest {
	o := parseObject(params)
	r := PermissionRequest{
		SessionID: o.text("sessionId"),
		Call:      decodeToolCall(parseObject(o["toolCall"])),
		Raw:       params,
	}
	if r.Call.Name == nil { // where Qwen Code 0.24.4 has it
		r.Call.Name = parseObject(r.Call.Meta).optional("toolName")
	}
	for _, item := range o.list("options") {
		p := parseObject(item)
		if id := p.text("optionId"); id != "" && len(id) <= maxID && len(r.Options) < maxChoices {
			r.Options = append(r.Options, permission.Option{ID: id, Name: p.label("name"), Kind: p.label("kind")})
		}
	}
	return r
}

type outcome struct {
	Outcome  string `json:"outcome"` // "selected" or "cancelled"
	OptionID string `json:"optionId,omitempty"`
}

type permissionResult struct {
	Outcome outcome `json:"outcome"`
}

func outcomeOf(o PermissionOutcome) permissionResult {
	if o.OptionID == "" {
		return permissionResult{outcome{Outcome: "cancelled"}}
	}
	return permissionResult{outcome{"selected", o.OptionID}}
}

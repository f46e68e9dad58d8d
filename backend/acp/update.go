package acp

import (
	"encoding/json"

	"kandev/backend/session"
)

// Update is one session/update. Kind is the wire's sessionUpdate and decides
// which field is set; all are empty for a kind that is not listed here, and
// for "", an update that names no kind. Raw always holds the whole update.
type Update struct {
	Kind     string
	Chunk    *Chunk              // user_message_chunk, agent_message_chunk, agent_thought_chunk
	Tool     *ToolCall           // tool_call, tool_call_update
	Plan     []session.PlanEntry // plan; replaces the one before
	Commands []Command           // available_commands_update; replaces those before
	Mode     string              // current_mode_update
	Info     *SessionInfo        // session_info_update
	Usage    *Usage              // usage_update
	Replayed bool                // part of what session/load repeats
	Raw      json.RawMessage
}

// Kinds of updates that are decoded.
const (
	KindUserChunk    = "user_message_chunk"
	KindMessageChunk = "agent_message_chunk"
	KindThoughtChunk = "agent_thought_chunk"
	KindToolCall     = "tool_call"
	KindToolUpdate   = "tool_call_update"
	KindPlan         = "plan"
	KindCommands     = "available_commands_update"
	KindMode         = "current_mode_update"
	KindInfo         = "session_info_update"
	KindUsage        = "usage_update"
)

// Command is a slash command of the agent.
type Command struct {
	Name        string
	Description string
	Hint        string // what to type after it; "" = nothing
}

// SessionInfo is what changed of the session; nil = unchanged. A title the
// agent took back is "".
type SessionInfo struct{ Title, UpdatedAt *string }

// Usage is the state of the context window, in tokens.
type Usage struct {
	Used, Size uint64
	Cost       *Cost // nil = not told
}

// Cost is what the session has cost so far.
type Cost struct {
	Amount   float64
	Currency string // ISO 4217
}

// decodeNotification reads the params of session/update. It never fails: what
// cannot be read is missing in the Update and still in its Raw.
func decodeNotification(params json.RawMessage) (sessionID string, u Update) {
	o := parseObject(params)
	raw := o["update"]
	if raw == nil {
		raw = params
	}
	if raw == nil {
		raw = json.RawMessage("null")
	}
	return o.text("sessionId"), decodeUpdate(raw)
}

func decodeUpdate(raw json.RawMessage) Update {
	o := parseObject(raw)
	u := Update{Kind: o.text("sessionUpdate"), Raw: raw}
	switch u.Kind {
	case KindUserChunk, KindMessageChunk, KindThoughtChunk:
		u.Chunk = decodeChunk(o)
	case KindToolCall, KindToolUpdate:
		t := decodeToolCall(o)
		u.Tool = &t
	case KindPlan:
		u.Plan = decodePlan(o)
	case KindCommands:
		u.Commands = decodeCommands(o)
	case KindMode:
		u.Mode = o.text("currentModeId")
	case KindInfo:
		u.Info = &SessionInfo{Title: clearable(o, "title"), UpdatedAt: clearable(o, "updatedAt")}
	case KindUsage:
		u.Usage = decodeUsage(o)
	}
	return u
}

// clearable reads a member whose null means that it was taken back.
func clearable(o object, key string) *string {
	if raw, given := o[key]; given && isNull(raw) {
		return new(string)
	}
	return o.optional(key)
}

func decodePlan(o object) []session.PlanEntry {
	out := []session.PlanEntry{}
	for _, item := range o.list("entries") {
		if s, ok := stringOf(item); ok {
			out = append(out, session.PlanEntry{Content: s})
			continue
		}
		if e := parseObject(item); e != nil {
			out = append(out, session.PlanEntry{Content: e.text("content"), Priority: e.text("priority"), Status: e.text("status")})
		}
	}
	return out
}

func decodeCommands(o object) []Command {
	out := []Command{}
	for _, item := range o.list("availableCommands") {
		e := parseObject(item)
		if name := e.text("name"); name != "" {
			out = append(out, Command{name, e.text("description"), parseObject(e["input"]).text("hint")})
		}
	}
	return out
}

func decodeUsage(o object) *Usage {
	u := &Usage{}
	u.Used, _ = o.number("used")
	u.Size, _ = o.number("size")
	cost := parseObject(o["cost"])
	var amount float64
	if raw := cost.raw("amount"); raw != nil && json.Unmarshal(raw, &amount) == nil {
		u.Cost = &Cost{amount, cost.text("currency")}
	}
	return u
}

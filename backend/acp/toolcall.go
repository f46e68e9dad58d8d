package acp

import (
	"encoding/json"

	"kandev/backend/session"
)

// ToolCall is a tool_call, or a tool_call_update, whose nil fields mean
// "unchanged". In an update Content and Locations, when not nil, replace what
// was there; empty means none. Title is display text: an agent can write
// anything there.
type ToolCall struct {
	CallID    string
	Title     *string
	Name      *string // programmatic name of the tool
	Kind      *string // read, edit, delete, move, search, execute, think, fetch, switch_mode, other
	Status    *string // pending, in_progress, completed, failed, cancelled
	Input     json.RawMessage
	Output    json.RawMessage
	Content   []ToolContent
	Locations []Location
	Meta      json.RawMessage // _meta as sent, or nil
}

// ToolContent is one piece of what a call showed.
type ToolContent struct {
	Type     string          // "content", "diff", "terminal", or as sent
	Text     string          // content: its text; others that are not known: a marker such as "[video]"
	Diff     *session.Diff   // diff
	Terminal string          // terminal: its id
	Raw      json.RawMessage // as sent, when there is more to it than the fields above; else nil
}

// Location is a file that a call works on.
type Location struct {
	Path string
	Line *uint64 // nil = not told
}

func decodeToolCall(o object) ToolCall {
	t := ToolCall{
		CallID: o.id("toolCallId"),
		Title:  o.optional("title"),
		Name:   o.optional("name"),
		Kind:   o.optional("kind"),
		Status: o.optional("status"),
		Input:  o.raw("rawInput"),
		Output: o.raw("rawOutput"),
		Meta:   o.raw("_meta"),
	}
	if items := o.list("content"); items != nil {
		t.Content = make([]ToolContent, 0, len(items))
		for _, item := range items {
			if !isNull(item) {
				t.Content = append(t.Content, decodeToolContent(item))
			}
		}
	}
	if items := o.list("locations"); items != nil {
		t.Locations = make([]Location, 0, len(items))
		for _, item := range items {
			l := parseObject(item)
			if path := l.text("path"); path != "" {
				t.Locations = append(t.Locations, Location{path, line(l)})
			}
		}
	}
	return t
}

func line(o object) *uint64 {
	if n, ok := o.number("line"); ok {
		return &n
	}
	return nil
}

func decodeToolContent(raw json.RawMessage) ToolContent {
	o := parseObject(raw)
	switch kind := o.text("type"); kind {
	case "content":
		return contentOf(kind, o["content"], raw)
	case "diff":
		path, hasPath := stringOf(o["path"])
		text, hasText := stringOf(o["newText"])
		if !hasPath || !hasText {
			return ToolContent{Type: kind, Text: marker(kind), Raw: raw}
		}
		return ToolContent{Type: kind, Diff: &session.Diff{Path: path, Old: o.optional("oldText"), New: text}}
	case "terminal":
		return ToolContent{Type: kind, Terminal: o.id("terminalId")}
	case "", "text": // a bare string, or a block without its wrapper
		return contentOf("content", raw, raw)
	default:
		return ToolContent{Type: kind, Text: marker(kind), Raw: raw}
	}
}

func contentOf(kind string, block, raw json.RawMessage) ToolContent {
	text, plain := blockText(block)
	if plain {
		return ToolContent{Type: kind, Text: text}
	}
	return ToolContent{Type: kind, Text: text, Raw: raw}
}

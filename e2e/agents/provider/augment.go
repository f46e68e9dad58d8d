package provider

import "encoding/json"

// Kinds of nodes in Augment's chat-stream, and of its ends.
const (
	nodeText    = 0
	nodeFinal   = 2
	nodeToolUse = 5

	stopEnd  = 1
	stopTool = 3
)

// augmentNode is one piece of what goes to the model.
type augmentNode struct {
	Text *struct {
		Content string `json:"content"`
	} `json:"text_node"`
	Result *struct {
		ID      string          `json:"tool_use_id"`
		Content json.RawMessage `json:"content"`
		Nodes   json.RawMessage `json:"content_nodes"`
	} `json:"tool_result_node"`
}

// readAugment reads a request of Augment's chat-stream, which Auggie speaks.
func readAugment(body []byte) (Request, error) {
	var b struct {
		Message string        `json:"message"`
		Nodes   []augmentNode `json:"nodes"`
		History []struct {
			Message string        `json:"request_message"`
			Nodes   []augmentNode `json:"request_nodes"`
		} `json:"chat_history"`
		Tools []json.RawMessage `json:"tool_definitions"`
	}
	if err := decode(body, &b); err != nil {
		return Request{}, err
	}
	q := Request{Stream: true}
	for _, raw := range b.Tools {
		var t struct {
			Name string `json:"name"`
		}
		if err := decode(raw, &t); err != nil {
			return Request{}, err
		}
		q.Tools = append(q.Tools, Tool{Name: t.Name, Raw: raw})
	}
	for _, h := range b.History {
		q.Messages = append(q.Messages, augmentMessages(h.Message, h.Nodes)...)
	}
	q.Messages = append(q.Messages, augmentMessages(b.Message, b.Nodes)...)
	return q, nil
}

func augmentMessages(text string, nodes []augmentNode) (out []Message) {
	if text != "" {
		out = append(out, Message{Text: text})
	}
	for _, n := range nodes {
		switch {
		case n.Text != nil:
			out = append(out, Message{Text: n.Text.Content})
		case n.Result != nil:
			out = append(out, Message{Text: textOf(n.Result.Content) + string(n.Result.Nodes), ResultOf: n.Result.ID})
		}
	}
	return out
}

// writeAugment answers it, in lines of JSON.
func writeAugment(w *stream, _ Request, r Reply) {
	if r.Call == "" {
		w.line(object{"text": r.Text, "nodes": []any{object{"id": 1, "type": nodeText, "content": r.Text}}})
		w.line(object{"text": "", "nodes": []any{object{"id": 2, "type": nodeFinal, "content": r.Text}}, "stop_reason": stopEnd})
		return
	}
	use := object{"tool_use_id": r.Call, "tool_name": r.Tool.Name, "input_json": string(r.Arguments)}
	w.line(object{"text": "", "nodes": []any{object{"id": 1, "type": nodeToolUse, "content": "", "tool_use": use}}})
	w.line(object{"text": "", "nodes": []any{}, "stop_reason": stopTool})
}

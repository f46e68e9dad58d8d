package provider

import "encoding/json"

// readAnthropic reads a request of Anthropic's messages.
func readAnthropic(body []byte) (Request, error) {
	var b struct {
		Stream   bool `json:"stream"`
		Messages []struct {
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
		Tools []json.RawMessage `json:"tools"`
	}
	if err := decode(body, &b); err != nil {
		return Request{}, err
	}
	q := Request{Stream: b.Stream}
	for _, raw := range b.Tools {
		var t struct {
			Name     string `json:"name"`
			Deferred bool   `json:"defer_loading"`
		}
		if err := decode(raw, &t); err != nil {
			return Request{}, err
		}
		q.Tools = append(q.Tools, Tool{Name: t.Name, Deferred: t.Deferred, Raw: raw})
	}
	for _, m := range b.Messages {
		q.Messages = append(q.Messages, anthropicMessages(m.Content)...)
	}
	return q, nil
}

// anthropicMessages splits a message: results stand beside texts in it.
func anthropicMessages(content json.RawMessage) (out []Message) {
	var blocks []struct {
		Type      string          `json:"type"`
		Text      string          `json:"text"`
		ToolUseID string          `json:"tool_use_id"`
		Content   json.RawMessage `json:"content"`
	}
	if json.Unmarshal(content, &blocks) != nil {
		return []Message{{Text: textOf(content)}}
	}
	for _, block := range blocks {
		switch block.Type {
		case "text":
			out = append(out, Message{Text: block.Text})
		case "tool_result":
			out = append(out, Message{Text: textOf(block.Content), ResultOf: block.ToolUseID})
		}
	}
	return out
}

// writeAnthropic answers it.
func writeAnthropic(w *stream, q Request, r Reply) {
	block, empty := object{"type": "text", "text": r.Text}, object{"type": "text", "text": ""}
	delta, reason := object{"type": "text_delta", "text": r.Text}, "end_turn"
	if r.Call != "" {
		block = object{"type": "tool_use", "id": r.Call, "name": r.Tool.Name, "input": r.Arguments}
		empty = object{"type": "tool_use", "id": r.Call, "name": r.Tool.Name, "input": object{}}
		delta, reason = object{"type": "input_json_delta", "partial_json": string(r.Arguments)}, "tool_use"
	}
	usage := object{"input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
	message := object{
		"id": "msg_" + q.ID, "type": "message", "role": "assistant", "model": Model, "usage": usage,
		"content": []any{block}, "stop_reason": reason, "stop_sequence": nil,
	}
	if !q.Stream {
		w.whole(message)
		return
	}
	message["content"], message["stop_reason"] = []any{}, nil
	for _, e := range []object{
		{"type": "message_start", "message": message},
		{"type": "content_block_start", "index": 0, "content_block": empty},
		{"type": "content_block_delta", "index": 0, "delta": delta},
		{"type": "content_block_stop", "index": 0},
		{"type": "message_delta", "delta": object{"stop_reason": reason, "stop_sequence": nil}, "usage": object{"output_tokens": 5}},
		{"type": "message_stop"},
	} {
		w.event(e["type"].(string), e)
	}
}

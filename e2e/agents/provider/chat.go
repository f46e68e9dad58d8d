package provider

import "encoding/json"

// readChat reads a request of OpenAI's chat completions.
func readChat(body []byte) (Request, error) {
	var b struct {
		Stream   bool `json:"stream"`
		Messages []struct {
			Role       string          `json:"role"`
			Content    json.RawMessage `json:"content"`
			ToolCallID string          `json:"tool_call_id"`
		} `json:"messages"`
		Tools []json.RawMessage `json:"tools"`
	}
	if err := decode(body, &b); err != nil {
		return Request{}, err
	}
	q := Request{Stream: b.Stream}
	for _, raw := range b.Tools {
		var t struct {
			Function struct {
				Name string `json:"name"`
			} `json:"function"`
		}
		if err := decode(raw, &t); err != nil {
			return Request{}, err
		}
		q.Tools = append(q.Tools, Tool{Name: t.Function.Name, Raw: raw})
	}
	for _, m := range b.Messages {
		if m.Role != "system" && m.Role != "developer" {
			q.Messages = append(q.Messages, Message{Text: textOf(m.Content), ResultOf: m.ToolCallID})
		}
	}
	return q, nil
}

// writeChat answers it.
func writeChat(w *stream, q Request, r Reply) {
	message := object{"role": "assistant", "content": r.Text}
	reason := "stop"
	if r.Call != "" {
		reason = "tool_calls"
		message = object{"role": "assistant", "content": nil, "tool_calls": []any{object{
			"index": 0, "id": r.Call, "type": "function",
			"function": object{"name": r.Tool.Name, "arguments": string(r.Arguments)},
		}}}
	}
	usage := object{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
	out := object{"id": "chatcmpl-" + q.ID, "object": "chat.completion", "created": 1, "model": Model, "usage": usage}
	if !q.Stream {
		out["choices"] = []any{object{"index": 0, "message": message, "finish_reason": reason}}
		w.whole(out)
		return
	}
	out["object"] = "chat.completion.chunk"
	out["choices"] = []any{object{"index": 0, "delta": message, "finish_reason": nil}}
	w.event("", out)
	out["choices"] = []any{object{"index": 0, "delta": object{}, "finish_reason": reason}}
	w.event("", out)
	w.event("", "[DONE]")
}

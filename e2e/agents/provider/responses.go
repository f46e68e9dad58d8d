package provider

import "encoding/json"

// readResponses reads a request of OpenAI's responses, which Codex speaks.
func readResponses(body []byte) (Request, error) {
	var b struct {
		Stream bool `json:"stream"`
		Input  []struct {
			Type    string          `json:"type"`
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
			CallID  string          `json:"call_id"`
			Output  json.RawMessage `json:"output"`
		} `json:"input"`
		Tools []json.RawMessage `json:"tools"`
	}
	if err := decode(body, &b); err != nil {
		return Request{}, err
	}
	q := Request{Stream: b.Stream}
	for _, raw := range b.Tools {
		tools, err := responsesTools(raw)
		if err != nil {
			return Request{}, err
		}
		q.Tools = append(q.Tools, tools...)
	}
	for _, i := range b.Input {
		switch {
		case i.Type == "function_call_output":
			q.Messages = append(q.Messages, Message{Text: textOf(i.Output), ResultOf: i.CallID})
		case i.Role == "user" || i.Role == "assistant":
			q.Messages = append(q.Messages, Message{Text: textOf(i.Content)})
		}
	}
	return q, nil
}

// responsesTools is one tool, or those of a namespace.
func responsesTools(raw json.RawMessage) ([]Tool, error) {
	var t struct {
		Type  string            `json:"type"`
		Name  string            `json:"name"`
		Tools []json.RawMessage `json:"tools"`
	}
	if err := decode(raw, &t); err != nil {
		return nil, err
	}
	if t.Type != "namespace" {
		return []Tool{{Name: t.Name, Raw: raw}}, nil
	}
	var out []Tool
	for _, inner := range t.Tools {
		tools, err := responsesTools(inner)
		if err != nil {
			return nil, err
		}
		for _, tool := range tools {
			tool.Namespace = t.Name
			out = append(out, tool)
		}
	}
	return out, nil
}

// writeResponses answers it.
func writeResponses(w *stream, q Request, r Reply) {
	item := object{
		"type": "message", "id": "msg_" + q.ID, "role": "assistant", "status": "completed",
		"content": []any{object{"type": "output_text", "text": r.Text, "annotations": []any{}}},
	}
	if r.Call != "" {
		item = object{
			"type": "function_call", "id": "fc_" + q.ID, "call_id": r.Call, "status": "completed",
			"name": r.Tool.Name, "arguments": string(r.Arguments),
		}
		if r.Tool.Namespace != "" {
			item["namespace"] = r.Tool.Namespace
		}
	}
	response := object{
		"id": "resp_" + q.ID, "object": "response", "created_at": 1, "model": Model, "status": "completed", "output": []any{item},
		"usage": object{
			"input_tokens": 10, "input_tokens_details": object{"cached_tokens": 0},
			"output_tokens": 5, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": 15,
		},
	}
	if !q.Stream {
		w.whole(response)
		return
	}
	number := 0
	event := func(kind string, v object) {
		v["type"], v["sequence_number"] = kind, number
		number++
		w.event(kind, v)
	}
	event("response.created", object{"response": object{"id": "resp_" + q.ID, "object": "response", "created_at": 1, "model": Model, "status": "in_progress", "output": []any{}}})
	event("response.output_item.added", object{"output_index": 0, "item": item})
	if r.Call == "" {
		event("response.output_text.delta", object{"item_id": "msg_" + q.ID, "output_index": 0, "content_index": 0, "delta": r.Text})
	}
	event("response.output_item.done", object{"output_index": 0, "item": item})
	event("response.completed", object{"response": response})
}

package provider

import (
	"encoding/json"
	"strings"
)

// readGemini reads a request of Gemini's generateContent.
func readGemini(body []byte) (Request, error) {
	var b struct {
		Contents []struct {
			Parts []struct {
				Text     string `json:"text"`
				Response *struct {
					ID       string          `json:"id"`
					Name     string          `json:"name"`
					Response json.RawMessage `json:"response"`
				} `json:"functionResponse"`
			} `json:"parts"`
		} `json:"contents"`
		Tools []struct {
			Functions []json.RawMessage `json:"functionDeclarations"`
		} `json:"tools"`
		Config struct {
			Type       string          `json:"responseMimeType"`
			JSONSchema json.RawMessage `json:"responseJsonSchema"`
			Schema     json.RawMessage `json:"responseSchema"`
		} `json:"generationConfig"`
	}
	if err := decode(body, &b); err != nil {
		return Request{}, err
	}
	var q Request
	if b.Config.Type == "application/json" {
		if q.Schema = b.Config.JSONSchema; q.Schema == nil {
			q.Schema = b.Config.Schema
		}
	}
	for _, set := range b.Tools {
		for _, raw := range set.Functions {
			var t struct {
				Name string `json:"name"`
			}
			if err := decode(raw, &t); err != nil {
				return Request{}, err
			}
			q.Tools = append(q.Tools, Tool{Name: t.Name, Raw: raw})
		}
	}
	for _, c := range b.Contents {
		for _, part := range c.Parts {
			if part.Response != nil {
				q.Messages = append(q.Messages, Message{Text: string(part.Response.Response), ResultOf: part.Response.ID + " " + part.Response.Name})
			} else if part.Text != "" {
				q.Messages = append(q.Messages, Message{Text: part.Text})
			}
		}
	}
	return q, nil
}

// writeGemini answers it.
func writeGemini(w *stream, q Request, r Reply) {
	part := object{"text": r.Text}
	if r.Call != "" {
		part = object{"functionCall": object{"id": r.Call, "name": r.Tool.Name, "args": r.Arguments}}
	}
	if q.Schema != nil { // a side request: whose turn it is, which model to take
		part = object{"text": sample(q.Schema)}
	}
	out := object{
		"candidates":    []any{object{"index": 0, "content": object{"role": "model", "parts": []any{part}}, "finishReason": "STOP"}},
		"usageMetadata": object{"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
		"modelVersion":  Model,
	}
	if strings.HasSuffix(w.path, ":streamGenerateContent") {
		w.event("", out)
		return
	}
	w.whole(out)
}

// sample is a value of a flat object schema.
func sample(schema json.RawMessage) string {
	var s struct {
		Properties map[string]struct {
			Type string `json:"type"`
			Enum []any  `json:"enum"`
		} `json:"properties"`
	}
	if json.Unmarshal(schema, &s) != nil {
		return "{}"
	}
	out := object{}
	for name, p := range s.Properties {
		switch {
		case name == "next_speaker":
			out[name] = "user"
		case len(p.Enum) > 0:
			out[name] = p.Enum[0]
		case strings.EqualFold(p.Type, "boolean"):
			out[name] = false
		case strings.EqualFold(p.Type, "number"), strings.EqualFold(p.Type, "integer"):
			out[name] = 1
		case strings.EqualFold(p.Type, "array"):
			out[name] = []any{}
		default:
			out[name] = "user"
		}
	}
	text, err := json.Marshal(out)
	if err != nil {
		return "{}"
	}
	return string(text)
}

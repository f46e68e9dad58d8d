package provider

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// Request is one request to the model, in the terms that all formats share.
type Request struct {
	ID       string // of the answer: clients join messages of one id, so each request has its own
	Dialect  string
	Path     string
	Header   http.Header
	Body     []byte // as it came, decompressed
	Tools    []Tool
	Messages []Message       // oldest first
	Schema   json.RawMessage // the answer has to be JSON of this schema; nil = it is text
	Stream   bool
}

// Tool is a definition that the model could call.
type Tool struct {
	Name      string // as the model says it
	Namespace string // responses only: the name is said within it
	Deferred  bool   // held back by the client until the model searched for it
	Raw       json.RawMessage
}

// FullName is the name with its namespace.
func (t Tool) FullName() string {
	if t.Namespace == "" {
		return t.Name
	}
	return t.Namespace + "__" + t.Name
}

// Message is something said before: a text of anybody, or a tool's result.
type Message struct {
	Text     string
	ResultOf string // what the result names its call by, an id or a tool name; "" = no result
}

// Results are the texts of the results of calls of one directive.
func (q Request) Results(directive string) (out []string) {
	for _, m := range q.after(directive) {
		if m.ResultOf != "" {
			out = append(out, m.Text)
		}
	}
	return out
}

// after are the messages that follow the one with this directive.
func (q Request) after(id string) []Message {
	for i, m := range slices.Backward(q.Messages) {
		if d, ok := directiveIn(m.Text); ok && m.ResultOf == "" && d.ID == id {
			return q.Messages[i+1:]
		}
	}
	return nil
}

// Find looks for a tool by its canonical name, however the client dresses it.
func (q Request) Find(canonical string) (Tool, bool) {
	for _, t := range q.Tools {
		if t.Name == canonical {
			return t, true
		}
	}
	for _, t := range q.Tools {
		if strings.Contains(t.FullName(), canonical) {
			return t, true
		}
	}
	return Tool{}, false
}

// textOf reads content that is a text or a list of blocks with one.
func textOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var blocks []struct {
		Text    string          `json:"text"`
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(raw, &blocks) != nil {
		return string(raw)
	}
	var out []string
	for _, b := range blocks {
		switch {
		case b.Text != "":
			out = append(out, b.Text)
		case len(b.Content) > 0:
			out = append(out, textOf(b.Content))
		default:
			out = append(out, string(raw)) // a block without text, such as a reference to a tool
		}
	}
	return strings.Join(out, "\n")
}

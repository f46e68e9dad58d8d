package provider

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// marker begins a directive inside a prompt; JSON follows on the same line.
const marker = "KANDEV-DO "

// Directive is what a prompt has the model do: call one tool, or none. The
// last one of a conversation counts.
type Directive struct {
	ID        string          `json:"id"`             // letters and digits, one of its own for each prompt
	Tool      string          `json:"tool,omitempty"` // canonical name; "" = only say Final
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// Prompt is the text that carries a directive.
func (d Directive) Prompt() string {
	text, err := json.Marshal(d)
	if err != nil { // Arguments that are no JSON: a fault of the test
		panic(err)
	}
	return "Please do this.\n" + marker + string(text)
}

// Final is what the model says when it has done what the directive wants.
func (d Directive) Final() string { return "FINISHED " + d.ID }

// Reply is what the model answers: a text, or one call.
type Reply struct {
	Text      string
	Call      string // id of the call, "" = a text
	Tool      Tool
	Arguments json.RawMessage
}

// directiveIn finds the last directive of a text.
func directiveIn(text string) (Directive, bool) {
	at := strings.LastIndex(text, marker)
	if at < 0 {
		return Directive{}, false
	}
	var d Directive
	err := json.NewDecoder(strings.NewReader(text[at+len(marker):])).Decode(&d)
	return d, err == nil && d.ID != ""
}

// directive is the newest one that a person wrote.
func (q Request) directive() (Directive, bool) {
	for _, m := range slices.Backward(q.Messages) {
		if d, ok := directiveIn(m.Text); ok && m.ResultOf == "" {
			return d, true
		}
	}
	return Directive{}, false
}

// answer is the script: call the tool that the directive names; where the
// client holds its definition back, search for it first, as a model would.
func answer(q Request) Reply {
	d, ok := q.directive()
	switch {
	case !ok:
		return Reply{Text: "Nothing to do."}
	case d.Tool == "" || len(q.Tools) == 0: // without tools it is a side request, for a title and the like
		return Reply{Text: d.Final()}
	}
	results := q.after(d.ID)
	for _, r := range results {
		if strings.Contains(r.ResultOf, d.call()) || strings.Contains(r.ResultOf, d.Tool) {
			return Reply{Text: d.Final()}
		}
	}
	if t, ok := q.Find(d.Tool); ok {
		return Reply{Call: d.call(), Tool: t, Arguments: d.Arguments}
	}
	return search(q, d, results)
}

// call is the id of the call that the directive is about.
func (d Directive) call() string { return "call_" + d.ID + "_do" }

// maxSearches bounds how often the model searches for one tool.
const maxSearches = 3

// named finds the names of definitions in the answer of a search.
var named = regexp.MustCompile(`"name":"([A-Za-z0-9_.-]+)"`)

// search asks the client's own search, and then calls through its door for
// tools that were found, where it has one.
func search(q Request, d Directive, results []Message) Reply {
	door, _ := tool(q, "tool_call")
	searches := 0
	for _, r := range results {
		if r.ResultOf == "" {
			continue
		}
		searches++
		for _, found := range named.FindAllStringSubmatch(r.Text, -1) {
			if strings.HasSuffix(found[1], d.Tool) && door.Name != "" {
				arguments, _ := json.Marshal(object{"name": found[1], "arguments": d.Arguments})
				return Reply{Call: d.call(), Tool: door, Arguments: arguments}
			}
		}
	}
	finder, ok := tool(q, "ToolSearch", "tool_search")
	if !ok || searches == maxSearches {
		return Reply{Text: fmt.Sprintf("There is no tool %s.", d.Tool)}
	}
	query := "select:mcp__kandev__" + d.Tool // the form that both clients' searches know
	arguments, _ := json.Marshal(object{"query": query, "max_results": 5})
	return Reply{Call: fmt.Sprintf("call_%s_%d_search", d.ID, searches), Tool: finder, Arguments: arguments}
}

func tool(q Request, names ...string) (Tool, bool) {
	for _, t := range q.Tools {
		if slices.Contains(names, t.Name) {
			return t, true
		}
	}
	return Tool{}, false
}

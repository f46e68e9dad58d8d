package provider

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

var directive = Directive{ID: "t1", Tool: "list_tasks_kandev", Arguments: json.RawMessage(`{"limit":5}`)}

// TestDialects: in every wire format the tool is called by the name that the
// client gave it, and its result ends the turn.
func TestDialects(t *testing.T) {
	p, err := Listen()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	prompt, _ := json.Marshal(directive.Prompt())
	for _, c := range []struct{ path, tools, asked, result, call string }{
		{
			"/v1/chat/completions", `"tools":[{"type":"function","function":{"name":"kandev_list_tasks_kandev"}}],"messages":[`,
			`{"role":"user","content":%s}`, `,{"role":"tool","tool_call_id":"call_t1_do","content":"RESULT"}]`, "kandev_list_tasks_kandev",
		},
		{
			"/v1/messages", `"tools":[{"name":"mcp__kandev__list_tasks_kandev"}],"messages":[`,
			`{"role":"user","content":[{"type":"text","text":%s}]}`,
			`,{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_t1_do","content":[{"type":"text","text":"RESULT"}]},{"type":"text","text":"a reminder"}]}]`,
			"mcp__kandev__list_tasks_kandev",
		},
		{
			"/v1/responses", `"tools":[{"type":"namespace","name":"mcp__kandev","tools":[{"type":"function","name":"list_tasks_kandev"}]}],"input":[`,
			`{"type":"message","role":"user","content":[{"type":"input_text","text":%s}]}`,
			`,{"type":"function_call_output","call_id":"call_t1_do","output":"RESULT"}]`, `"namespace":"mcp__kandev"`,
		},
		{
			"/v1beta/models/m:generateContent", `"tools":[{"functionDeclarations":[{"name":"mcp_kandev_list_tasks_kandev"}]}],"contents":[`,
			`{"role":"user","parts":[{"text":%s}]}`,
			`,{"role":"user","parts":[{"functionResponse":{"name":"mcp_kandev_list_tasks_kandev","response":{"output":"RESULT"}}}]}]`, "mcp_kandev_list_tasks_kandev",
		},
		{
			"/chat-stream", `"tool_definitions":[{"name":"list_tasks_kandev"}],"chat_history":[`,
			`{"request_message":%s}`, `],"nodes":[{"tool_result_node":{"tool_use_id":"call_t1_do","content":"RESULT"}}]`, "list_tasks_kandev",
		},
	} {
		t.Run(c.path, func(t *testing.T) {
			asked := fmt.Sprintf(c.asked, prompt)
			if got := post(t, p.URL()+c.path, "{"+c.tools+asked+"]}"); !strings.Contains(got, c.call) || strings.Contains(got, directive.Final()) {
				t.Errorf("the call is %s", got)
			}
			if got := post(t, p.URL()+c.path, "{"+c.tools+asked+c.result+"}"); !strings.Contains(got, directive.Final()) {
				t.Errorf("after the result it says %s", got)
			}
			requests := p.Requests()
			if got := requests[len(requests)-1].Results("t1"); len(got) != 1 || !strings.Contains(got[0], "RESULT") {
				t.Errorf("results %q", got)
			}
		})
	}
	if got := p.Unknown(); len(got) != 0 {
		t.Errorf("unknown: %q", got)
	}
}

// TestSearch: where definitions are held back, the model searches, calls through
// the client's door, and gives up after three searches.
func TestSearch(t *testing.T) {
	tools := []Tool{{Name: "tool_search"}, {Name: "tool_call"}}
	q := Request{Tools: tools, Messages: []Message{{Text: directive.Prompt()}}}
	for n := range maxSearches {
		r := answer(q)
		if r.Tool.Name != "tool_search" || r.Call != fmt.Sprintf("call_t1_%d_search", n) {
			t.Fatalf("%+v", r)
		}
		q.Messages = append(q.Messages, Message{Text: "Not found: mcp__kandev__list_tasks_kandev", ResultOf: r.Call})
	}
	if r := answer(q); r.Call != "" || !strings.Contains(r.Text, "no tool") {
		t.Errorf("%+v", r)
	}
	q.Messages[1].Text = `<function>{"name":"mcp__kandev__list_tasks_kandev","description":""}</function>`
	if r := answer(q); r.Tool.Name != "tool_call" || string(r.Arguments) != `{"arguments":{"limit":5},"name":"mcp__kandev__list_tasks_kandev"}` {
		t.Errorf("%+v", r)
	}
}

// TestSideRequests: a request without tools, or without a directive, is no turn.
func TestSideRequests(t *testing.T) {
	for _, q := range []Request{
		{Messages: []Message{{Text: directive.Prompt()}}},
		{Tools: []Tool{{Name: "list_tasks_kandev"}}, Messages: []Message{{Text: "hello"}}},
		{Tools: []Tool{{Name: "list_tasks_kandev"}}, Messages: []Message{{Text: directive.Prompt()}, {Text: Directive{ID: "t2"}.Prompt()}}},
	} {
		if r := answer(q); r.Call != "" {
			t.Errorf("%+v: %+v", q, r)
		}
	}
}

func post(t *testing.T, url, body string) string {
	t.Helper()
	r, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("status %d: %s (%v)", r.StatusCode, text, err)
	}
	return string(text)
}

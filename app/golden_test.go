package app

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kandev/backend/agent"
	"kandev/backend/attach"
	"kandev/backend/catalog"
	"kandev/backend/event"
	"kandev/backend/permission"
	"kandev/backend/question"
	"kandev/backend/session"
)

var update = flag.Bool("update", false, "rewrite the view files that the TypeScript tests read")

// goldenFolder is read by frontend/src/backend/golden.test.ts: what Go writes
// there is what the page gets.
const goldenFolder = "../frontend/src/backend/golden"

var at = time.Date(2026, 11, 30, 9, 12, 7, 0, time.UTC)

func goldenHistory() attach.History {
	reduce := func(h attach.History, e attach.Evidence) attach.History {
		e.At = at
		if e.Server == "" && e.Kind != attach.Started {
			e.Server = attach.BuiltinServer
		}
		next, _ := attach.Reduce(h, e)
		return next
	}
	c := catalog.Catalog{Total: 3, Unnamed: 1, Entries: []catalog.Entry{
		{Served: "ask_user_question", Canonical: "ask_user_question_kandev", Source: catalog.Source{Kind: catalog.KindBuiltin}, Description: "Ask <b>", HasDescription: true, InputSchema: `{"type":"object","properties":{}}`, SchemaBytes: 33},
		{Served: "kandev_x_big", Source: catalog.Source{Kind: catalog.KindPlugin, Plugin: "x"}, SchemaAbsent: catalog.SchemaTooLarge, SchemaBytes: 82944},
		{Served: "kandev_x_odd", Source: catalog.Source{Kind: catalog.KindPlugin, Plugin: "x"}, SchemaAbsent: catalog.SchemaNotAnObject, SchemaBytes: 4, HasDescription: true},
	}}
	counts := catalog.Counts{Total: 120, Cover: 3, Tools: []catalog.ToolCount{
		{Served: "ask_user_question", Estimate: new(60), Parts: &catalog.Parts{Name: 5, Description: 10, InputSchema: 30}},
		{Served: "kandev_x_big", Estimate: new(50)},
		{Served: "kandev_x_odd", Estimate: new(10)},
	}}
	h := attach.History{}
	for _, e := range []attach.Evidence{
		{Kind: attach.Started, Attempt: "a1", Reason: attach.StartNew},
		{Kind: attach.Configured, Attempt: "a1", Source: attach.SourceBuiltin, Transport: "http", Target: "http://127.0.0.1:4000/mcp/a1"},
		{Kind: attach.Started, Attempt: "a2", Reason: attach.StartRestart},
		{Kind: attach.Configured, Attempt: "a2", Source: attach.SourceBuiltin, Transport: "http", Target: "http://127.0.0.1:4000/mcp/a2"},
		{Kind: attach.Delivered, Attempt: "a2"},
		{Kind: attach.Accepted, Attempt: "a2"},
		{Kind: attach.HandshakeObserved, Attempt: "a2", Connection: "c", Protocol: "2025-11-25", Client: "toolbench 0.1"},
		{Kind: attach.ToolsListObserved, Attempt: "a2", Order: 1, Catalog: &c},
		{Kind: attach.ToolsListCounted, Attempt: "a2", Order: 1, Counts: &counts},
		{Kind: attach.Configured, Attempt: "a2", Server: "github", Source: attach.SourcePerson, Transport: "sse", Target: "https://u:p@h.example/x?api_key=sk-123"},
		{Kind: attach.Filtered, Attempt: "a2", Server: "github", Reason: "agent_takes_no_sse", Summary: "This agent does not take MCP over SSE."},
	} {
		h = reduce(h, e)
	}
	h, _ = attach.Used(h, "a2", "ask_user_question_kandev", true, false, at)
	return h
}

func goldenViews() map[string]any {
	h := goldenHistory()
	def, _ := agent.ByID("auggie")
	old := "a\n"
	var agents []AgentNames
	for _, def := range agent.Known() {
		agents = append(agents, namesView(def))
	}
	return map[string]any{
		"agents":           agents,
		"attachment":       attachmentView("s_1", h, def, true),
		"attachment_empty": attachmentView("s_2", attach.History{}, agent.Definition{ID: "gone", Name: "gone"}, false),
		"transcript": transcriptView("s_1", 3, []session.Item{
			{Number: 1, Revision: 4, Kind: session.ItemPrompt, Text: "hi", At: at, UpdatedAt: at},
			{Number: 2, Revision: 6, Kind: session.ItemTool, At: at, UpdatedAt: at, Tool: &session.ToolItem{CallID: "c", Title: "t", Status: "completed", Input: json.RawMessage(`{"n":9007199254740993}`), Output: "ok", Started: at, Finished: &at, Diffs: []session.Diff{{Path: "p", Old: &old, New: "b\n"}}}},
			{Number: 3, Revision: 7, Kind: session.ItemTool, At: at, UpdatedAt: at, Tool: &session.ToolItem{CallID: "d", Title: "t", Status: "in_progress", Started: at, Terminals: []session.Terminal{
				{ID: "term_1", Command: "go test", Output: "\x1b[32mok\x1b[0m", Cut: true, Ended: true, Code: new(0)}, {ID: "term_2", Command: "sleep 9"}, {ID: "term_3", Command: "x", Ended: true, Signal: "SIGKILL"},
			}}},
			{Number: 4, Revision: 7, Kind: session.ItemUnknown, Text: "_vendor", Raw: json.RawMessage(`{"x":1}`), Cut: true, At: at, UpdatedAt: at},
		}, true),
		"question": questionView(question.Bundle{
			ID: "q_1", Session: "s_1", Context: "C", State: question.Answered, AskedAt: at, Deadline: at.Add(question.Wait), EndedAt: &at,
			Questions: []question.Question{{ID: "q1", Prompt: "?", Options: []question.Option{{Label: "a", Description: "A"}, {Label: "b"}}, Multiple: true}, {ID: "q2", Prompt: "free"}},
			Answers:   []question.Answer{{Question: "q1", Chosen: []string{"a"}}, {Question: "q2", Text: "t"}},
		}, 7),
		"permission": permissionView(permission.Request{
			ID: "r_1", Session: "s_1", CallID: "c", Title: "T", State: permission.Open, AskedAt: at,
			Options: []permission.Option{{ID: "o", Name: "Allow once", Kind: "allow_once"}},
		}, 1),
		"plugin":     pluginView(goldenPlugin()),
		"inspection": inspectionView(goldenInspection()),
		"event":      event.Event{Epoch: "e", Prev: 1, Seq: 2, View: event.View{Session: &event.Session{ID: "s_1", State: "ready", Since: at.UnixMilli()}}},
	}
}

func TestGoldenViews(t *testing.T) {
	for name, v := range goldenViews() {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(goldenFolder, name+".json")
		if *update {
			if err := os.MkdirAll(goldenFolder, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(path); err != nil || !bytes.Equal(want, b.Bytes()) {
			t.Errorf("%s is not what Go writes now (%v); run with -update and read the diff", path, err)
		}
		if bytes.Contains(b.Bytes(), []byte(": null")) {
			t.Errorf("%s: a list travels as null", name)
		}
	}
}

func goldenAgent() agent.Definition {
	def, _ := agent.ByID("auggie")
	return def
}

package backend

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"kandev/backend/acp"
	"kandev/backend/session"
)

var at = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

func message(id, text string) acp.Update {
	return acp.Update{Kind: acp.KindMessageChunk, Chunk: &acp.Chunk{Text: text, MessageID: id}}
}

func TestChunksJoin(t *testing.T) {
	tr := newTranscript(nil, 0)
	tr.apply(at, message("", "Hello "))
	held := tr.items[0]
	tr.apply(at, message("", "world"))
	tr.apply(at, acp.Update{Kind: acp.KindThoughtChunk, Chunk: &acp.Chunk{Text: "hm"}})
	tr.apply(at, message("m1", "A"))
	tr.apply(at, message("m2", "B"))
	var got []string
	for _, i := range tr.items {
		got = append(got, string(i.Kind)+" "+i.Text)
	}
	if want := "message Hello world|thought hm|message A|message B"; strings.Join(got, "|") != want {
		t.Errorf("%v, want %s", got, want)
	}
	if held.Text != "Hello " {
		t.Errorf("a copy that was handed out became %q", held.Text)
	}
}

func TestMessageIsBounded(t *testing.T) {
	tr := newTranscript(nil, 0)
	chunk := strings.Repeat("é", 32<<10)
	for range 50 {
		tr.apply(at, message("", chunk))
	}
	if i := tr.items[0]; len(i.Text) != session.MaxText || !i.Cut || len(tr.items) != 1 {
		t.Errorf("%d bytes, cut %v", len(i.Text), i.Cut)
	}
}

func TestToolCallMerges(t *testing.T) {
	tr := newTranscript(nil, 0)
	str := func(s string) *string { return &s }
	tr.apply(at, acp.Update{Kind: acp.KindToolCall, Tool: &acp.ToolCall{CallID: "c", Title: str("list_tasks_kandev"), Kind: str("read"), Status: str("pending"), Input: json.RawMessage(`{}`)}})
	first := tr.items[0].Tool
	tr.apply(at.Add(time.Second), acp.Update{Kind: acp.KindToolUpdate, Tool: &acp.ToolCall{CallID: "c", Status: str("completed"), Content: []acp.ToolContent{{Type: "content", Text: "a"}, {Type: "content", Text: "b"}}}})
	got := tr.items[0].Tool
	if len(tr.items) != 1 || got.Status != "completed" || got.Output != "a\nb" || got.Title != "list_tasks_kandev" || got.Finished == nil {
		t.Errorf("%+v", got)
	}
	if first.Status != "pending" {
		t.Error("a value that was handed out was written to")
	}
	tr.apply(at, acp.Update{Kind: acp.KindToolUpdate, Tool: &acp.ToolCall{CallID: "never announced", Status: str("in_progress")}})
	tr.endCalls(at)
	if got := tr.items[1].Tool; got.Status != toolCancelled || got.Finished == nil {
		t.Errorf("a call that ran when its turn ended is %q", got.Status)
	}
}

// TestUnknownStaysUnknown: an update we do not know never becomes another kind.
func TestUnknownStaysUnknown(t *testing.T) {
	tr := newTranscript(nil, 0)
	raw := json.RawMessage(`{"sessionUpdate":"compaction_summary_chunk","content":{"type":"text","text":"x"}}`)
	tr.apply(at, acp.Update{Kind: "compaction_summary_chunk", Raw: raw})
	if i := tr.items[0]; i.Kind != session.ItemUnknown || string(i.Raw) != string(raw) || i.Text != "compaction_summary_chunk" {
		t.Errorf("%+v", i)
	}
	tr.apply(at, acp.Update{Kind: "big", Raw: json.RawMessage(`"` + strings.Repeat("x", session.MaxRaw) + `"`)})
	if i := tr.items[1]; len(i.Raw) > session.MaxRaw || !json.Valid(i.Raw) || !i.Cut {
		t.Errorf("%d bytes of raw, cut %v", len(i.Raw), i.Cut)
	}
}

// TestPagesGoByRevision: a reader that asks with the number it got last ends
// with every item in its newest form, whatever changed in between.
func TestPagesGoByRevision(t *testing.T) {
	tr := newTranscript(nil, 0)
	for i := range 100 {
		tr.apply(at, message(fmt.Sprint(i), strings.Repeat("x", 100)))
	}
	have := map[int64]session.Item{}
	revision := int64(0)
	for page := 0; ; page++ {
		items, more := tr.after(revision, 2000)
		for _, i := range items {
			have[i.Number] = i
			revision = max(revision, i.Revision)
		}
		if page == 1 {
			str := "failed"
			tr.apply(at, acp.Update{Kind: acp.KindToolUpdate, Tool: &acp.ToolCall{CallID: "c", Status: &str}})
			tr.touch(0, at).Text = "changed"
		}
		if !more {
			break
		}
	}
	if len(have) != len(tr.items) || have[1].Text != "changed" || revision != tr.revision {
		t.Errorf("%d of %d items, the first %q, revision %d of %d", len(have), len(tr.items), have[1].Text, revision, tr.revision)
	}
}

// TestQuestionStandsBehindItsCall: the call comes over MCP, its row over ACP;
// whichever is first, the question is the last thing the person reads.
func TestQuestionStandsBehindItsCall(t *testing.T) {
	str := func(s string) *string { return &s }
	call := func(id string) acp.Update {
		return acp.Update{Kind: acp.KindToolCall, Tool: &acp.ToolCall{CallID: id, Title: str("ask"), Status: str("in_progress")}}
	}
	for _, c := range []struct {
		name         string
		asked, shown string // ids of the MCP call and of the row
		between      bool   // the agent says something in between
		want         string
	}{
		{"the question first", "c1", "c1", false, "tool,question"},
		{"another call's row", "c1", "c2", false, "question,tool"},
		{"a client without ids", "", "c1", false, "question,tool"},
		{"not side by side", "c1", "c1", true, "question,message,tool"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := newTranscript(nil, 0)
			tr.add(at, session.Item{Kind: session.ItemQuestion, Ref: "q"})
			tr.asked(c.asked)
			if c.between {
				tr.apply(at, message("", "hm"))
			}
			seen := tr.revision
			tr.apply(at, call(c.shown))
			tr.apply(at, acp.Update{Kind: acp.KindToolUpdate, Tool: &acp.ToolCall{CallID: c.shown, Status: str("completed")}})
			var got []string
			for n, i := range tr.items {
				got = append(got, string(i.Kind))
				if i.Number != int64(n+1) || (i.Kind == session.ItemTool) != (i.Tool != nil) || (i.Kind == session.ItemQuestion) != (i.Ref == "q") {
					t.Errorf("item %d: %+v", n, i)
				}
				if i.Tool != nil && i.Tool.Status != toolCompleted {
					t.Errorf("the update went elsewhere: %+v", i.Tool)
				}
			}
			if strings.Join(got, ",") != c.want {
				t.Errorf("%v, want %s", got, c.want)
			}
			news, _ := tr.after(seen, 1<<20) // a reader that had the question where it was
			rows := map[int64]session.ItemKind{1: session.ItemQuestion}
			for _, i := range news {
				rows[i.Number] = i.Kind
			}
			if c.want == "tool,question" && (rows[1] != session.ItemTool || rows[2] != session.ItemQuestion) {
				t.Errorf("a reader has %v", rows)
			}
		})
	}
}

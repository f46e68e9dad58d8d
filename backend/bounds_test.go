package backend

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"kandev/backend/acp"
	"kandev/backend/session"
)

// TestOneFrameIsBounded: whatever an agent puts into one update, an item keeps
// a bounded part of it, says that it was cut, and is valid UTF-8.
func TestOneFrameIsBounded(t *testing.T) {
	huge := strings.Repeat("é\xff", 1<<20)
	now := time.Now()
	var diffs []acp.ToolContent
	var locations []acp.Location
	var plan []session.PlanEntry
	old := huge[:30000]
	for range 300 {
		diffs = append(diffs, acp.ToolContent{Diff: &session.Diff{Path: huge[:9000], New: huge[:30000], Old: &old}})
		locations = append(locations, acp.Location{Path: huge[:9000]})
		plan = append(plan, session.PlanEntry{Content: huge[:9000], Status: huge[:9000]})
	}
	title := huge
	for name, u := range map[string]acp.Update{
		"text":    {Kind: acp.KindMessageChunk, Chunk: &acp.Chunk{Text: huge}},
		"call":    {Kind: acp.KindToolCall, Tool: &acp.ToolCall{CallID: "c", Title: &title, Content: []acp.ToolContent{{Text: huge}, {Text: huge}}, Locations: locations, Input: []byte(`"` + huge[:3<<20] + `"`)}},
		"diffs":   {Kind: acp.KindToolCall, Tool: &acp.ToolCall{CallID: "c", Content: diffs}},
		"plan":    {Kind: acp.KindPlan, Plan: plan},
		"unknown": {Kind: "unheard_of", Raw: []byte(`"` + huge + `"`)},
	} {
		tr := newTranscript(nil, 0)
		if !tr.apply(now, u) || len(tr.items) != 1 {
			t.Fatalf("%s: %d items", name, len(tr.items))
		}
		i := tr.items[0]
		if n := sizeOf(i); n > 8<<20 || !i.Cut {
			t.Errorf("%s: %d KiB, cut %v", name, n>>10, i.Cut)
		}
		if s := i.Text; strings.ToValidUTF8(s, "") != s {
			t.Errorf("%s: not UTF-8", name)
		}
	}
}

// TestEmptyChunk: what changes nothing is not told.
func TestEmptyChunk(t *testing.T) {
	tr := newTranscript(nil, 0)
	for _, u := range []acp.Update{
		{Kind: acp.KindMessageChunk}, {Kind: acp.KindThoughtChunk, Chunk: &acp.Chunk{}}, {Kind: acp.KindUsage}, {Kind: acp.KindMode},
	} {
		if tr.apply(time.Now(), u) || tr.revision != 0 {
			t.Errorf("%+v changed the transcript", u)
		}
	}
}

// TestTranscriptIsBounded: an agent that goes on and on fills neither memory nor
// disk; what there is still changes, what the person does is still shown, and it
// is said once, also after a restart.
func TestTranscriptIsBounded(t *testing.T) {
	now := time.Now()
	call := func(tr *transcript, id, status string) bool {
		return tr.apply(now, acp.Update{Kind: acp.KindToolUpdate, Tool: &acp.ToolCall{CallID: id, Status: &status}})
	}
	for name, begin := range map[string]func() *transcript{
		"rows": func() *transcript {
			items := make([]session.Item, maxItems-1)
			for n := range items {
				items[n] = session.Item{Number: int64(n + 1), Revision: int64(n + 1), Kind: session.ItemNotice}
			}
			return newTranscript(items, 0)
		},
		"bytes": func() *transcript {
			items := make([]session.Item, 2*roomEvery-1)
			each := (maxBytes - 1) / len(items)
			text := strings.Repeat("x", each-weight(session.Item{}))
			for n := range items {
				items[n] = session.Item{Number: int64(n + 1), Revision: int64(n + 1), Kind: session.ItemMessage, Text: text}
			}
			items[0].Text += strings.Repeat("x", maxBytes-1-each*len(items)) // one byte is left
			return newTranscript(items, 0)
		},
	} {
		tr := begin()
		if !call(tr, "c1", "pending") {
			t.Fatalf("%s: there is room", name)
		}
		before := len(tr.items)
		for range 100 {
			tr.apply(now, acp.Update{Kind: "unheard_of", Raw: []byte(`{}`)})
			tr.apply(now, acp.Update{Kind: acp.KindMessageChunk, Chunk: &acp.Chunk{Text: "word"}})
			tr.apply(now, acp.Update{Kind: acp.KindPlan, Plan: []session.PlanEntry{{Content: "x"}}})
			call(tr, "c2", "pending")
		}
		if n := len(tr.items); n != before+1 || tr.items[n-1].Text != noteFull {
			t.Fatalf("%s: %d rows more, the last is %q", name, n-before, tr.items[n-1].Text)
		}
		if !call(tr, "c1", "completed") || tr.items[before-1].Tool.Status != "completed" {
			t.Errorf("%s: a row that is there does not change any more", name)
		}
		tr.add(now, session.Item{Kind: session.ItemPrompt, Text: "what now?"})
		if again := newTranscript(tr.items, 0); call(again, "c3", "pending") || len(again.items) != before+2 {
			t.Errorf("%s: after a restart %d rows more", name, len(again.items)-before)
		}
	}
}

// TestTranscriptIsBoundedInFewRows: nor do rows that are few and large, or that
// grow after they came.
func TestTranscriptIsBoundedInFewRows(t *testing.T) {
	now, large := time.Now(), strings.Repeat("x", session.MaxText)
	for name, fill := range map[string]func(tr *transcript, n int){
		"messages": func(tr *transcript, n int) {
			tr.apply(now, acp.Update{Kind: acp.KindMessageChunk, Chunk: &acp.Chunk{MessageID: fmt.Sprint(n), Text: large}})
		},
		"results": func(tr *transcript, n int) {
			status := toolCompleted
			call := &acp.ToolCall{CallID: fmt.Sprint("c", n%20), Status: &status}
			if n >= 20 {
				call.Content = []acp.ToolContent{{Type: "content", Text: large}, {Type: "diff", Diff: &session.Diff{Path: "p", New: large[:1<<19]}}}
			}
			tr.apply(now, acp.Update{Kind: acp.KindToolUpdate, Tool: call})
		},
	} {
		items := make([]session.Item, maxBytes/len(large)-8) // room for some more
		for n := range items {
			items[n] = session.Item{Number: int64(n + 1), Revision: int64(n + 1), Kind: session.ItemMessage, Text: large}
		}
		tr := newTranscript(items, 0)
		for n := range 40 {
			fill(tr, n)
		}
		if size := tr.size(); size > maxBytes+8<<20 || size < maxBytes-8<<20 {
			t.Errorf("%s: %d MiB are kept", name, size>>20)
		}
		if last := tr.items[len(tr.items)-1]; last.Text != noteFull {
			t.Errorf("%s: the last row is a %s", name, last.Kind)
		}
		for _, i := range tr.items {
			if i.Tool != nil && (i.Tool.Status != toolCompleted || !i.Cut && i.Tool.Output == "") {
				t.Errorf("%s: %s lacks a result and does not say so: %+v", name, i.Tool.CallID, i.Tool.Status)
			}
		}
	}
}

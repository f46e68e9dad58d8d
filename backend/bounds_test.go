package backend

import (
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

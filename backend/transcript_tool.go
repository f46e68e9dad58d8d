package backend

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"kandev/backend/acp"
	"kandev/backend/session"
)

// Statuses of a tool call as the agent reports them, and ours for one that was
// running when its turn or its agent ended.
const (
	toolPending   = "pending"
	toolRunning   = "in_progress"
	toolCompleted = "completed"
	toolFailed    = "failed"
	toolCancelled = "cancelled"
)

// Bounds of one tool call and one plan, so that no frame of 64 MiB stays in
// memory whole; what is beyond them is left out and the item is marked.
const (
	maxDiffs = 100
	maxPaths = 200
	maxPlan  = 200
)

// tool merges a tool_call or tool_call_update. An update of a call that was
// never announced makes its row: nothing an agent showed is dropped.
func (t *transcript) tool(now time.Time, c *acp.ToolCall) {
	if c == nil {
		return
	}
	index, known := t.calls[c.CallID]
	cut := false
	if known && c.CallID != "" {
		c, cut = t.shortened(now, c)
	} else {
		if !t.room(now) {
			return
		}
		t.add(now, session.Item{Kind: session.ItemTool, Tool: &session.ToolItem{CallID: c.CallID, Status: toolPending, Started: now}})
		index = t.behindItsCall(now, c.CallID)
		t.calls[c.CallID] = index
	}
	i := t.touch(index, now)
	i.Cut = i.Cut || cut
	next := *i.Tool // readers keep the old value
	set(&next.Title, c.Title)
	set(&next.Name, c.Name)
	set(&next.Kind, c.Kind)
	set(&next.Status, c.Status)
	if c.Input != nil {
		next.Input = c.Input
		if len(next.Input) > session.MaxToolOutput {
			next.Input, i.Cut = quoted(next.Input, session.MaxToolOutput), true
		}
	}
	if c.Content != nil {
		next.Output, next.Diffs = contentOf(c.Content)
		next.Terminals = t.terminalsOf(c.Content, next.Terminals, index)
		i.Cut = i.Cut || cutDiffs(&next)
	}
	if next.Output == "" && len(next.Diffs) == 0 && len(next.Terminals) == 0 && c.Output != nil {
		next.Output = outputOf(c.Output)
	}
	next.Output, i.Cut = bounded(next.Output, session.MaxToolOutput, i.Cut)
	if c.Locations != nil {
		next.Paths = make([]string, min(len(c.Locations), maxPaths))
		for n := range next.Paths {
			set(&next.Paths[n], &c.Locations[n].Path)
		}
		i.Cut = i.Cut || len(c.Locations) > maxPaths
	}
	if finished(next.Status) && next.Finished == nil {
		next.Finished = &now
	}
	i.Tool = &next
}

// forgetCall makes room for a call that is announced under the id of one that
// ended in an earlier turn: some agents count anew in each.
func (t *transcript) forgetCall(id string) {
	if index, known := t.calls[id]; known && index < t.turn && finished(t.items[index].Tool.Status) {
		delete(t.calls, id)
	}
}

// cutDiffs keeps the first diffs, up to the size of an output in all. It
// reports whether something was left out.
func cutDiffs(t *session.ToolItem) bool {
	left := session.MaxToolOutput
	for n, d := range t.Diffs {
		left -= len(d.Path) + len(d.New)
		if d.Old != nil {
			left -= len(*d.Old)
		}
		if left < 0 || n >= maxDiffs {
			t.Diffs = slices.Clip(t.Diffs[:max(n, 1)])
			return true
		}
	}
	return false
}

// endCalls marks the calls that still ran as cancelled.
func (t *transcript) endCalls(now time.Time) {
	for _, index := range t.calls {
		t.endCall(index, now)
	}
}

// endExecution is endCalls, and marks as ended what its calls show of commands
// that could not be seen to end.
func (t *transcript) endExecution(now time.Time) {
	t.endCalls(now)
	for _, index := range t.shown {
		t.endTerminals(index, now)
	}
}

// endAll marks every call that still runs as cancelled, whoever ran it. It
// reports whether there was one.
func (t *transcript) endAll(now time.Time) (changed bool) {
	for index := range t.items {
		changed = t.endCall(index, now) || changed
		changed = t.endTerminals(index, now) || changed
	}
	return changed
}

func (t *transcript) endCall(index int, now time.Time) bool {
	old := t.items[index].Tool
	if old == nil || finished(old.Status) {
		return false
	}
	next := *old
	next.Status, next.Finished = toolCancelled, &now
	t.touch(index, now).Tool = &next
	return true
}

func finished(status string) bool {
	return status == toolCompleted || status == toolFailed || status == toolCancelled
}

func set(to, from *string) {
	if from != nil {
		*to, _ = bounded(*from, 4<<10, false)
	}
}

func contentOf(content []acp.ToolContent) (string, []session.Diff) {
	var texts []string
	var diffs []session.Diff
	for _, c := range content {
		switch {
		case c.Diff != nil && len(diffs) <= maxDiffs: // one more, which says that it is cut
			diffs = append(diffs, boundedDiff(*c.Diff))
		case c.Text != "":
			texts = append(texts, c.Text)
		}
	}
	return strings.Join(texts, "\n"), diffs
}

func boundedDiff(d session.Diff) session.Diff {
	set(&d.Path, &d.Path)
	d.New, _ = bounded(d.New, session.MaxToolOutput/2, false)
	if d.Old != nil {
		old, _ := bounded(*d.Old, session.MaxToolOutput/2, false)
		d.Old = &old
	}
	return d
}

// outputOf shows a rawOutput when there is no content: a string as its text,
// anything else as JSON.
func outputOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

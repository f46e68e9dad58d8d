package toolbench

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"sync"
	"time"

	acp "github.com/coder/acp-go-sdk"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// toolCall is one call, from the first tool_call update to the last. Its id is also the progress token and goes out as
// `_meta.callId`, so that the host can join what it sees on both sides.
type toolCall struct {
	session *session
	id      string
	entry   entry
	title   string
	args    json.RawMessage
	started time.Time

	mu       sync.Mutex
	ended    bool
	reported time.Time // the last progress that was sent
}

// call shows, asks, calls and reports. Everything a person needs is in the tool call's own updates; no message repeats it.
func (s *session) call(ctx context.Context, e entry, title string, args json.RawMessage) {
	c := &toolCall{session: s, id: "call-" + rand.Text(), entry: e, title: title, args: args, started: s.agent.now()}
	s.update(ctx, acp.SessionUpdateToolCall{
		SessionUpdate: "tool_call", ToolCallId: acp.ToolCallId(c.id), Title: title,
		Kind: kind(e.tool.Annotations), Status: acp.ToolCallStatusPending, RawInput: args,
	})
	if refused := s.permit(ctx, c); refused != "" {
		c.end(ctx, acp.ToolCallStatusFailed, sentence(refused), nil)
		return
	}
	if ctx.Err() != nil {
		c.end(ctx, acp.ToolCallStatusFailed, sentence("Cancelled. Nothing was called."), nil)
		return
	}
	c.set(ctx, acp.ToolCallStatusInProgress, nil, nil)
	result, err := c.invoke(ctx)
	switch {
	case err == nil:
		content, raw := present(result)
		status := acp.ToolCallStatusCompleted
		if result.IsError {
			status = acp.ToolCallStatusFailed
		}
		c.end(ctx, status, content, raw)
	case ctx.Err() != nil:
		c.end(ctx, acp.ToolCallStatusFailed, sentence("Cancelled before an answer came."), nil)
	default:
		c.end(ctx, acp.ToolCallStatusFailed, sentence("The call failed: "+e.server.reason(err)+"."), nil)
	}
}

// invoke sends tools/call and waits for the answer, however long it takes. When ctx ends the library tells the server
// (notifications/cancelled); invoke waits for both at most cancelGrace.
func (c *toolCall) invoke(ctx context.Context) (*mcp.CallToolResult, error) {
	s := c.session
	s.mu.Lock()
	s.calls[c.id] = c
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.calls, c.id)
		s.mu.Unlock()
	}()
	params := &mcp.CallToolParams{Meta: mcp.Meta{"callId": c.id}, Name: c.entry.tool.Name, Arguments: c.args}
	params.SetProgressToken(c.id)

	type outcome struct {
		result *mcp.CallToolResult
		err    error
	}
	told := c.entry.server.told()
	answered := make(chan outcome, 1)
	s.work.Go(func() {
		result, err := c.entry.server.client.CallTool(ctx, params)
		answered <- outcome{result, err}
	})
	select {
	case o := <-answered:
		if ctx.Err() == nil || o.err == nil {
			return o.result, o.err
		}
		answered <- o
	case <-ctx.Done():
	}
	timer := time.NewTimer(cancelGrace)
	defer timer.Stop()
	o := outcome{err: ctx.Err()}
	select {
	case o = <-answered: // an answer that just made it is shown
	case <-timer.C:
		return nil, ctx.Err()
	}
	if o.err != nil && told != nil {
		select {
		case <-told:
		case <-timer.C:
		}
	}
	return o.result, o.err
}

// set sends a tool_call_update. Nothing is sent after the end.
func (c *toolCall) set(ctx context.Context, status acp.ToolCallStatus, content []acp.ToolCallContent, raw json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.send(ctx, status, content, raw)
}

// end sends the last update, whatever became of ctx.
func (c *toolCall) end(ctx context.Context, status acp.ToolCallStatus, content []acp.ToolCallContent, raw json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.send(ctx, status, content, raw)
	c.ended = true
}

// send is called with mu held, which keeps a late progress from following the end.
func (c *toolCall) send(ctx context.Context, status acp.ToolCallStatus, content []acp.ToolCallContent, raw json.RawMessage) {
	if c.ended {
		return
	}
	u := acp.SessionToolCallUpdate{SessionUpdate: "tool_call_update", ToolCallId: acp.ToolCallId(c.id), Status: &status, Content: content}
	if raw != nil {
		u.RawOutput = raw
	}
	c.session.update(ctx, u)
}

// kind follows the hints: what only reads is a read, what may destroy is an execution, the rest is other.
func kind(a *mcp.ToolAnnotations) acp.ToolKind {
	switch {
	case a != nil && a.ReadOnlyHint:
		return acp.ToolKindRead
	case mayDestroy(a):
		return acp.ToolKindExecute
	}
	return acp.ToolKindOther
}

func sentence(s string) []acp.ToolCallContent {
	return []acp.ToolCallContent{acp.ToolContent(acp.TextBlock(s))}
}

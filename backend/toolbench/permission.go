package toolbench

import (
	"context"
	"encoding/json"

	acp "github.com/coder/acp-go-sdk"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	optionOnce   acp.PermissionOptionId = "allow_once"
	optionAlways acp.PermissionOptionId = "allow_always"
	optionReject acp.PermissionOptionId = "reject_once"
)

// mayDestroy is the rule for asking, with MCP's own defaults (readOnlyHint false, destructiveHint true): a tool that
// says it only reads is never asked for; one that says destructive is, and so is one that says nothing; one that says
// "not destructive" is not. The hints are the server's word and prove nothing.
func mayDestroy(a *mcp.ToolAnnotations) bool {
	if a == nil {
		return true
	}
	return !a.ReadOnlyHint && (a.DestructiveHint == nil || *a.DestructiveHint)
}

// permit asks the person where the rule says so. It returns "" to go on, or the sentence that ends the call.
func (s *session) permit(ctx context.Context, c *toolCall) string {
	if !mayDestroy(c.entry.tool.Annotations) {
		return ""
	}
	grant := grantKey(c.entry)
	s.mu.Lock()
	granted := s.grants[grant]
	s.mu.Unlock()
	if granted {
		return ""
	}
	answer, err := acp.SendRequest[acp.RequestPermissionResponse](s.agent.conn, ctx, acp.ClientMethodSessionRequestPermission, c.question())
	switch {
	case ctx.Err() != nil || err == nil && answer.Outcome.Cancelled != nil:
		return "Cancelled before it was allowed. Nothing was called."
	case err != nil || answer.Outcome.Selected == nil:
		return "The permission could not be asked for. Nothing was called."
	}
	switch answer.Outcome.Selected.OptionId {
	case optionAlways:
		s.mu.Lock()
		s.grants[grant] = true
		s.mu.Unlock()
		return ""
	case optionOnce:
		return ""
	}
	return "Rejected. Nothing was called."
}

func (c *toolCall) question() acp.RequestPermissionRequest {
	return acp.RequestPermissionRequest{
		SessionId: acp.SessionId(c.session.id),
		ToolCall: acp.ToolCallUpdate{
			ToolCallId: acp.ToolCallId(c.id), Title: &c.title,
			Kind: new(kind(c.entry.tool.Annotations)), Status: new(acp.ToolCallStatusPending), RawInput: c.args,
		},
		Options: []acp.PermissionOption{
			{OptionId: optionOnce, Kind: acp.PermissionOptionKindAllowOnce, Name: "Allow once"},
			{OptionId: optionAlways, Kind: acp.PermissionOptionKindAllowAlways, Name: "Allow for this session"},
			{OptionId: optionReject, Kind: acp.PermissionOptionKindRejectOnce, Name: "Reject"},
		},
	}
}

// grantKey binds a grant to the definition that was shown: a server that changes the tool is asked for again.
func grantKey(e entry) string {
	definition, err := json.Marshal(e.tool)
	if err != nil {
		definition = nil // the name alone; a definition that came as JSON can be written as JSON
	}
	return e.qualified() + "\x00" + string(definition)
}

// Package agentctl holds the instance request, whose JSON is a contract, and
// the instance made from it: one agent process under its guard, one ACP
// connection over its pipes, one MCP endpoint per attempt, and the evidence of
// all of them.
//
// An [Instance] is one execution. New attempts go through one code path
// ([Instance.Attempt]); no lock is held across an ACP request, an MCP call or
// a wait, because agents answer session/new only after their tools/list was
// answered. Commands that the agent runs in terminals are process trees of their
// own; they end with their attempt. Close ends all process trees, the endpoint
// and every goroutine.
//
// It decides nothing about sessions: what happens is reported through [Host].
package agentctl

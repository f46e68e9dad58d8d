// Package mcpserver serves a session's tools over MCP (streamable HTTP,
// loopback only) and reports what it served.
//
// One [Server] is the listener of the whole app; one [Endpoint] is one attempt:
// an address, a bearer, a tool set, an observer. The transport (sessions,
// streams, cancellation, progress, keep-alive) and tools/list and tools/call
// are ours; mcp-go is the protocol engine for everything else. No other package
// imports mcp-go.
//
// Two eras are served beside each other on one address. The versions up to
// 2025-11-25 have sessions, and a GET for what the server says unasked. Since
// 2026-07-28 each request stands for itself, and subscriptions/listen is that
// stream. Elicitation, sampling, resources, prompts, logging and tasks are not
// offered in either: nothing of ours uses them.
//
// Guarantees: every request is attributed by the address it used; a superseded
// address answers 404; evidence is recorded by one goroutine per endpoint, in
// one order, and never in the way of a response; the catalog is parsed from the
// bytes that were written; progress goes out on the response of its own call;
// every call ends; Close waits for all it started, within its ctx.
//
// It starts no agent, stores nothing, counts no token itself, and never logs or
// records an argument, a result, a bearer or a tool definition.
package mcpserver

// Package bridge offers one streamable-HTTP MCP endpoint as an MCP server on
// standard input and output, for agents that can start nothing else.
//
// It works on JSON-RPC messages, not on tools: one line in is one POST, one
// message of a response is one line out. Both protocol eras pass: sessions up
// to 2025-11-25 (initialize, a stream of notifications, a session id), and
// 2026-07-28 and later (all in each request, headers repeated from the body).
//
// Guarantees: the bytes of a message are not changed, but for line breaks
// between its tokens, so that an agent sees the very tools/list that the
// endpoint noted. Every request gets exactly one answer while the client
// listens, unless the client cancelled it: when the endpoint is gone, an error
// -32000 with a sentence. A lost stream is opened again and a forgotten session
// is made anew without the client's doing, and the client is told that the list
// may have changed. Only loopback addresses are connected to, without a proxy
// and without following a redirect. Nothing is logged. Every wait is bounded
// but open calls and streams, which end with the input or the context.
//
// It does not make or check a bearer, offers no message of its own but those
// errors and list_changed, does not split batches, and does not generate the
// Mcp-Param-* headers of 2026-07-28, which need a tool's schema and which no
// tool of ours asks for.
package bridge

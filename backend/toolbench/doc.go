// Package toolbench is an ACP agent without a model: a person calls the tools of the session's MCP servers by hand.
// It is the default agent of a new session and runs as a subcommand of our own program, over standard input and output.
//
// Guarantees: nothing but JSON-RPC frames is written to the output. A server that cannot be reached never fails
// session/new; it becomes a message in the session that names no URL and no secret. session/new ends within
// connectLimit whatever the servers do. A cancelled prompt is answered within a second, even when the server never
// answers. A call has no time limit of its own, because question tools wait for hours. At the end of the input the
// MCP sessions are closed (HTTP DELETE) and Run returns within deleteLimit and drainLimit. All state is safe for concurrent use.
//
// The MCP client is on purpose another library than the one our server is built on, so that defects do not cancel out.
//
// It does not load sessions, does not serve MCP prompts or resources, does not answer elicitation or sampling, keeps
// nothing on disk, and logs nothing. Schemas are shown as the MCP library decodes them: object keys sorted, numbers as
// float64. What a person types as arguments is passed on as it is.
package toolbench

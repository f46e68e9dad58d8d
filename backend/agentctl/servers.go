package agentctl

import (
	"os"
	"strings"

	"kandev/backend/acp"
	"kandev/backend/agent"
	"kandev/backend/attach"
)

// refusal says why a person's server is not given to the agent; "" = it is.
func refusal(s agent.Server, c agent.Capabilities, advertised acp.MCPCapabilities) (reason, sentence string) {
	switch {
	case agent.Reserved(s.Name):
		return "reserved_name", "The name kandev is reserved for Kandev's own server."
	case s.Withheld != "":
		return "withheld", s.Withheld
	case c.IgnoresMCPServers:
		return "agent_ignores_servers", "This agent ignores MCP servers given over ACP."
	case s.Transport == "stdio" && c.IgnoresStdio:
		return "agent_takes_no_stdio", "This agent drops MCP servers over stdio that are given over ACP."
	case s.Transport == "http" && !advertised.HTTP && !c.AssumeHTTP:
		return "agent_takes_no_http", "This agent does not take MCP over HTTP."
	case s.Transport == "sse" && !advertised.SSE && !c.AssumeSSE:
		return "agent_takes_no_sse", "This agent does not take MCP over SSE."
	case s.Transport != "http" && s.Transport != "sse" && s.Transport != "stdio":
		return "unknown_transport", "Kandev does not know this transport."
	}
	return "", ""
}

// rowOf is the name that a person's server has in evidence. One that is named
// exactly like ours must not speak for it; it is refused anyway.
func rowOf(s agent.Server) string {
	if s.Name == attach.BuiltinServer {
		return s.Name + " (yours)"
	}
	return s.Name
}

// targetOf is how a server is reached, before it is redacted. A command that is
// no file may be a whole command line, whose arguments are nobody's business: it
// ends at its first blank.
func targetOf(s agent.Server) string {
	if s.Transport != "stdio" {
		return s.URL
	}
	program, _, blank := strings.Cut(s.Command, " ")
	if !blank {
		return s.Command
	}
	if _, err := os.Stat(s.Command); err != nil {
		return program
	}
	return s.Command
}

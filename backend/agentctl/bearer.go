package agentctl

import (
	"errors"

	"kandev/backend/agent"
	"kandev/backend/attach"
	"kandev/backend/mcpserver"
)

// bearerVariable holds the bearer in the environment of an agent that expands
// variables, or of the stdio bridge.
const bearerVariable = "KANDEV_MCP_TOKEN"

// ErrRestart says that this process cannot be given another attempt: what it
// was started with, its bearer or its first address, is of the attempt before.
// A new process is the way on.
var ErrRestart = errors.New("the agent must be restarted for a new attempt")

// takeBearer is the bearer that the next endpoint opens with: with BearerEnv
// the one that the process was started with, once; else "", which makes one.
func (i *Instance) takeBearer() (string, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	first := i.attempt == ""
	c := i.request.Capabilities
	if !first && (c.BearerFrom == agent.BearerEnv || c.KeepsFirstAddress) {
		return "", ErrRestart
	}
	bearer := i.bearer
	i.bearer = ""
	return bearer, nil
}

// builtin is our own server as the agent is given it. The bearer travels as the
// capability says and stands on no command line of ours.
func (i *Instance) builtin(endpoint *mcpserver.Endpoint) agent.Server {
	s := agent.Server{Name: attach.BuiltinServer, Transport: "http", URL: endpoint.URL()}
	switch i.request.Capabilities.BearerFrom {
	case agent.BearerPath:
		s.URL += "/" + endpoint.Bearer()
	case agent.BearerEnv:
		s.Headers = []agent.Value{{Name: "Authorization", Value: "Bearer ${" + bearerVariable + "}"}}
	case agent.BearerBridge:
		argv := append(append([]string{}, i.host.Bridge...), endpoint.URL())
		s = agent.Server{
			Name: attach.BuiltinServer, Transport: "stdio", Command: argv[0], Args: argv[1:],
			Env: []agent.Value{{Name: bearerVariable, Value: endpoint.Bearer()}},
		}
	default: // the literal header reaches every client
		s.Headers = []agent.Value{{Name: "Authorization", Value: "Bearer " + endpoint.Bearer()}}
	}
	return s
}

// target is how the row says that our server is reached, without the bearer.
func target(s agent.Server, endpoint *mcpserver.Endpoint) string {
	if s.Transport == "stdio" {
		return s.Command
	}
	return endpoint.URL()
}

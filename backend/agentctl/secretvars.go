package agentctl

import (
	"fmt"

	"kandev/backend/agent"
)

// secretVariable names the n-th header value in an agent's environment.
func secretVariable(n int) string { return fmt.Sprintf("KANDEV_SECRET_%d", n) }

// secretVariables takes the header values of a person's servers out of what is
// sent, for a client that expands ${NAME} in headers: a literal one can end on
// a command line of the agent's, where every local user reads it. Values that
// hold a ${NAME} themselves stay: the client expands once. env is for the
// agent's process, and the numbers are the same at every attempt. The servers
// given are not changed.
func secretVariables(servers []agent.Server, c agent.Capabilities) (out []agent.Server, env []string) {
	if c.BearerFrom != agent.BearerEnv {
		return servers, nil
	}
	for _, s := range servers {
		var headers []agent.Value
		for _, h := range s.Headers {
			if s.Withheld == "" && h.Value != "" && !agent.HasVariable(h.Value) {
				name := secretVariable(len(env) + 1)
				env = append(env, name+"="+h.Value)
				h.Value = "${" + name + "}"
			}
			headers = append(headers, h)
		}
		s.Headers = headers
		out = append(out, s)
	}
	return out, env
}

package agentctl

import (
	"fmt"

	"kandev/backend/agent"
)

// secretVariable names the n-th value in an agent's environment.
func secretVariable(n int) string { return fmt.Sprintf("KANDEV_SECRET_%d", n) }

// secretVariables takes the values of a person's servers, of headers and of
// environment, out of what is sent, for a client that expands ${NAME} in them:
// a literal one can end on a command line of the agent's, where every local
// user reads it. Values that hold a ${NAME} themselves stay: the client expands
// once. env is for the agent's process, and the numbers are the same at every
// attempt. The servers given are not changed.
func secretVariables(servers []agent.Server, c agent.Capabilities) (out []agent.Server, env []string) {
	if c.BearerFrom != agent.BearerEnv {
		return servers, nil
	}
	named := func(values []agent.Value) (out []agent.Value) {
		for _, v := range values {
			if v.Value != "" && !agent.HasVariable(v.Value) {
				name := secretVariable(len(env) + 1)
				env = append(env, name+"="+v.Value)
				v.Value = "${" + name + "}"
			}
			out = append(out, v)
		}
		return out
	}
	for _, s := range servers {
		if s.Withheld == "" {
			s.Headers, s.Env = named(s.Headers), named(s.Env)
		}
		out = append(out, s)
	}
	return out, env
}

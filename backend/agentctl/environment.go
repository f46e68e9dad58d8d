package agentctl

import (
	"maps"

	"kandev/backend/agent"
	"kandev/backend/proc"
)

// environment is the agent's: that of every child, with our bearer and the
// secrets of servers where it expands them.
func (i *Instance) environment() []string {
	env := i.childEnvironment()
	if i.bearer != "" {
		env = append(env, bearerVariable+"="+i.bearer)
	}
	_, secrets := secretVariables(i.request.Servers, i.request.Capabilities)
	return append(env, secrets...)
}

// childEnvironment resolves the names of the request and applies the agent's
// capabilities, then more; proc.Environ takes out what is ours.
func (i *Instance) childEnvironment(more ...agent.Value) []string {
	var base []string
	for _, name := range i.request.Environment {
		if value, ok := i.host.Getenv(name); ok {
			base = append(base, name+"="+value)
		}
	}
	set := maps.Clone(i.request.Capabilities.EnvSet)
	if set == nil {
		set = map[string]string{}
	}
	for _, v := range more {
		set[v.Name] = v.Value
	}
	return proc.Environ(base, i.request.Capabilities.EnvStrip, set)
}

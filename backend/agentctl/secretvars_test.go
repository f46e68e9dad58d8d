package agentctl

import (
	"slices"
	"testing"

	"kandev/backend/agent"
)

// TestSecretVariables: with a client that expands variables no value is
// sent, and each is in the environment of the agent; others get it literally.
func TestSecretVariables(t *testing.T) {
	servers := []agent.Server{
		{Name: "a", Transport: "http", Headers: []agent.Value{{Name: "Authorization", Value: "Bearer one"}, {Name: "X", Value: "${MINE}"}, {Name: "Y"}}},
		{Name: "b", Transport: "stdio", Env: []agent.Value{{Name: "T", Value: "two"}}},
		{Name: "c", Transport: "http", Withheld: "why", Headers: []agent.Value{{Name: "K", Value: "three"}}},
		{Name: "d", Transport: "sse", Headers: []agent.Value{{Name: "K", Value: "four"}}},
	}
	i := &Instance{host: Host{Getenv: func(string) (string, bool) { return "", false }}}
	i.request.Servers, i.request.Capabilities.BearerFrom = servers, agent.BearerEnv
	env := i.environment()
	for _, want := range []string{"KANDEV_SECRET_1=Bearer one", "KANDEV_SECRET_2=two", "KANDEV_SECRET_3=four"} {
		if !slices.Contains(env, want) {
			t.Errorf("%s is not in the environment", want)
		}
	}
	out, _ := secretVariables(servers, i.request.Capabilities)
	got := []string{out[0].Headers[0].Value, out[0].Headers[1].Value, out[0].Headers[2].Value, out[1].Env[0].Value, out[3].Headers[0].Value}
	if want := []string{"${KANDEV_SECRET_1}", "${MINE}", "", "${KANDEV_SECRET_2}", "${KANDEV_SECRET_3}"}; !slices.Equal(got, want) {
		t.Errorf("sent %q, want %q", got, want)
	}
	if servers[0].Headers[0].Value != "Bearer one" {
		t.Error("the request was changed")
	}
	out, env = secretVariables(servers, agent.Capabilities{BearerFrom: agent.BearerHeader})
	if env != nil || out[0].Headers[0].Value != "Bearer one" {
		t.Errorf("a client that expands nothing is sent %+v", out[0])
	}
}

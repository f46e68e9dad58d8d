package agentctl

import (
	"errors"
	"slices"
	"testing"

	"kandev/backend/agent"
	"kandev/backend/attach"
)

// TestBearerByEnvironment: the process has the bearer of its first attempt, the
// configuration only the variable's name; another attempt needs another process.
func TestBearerByEnvironment(t *testing.T) {
	b := newBench(t)
	i := b.create("plain", b.host("KANDEV_MCP_TOKEN=of another app"), func(r *CreateInstanceRequest) {
		r.Environment = []string{"KANDEV_MCP_TOKEN"}
		r.Capabilities.BearerFrom = agent.BearerEnv
	})
	if err := i.Attempt(t.Context(), attach.StartNew); err != nil {
		t.Fatal(err)
	}
	var g given
	b.given("session", &g)
	if h := g.MCPServers[0].Headers; len(h) != 1 || h[0].Value != "Bearer ${KANDEV_MCP_TOKEN}" {
		t.Errorf("%+v", h)
	}
	var environment []string
	b.given("environment", &environment)
	if bearer := i.endpoint.Bearer(); len(bearer) != 43 || !slices.Contains(environment, "KANDEV_MCP_TOKEN="+bearer) {
		t.Error("the environment does not hold the bearer of the attempt")
	}
	before := b.kinds()
	if err := i.Attempt(t.Context(), attach.StartReset); !errors.Is(err, ErrRestart) {
		t.Errorf("%v", err)
	}
	if !slices.Equal(before, b.kinds()) {
		t.Error("an attempt that never began is told")
	}
}

// TestBearerByBridge: a stdio server with the bearer in its environment.
func TestBearerByBridge(t *testing.T) {
	b := newBench(t)
	host := b.host()
	host.Bridge = []string{"/opt/app/kandev-desktop", "mcp-bridge"}
	i := b.create("plain", host, func(r *CreateInstanceRequest) { r.Capabilities.BearerFrom = agent.BearerBridge })
	if err := i.Attempt(t.Context(), attach.StartNew); err != nil {
		t.Fatal(err)
	}
	var g given
	b.given("session", &g)
	ours := g.MCPServers[0]
	if ours.Type != "" || ours.Command != "/opt/app/kandev-desktop" || !slices.Equal(ours.Args, []string{"mcp-bridge", i.endpoint.URL()}) {
		t.Errorf("%+v", ours)
	}
	if !slices.Equal(ours.Env, []agent.Value{{Name: "KANDEV_MCP_TOKEN", Value: i.endpoint.Bearer()}}) {
		t.Error("the bridge's environment does not hold the bearer")
	}
	var h attach.History
	for _, e := range b.evidence {
		h, _ = attach.Reduce(h, e)
	}
	if s := h.Current().Servers[0]; s.Transport != "stdio" || s.Target != "kandev-desktop" {
		t.Errorf("%+v", s)
	}
}

// TestKeepsFirstAddress: an agent that does not connect to a new address is
// restarted instead.
func TestKeepsFirstAddress(t *testing.T) {
	b := newBench(t)
	i := b.create("plain", b.host(), func(r *CreateInstanceRequest) { r.Capabilities.KeepsFirstAddress = true })
	if err := i.Attempt(t.Context(), attach.StartNew); err != nil {
		t.Fatal(err)
	}
	if err := i.Attempt(t.Context(), attach.StartReset); !errors.Is(err, ErrRestart) {
		t.Errorf("%v", err)
	}
}

package agentctl

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kandev/backend/agent"
	"kandev/backend/attach"
	"kandev/backend/mcpserver"
	"kandev/backend/tool"
)

type given struct {
	MCPServers []struct {
		Name, Type, URL, Command string
		Args                     []string
		Env                      []agent.Value
		Headers                  []agent.Value
	}
}

// TestDelivery: our server goes first and to every agent, with the bearer where
// its capability says; a person's server as given, or filtered with a reason.
// Cases 73 and 79.
func TestDelivery(t *testing.T) {
	blanks := filepath.Join(t.TempDir(), "my own tool")
	if err := os.WriteFile(blanks, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, from := range []agent.BearerFrom{agent.BearerHeader, agent.BearerPath, ""} {
		b := newBench(t)
		i := b.create("plain", b.host(), func(r *CreateInstanceRequest) {
			r.Capabilities.BearerFrom = from
			r.Capabilities.NamespacesToolsByServer = from == agent.BearerPath
			r.Limits.Tool = 1234
			r.Servers = []agent.Server{
				{Name: "mine", Transport: "stdio", Command: "/x/tool", Args: []string{"--key", "secret"}},
				{Name: "line", Transport: "stdio", Command: "/x/tool serve secret"},
				{Name: "blanks", Transport: "stdio", Command: blanks},
				{Name: "KANDEV", Transport: "stdio", Command: "evil"},
				{Name: "kandev", Transport: "stdio", Command: "evil"},
				{Name: "kan\u200b dev", Transport: "stdio", Command: "evil"},
				{Name: "far", Transport: "sse", URL: "https://u:p@h/x?k=secret"},
			}
		})
		if err := i.Attempt(t.Context(), attach.StartNew); err != nil {
			t.Fatal(err)
		}
		var g given
		b.given("session", &g)
		ours := g.MCPServers[0]
		bearer := i.endpoint.Bearer()
		inPath := strings.HasSuffix(ours.URL, "/"+bearer)
		inHeader := len(ours.Headers) == 1 && ours.Headers[0].Value == "Bearer "+bearer
		if ours.Name != "kandev" || ours.Type != "http" || inPath != (from == agent.BearerPath) || inHeader == inPath {
			t.Errorf("%s: %+v", from, ours)
		}
		if o := b.options[0]; o.BearerInPath != inPath || o.Namespaced != inPath || o.CallLimit != 1234*time.Millisecond {
			t.Errorf("%s: %+v", from, o)
		}
		if len(g.MCPServers) != 4 || g.MCPServers[1].Name != "mine" {
			t.Errorf("%s: %+v", from, g.MCPServers)
		}
		var h attach.History
		for _, e := range b.evidence {
			h, _ = attach.Reduce(h, e)
		}
		got := fmt.Sprint(statuses(h))
		if got != "[kandev delivered  mine delivered  line delivered  blanks delivered  KANDEV filtered reserved_name kandev (yours) filtered reserved_name kan\u200b dev filtered reserved_name far filtered agent_takes_no_sse]" {
			t.Error(got)
		}
		if got := h.Current().Servers[2].Target + ", " + h.Current().Servers[3].Target; got != "tool, my own tool" {
			t.Errorf("targets %s", got)
		}
		if b := fmt.Sprintf("%+v", h); strings.Contains(b, "secret") || strings.Contains(b, bearer) || strings.Contains(b, "/x/") {
			t.Errorf("evidence holds what it must not: %s", b)
		}
	}
}

// TestInstructions: the preamble is the server's instructions, but where the
// person switched it off.
func TestInstructions(t *testing.T) {
	for off, want := range map[bool]string{false: "told", true: ""} {
		b := newBench(t)
		host := b.host()
		host.Preamble = func(Profile) string { return "told" }
		i := b.create("plain", host, func(r *CreateInstanceRequest) { r.Profile.NoPreamble = off })
		if err := i.Attempt(t.Context(), attach.StartNew); err != nil {
			t.Fatal(err)
		}
		if got := b.options[0].Instructions; got != want {
			t.Errorf("off %v: %q", off, got)
		}
	}
}

func statuses(h attach.History) (out []string) {
	for _, s := range h.Current().Servers {
		out = append(out, s.Name, string(s.Status), s.Reason)
	}
	return out
}

// TestCloseAtOnce: from everywhere, while an attempt waits for an agent that
// says nothing: every Close comes back, the end is recorded once and last, and
// silence is no failure.
func TestCloseAtOnce(t *testing.T) {
	b := newBench(t)
	i := b.create("silent", b.host(), nil)
	attempt := make(chan error, 1)
	go func() { attempt <- i.Attempt(context.Background(), attach.StartNew) }()
	for !slices.Contains(b.kinds(), attach.Delivered) {
		<-b.wake
	}
	var wg sync.WaitGroup
	for n := range 5 {
		wg.Go(func() {
			if err := i.Close(context.Background(), fmt.Sprint("reason", n)); err != nil {
				t.Error(err)
			}
			if k := b.kinds(); k[len(k)-1] != attach.ExecutionEnded {
				t.Errorf("Close is back and the end is not told: %v", k)
			}
		})
	}
	wg.Wait()
	if err := <-attempt; err == nil {
		t.Error("the attempt was accepted")
	}
	kinds := b.kinds()
	if slices.Contains(kinds, attach.Failed) || slices.Index(kinds, attach.ExecutionEnded) != len(kinds)-1 {
		t.Errorf("%v", kinds)
	}
	if err := i.Attempt(t.Context(), attach.StartNew); err == nil || len(b.kinds()) != len(kinds) {
		t.Errorf("an attempt began after Close: %v", err)
	}
}

// TestNewAttempt: another delivery has an address and a bearer of its own; those
// of the one before are gone.
func TestNewAttempt(t *testing.T) {
	b := newBench(t)
	i := b.create("plain", b.host(), nil)
	if err := i.Attempt(t.Context(), attach.StartNew); err != nil {
		t.Fatal(err)
	}
	first := i.endpoint
	if err := i.Attempt(t.Context(), attach.StartReset); err != nil {
		t.Fatal(err)
	}
	if first.Bearer() != "" || i.endpoint.Bearer() == "" || first.URL() == i.endpoint.URL() {
		t.Error("the old endpoint lives on")
	}
}

// TestProvisionalMeanwhile: a profile that changes while an attempt begins is
// what the attempt serves.
func TestProvisionalMeanwhile(t *testing.T) {
	b := newBench(t)
	host := b.host()
	var i *Instance
	open := host.Endpoint
	changed := make(chan struct{})
	host.Endpoint = func(o mcpserver.Options) (*mcpserver.Endpoint, error) {
		go func() { // its tools are asked for already
			i.SetProvisional(false)
			close(changed)
		}()
		return open(o)
	}
	var mu sync.Mutex
	var profiles []bool
	tools := host.Tools
	host.Tools = func(p Profile) *tool.Set {
		mu.Lock()
		defer mu.Unlock()
		profiles = append(profiles, p.Provisional)
		return tools(p)
	}
	i = b.create("plain", host, func(r *CreateInstanceRequest) { r.Profile.Provisional = true })
	if err := i.Attempt(t.Context(), attach.StartNew); err != nil {
		t.Fatal(err)
	}
	<-changed
	if last := profiles[len(profiles)-1]; last {
		t.Errorf("served as provisional: %v", profiles)
	}
}

// TestEnvironment: what a real child gets: its own names, nothing of ours, and
// no proxy before our endpoint.
// Case 72.
func TestEnvironment(t *testing.T) {
	b := newBench(t)
	environ := []string{
		"PATH=/bin", "HOME=/h", "KANDEV_HOME=/data", "KANDEV_X=1", "JSC_useJIT=0", "WEBKIT_DISABLE_DMABUF_RENDERER=1", "GDK_BACKEND=x11",
		"STRIPPED=1", "NO_PROXY=corp.example", "HTTP_PROXY=http://127.0.0.1:1", "NOT_NAMED=1",
	}
	b.create("plain", b.host(environ...), func(r *CreateInstanceRequest) {
		for _, e := range environ[:len(environ)-1] {
			name, _, _ := strings.Cut(e, "=")
			r.Environment = append(r.Environment, name)
		}
		r.Capabilities.EnvStrip = []string{"STRIPPED"}
		r.Capabilities.EnvSet = map[string]string{"SET": "yes"}
	})
	var got []string
	b.given("environment", &got)
	slices.Sort(got)
	want := "[HOME=/h HTTP_PROXY=http://127.0.0.1:1 NO_PROXY=corp.example,127.0.0.1,localhost,::1 PATH=/bin SET=yes no_proxy=corp.example,127.0.0.1,localhost,::1]"
	if fmt.Sprint(got) != want {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

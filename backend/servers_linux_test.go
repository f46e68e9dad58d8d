package backend

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kandev/backend/agent"
	"kandev/backend/session"
)

// thirdParty is a real MCP server of another library, with one tool.
func thirdParty() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "third-party", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "echo", Description: "Says it again.", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, func(_ context.Context, _ *mcp.CallToolRequest, in struct {
		Text string `json:"text"`
	},
	) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "echo " + in.Text}}}, nil, nil
	})
	return s
}

// runServer is the third-party server over stdio. Its log says who started it.
func runServer(log string) int {
	text := fmt.Sprintf("parent %d token %s\n", os.Getppid(), os.Getenv("TOKEN"))
	if os.WriteFile(log, []byte(text), 0o600) != nil || thirdParty().Run(context.Background(), &mcp.StdioTransport{}) != nil {
		return 1
	}
	return 0
}

// peerKey is where a connection's context holds what was seen of its peer.
type peerKey struct{}

// peerOf looks at a connection's peer when it is accepted: later the peer may be
// gone. The table is read in pieces, and may lack a row that is there.
func peerOf(peer string) string {
	var own bool
	var err error
	for began := time.Now(); time.Since(began) < time.Second; { // each look reads the table anew
		if own, err = ownSocket(peer); err == nil {
			break
		}
	}
	return fmt.Sprint(" own:", own, " ", err)
}

// ownSocket reports whether the peer of a loopback connection is this process.
func ownSocket(peer string) (bool, error) {
	_, port, err := net.SplitHostPort(peer)
	if err != nil {
		return false, err
	}
	var n int
	_, _ = fmt.Sscan(port, &n)
	table, err := os.ReadFile("/proc/self/net/tcp")
	if err != nil {
		return false, err
	}
	for line := range strings.Lines(string(table)) {
		f := strings.Fields(line)
		if len(f) < 10 || !strings.HasSuffix(f[1], fmt.Sprintf(":%04X", n)) {
			continue
		}
		links, err := filepath.Glob("/proc/self/fd/*")
		if err != nil {
			return false, err
		}
		for _, link := range links {
			if to, _ := os.Readlink(link); to == "socket:["+f[9]+"]" {
				return true, nil
			}
		}
		return false, nil
	}
	return false, fmt.Errorf("no socket with port %s", port)
}

// TestKandevNeverConnects: a person's own servers over HTTP and stdio, real
// ones. An agent that does not look at them leaves their logs empty; one that
// does is the only one in them. The rows say what was delivered.
func TestKandevNeverConnects(t *testing.T) {
	var mu sync.Mutex
	var requests, tokens []string
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return thirdParty() }, nil)
	web := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := fmt.Sprint(r.Method, r.Context().Value(peerKey{}))
		if r.Method == http.MethodDelete { // a farewell that its sender does not wait for
			seen = strings.ReplaceAll(seen, "no socket", "gone")
		}
		mu.Lock()
		requests = append(requests, seen)
		tokens = append(tokens, r.Header.Get("Authorization"))
		mu.Unlock()
		handler.ServeHTTP(w, r)
	}))
	web.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, peerKey{}, peerOf(c.RemoteAddr().String()))
	}
	web.Start()
	t.Cleanup(web.Close) // after the app is gone, whose agent holds a stream
	log := filepath.Join(t.TempDir(), "log")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	a := openApp(t, t.TempDir(), func(o *Options) {
		fakes(o)
		inner := o.agents
		o.agents = func(id string) (agent.Definition, bool) {
			if id == agent.Toolbench {
				return agent.ByID(id)
			}
			d, ok := inner(id)
			d.Capabilities.AssumeHTTP = true
			return d, ok
		}
	})
	for _, of := range []string{"fake-plain", agent.Toolbench} {
		c := webServer("web", web.URL, "Bearer sentinelbearer")
		c.Server.Agent = of
		a.saveServer(c)
		a.saveServer(ServerChange{
			Server: agent.OwnServer{Agent: of, Name: "local", Transport: "stdio", Command: self, Args: []string{"server", log}},
			Env:    []ServerValue{{Name: "TOKEN", Value: "sentineltoken"}},
		})
	}
	seen := func() []string { mu.Lock(); defer mu.Unlock(); return append([]string{}, requests...) }

	idle := a.begin(mannerPlain, "hello")
	a.said(idle, "you said hello")
	if s := a.history(idle).Current().Servers; len(s) != 3 || s[1].Times.Accepted == nil || s[2].Times.Accepted == nil {
		t.Errorf("%+v", s)
	}
	if got := seen(); len(got) != 0 {
		t.Errorf("requests before any agent looked: %q", got)
	}
	if _, err := os.Stat(log); err == nil {
		t.Error("the stdio server was started before any agent looked")
	}
	p, err := a.AddProject(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	id, err := a.NewSession(t.Context(), NewSession{Project: p.ID, Agent: agent.Toolbench})
	if err != nil {
		t.Fatal(err)
	}
	a.inState(id, session.Ready)
	a.say(id, `web/echo {"text":"hi"}`)
	a.until("an answer of the server", func() bool {
		i, ok := a.last(id, session.ItemTool)
		return ok && strings.Contains(i.Tool.Output, "echo hi")
	})
	a.inState(id, session.Ready)
	for i, s := range a.history(id).Current().Servers {
		want := []string{"kandev", "web", "local"}[i]
		if s.Name != want || s.Times.Delivered == nil || s.Times.Accepted == nil || i > 0 && (s.Catalog != nil || s.ToolCount != nil || s.Times.Connected != nil) {
			t.Errorf("%+v", s)
		}
	}
	if b, _ := json.Marshal(a.history(id)); strings.Contains(string(b), "sentinel") || strings.Contains(string(b), log) {
		t.Errorf("the attachment holds a value or an argument: %s", b)
	}
	a.quit()
	if got := seen(); len(got) < 3 || strings.Contains(fmt.Sprint(got), "own:true") || strings.Contains(fmt.Sprint(got), "no socket") {
		t.Errorf("requests: %q", got)
	}
	if tokens[0] != "Bearer sentinelbearer" {
		t.Errorf("the server got %q", tokens[0])
	}
	text, err := os.ReadFile(log)
	if err != nil || !strings.Contains(string(text), "token sentineltoken") || strings.Contains(string(text), fmt.Sprint("parent ", os.Getpid(), " ")) {
		t.Errorf("the stdio server's log: %q %v", text, err)
	}
}

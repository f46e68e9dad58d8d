//go:build linux

package agents

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kandev/backend"
	"kandev/backend/agent"
	"kandev/backend/attach"
)

// Values of the person's servers, which only those are to get.
const (
	ownHeader   = "own-header-4f1c9a7e"
	ownVariable = "own-variable-83b2d06c"
)

// own are a person's own MCP servers, of another library, which write down who
// asks them for something.
type own struct {
	web *httptest.Server
	log string // of the stdio one: a line for each start, with the pid of who started it

	mu       sync.Mutex
	requests []string // to the HTTP one
}

func echoServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "own", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "echo", Description: "Says it again."}, func(_ context.Context, _ *mcp.CallToolRequest, in struct {
		Text string `json:"text"`
	},
	) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "echo " + in.Text}}}, nil, nil
	})
	return s
}

func newOwn(t *testing.T) *own {
	o := &own{log: filepath.Join(t.TempDir(), "starts")}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return echoServer() }, nil)
	o.web = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o.mu.Lock()
		o.requests = append(o.requests, r.Method+" "+asker(r.RemoteAddr)+" value:"+strconv.FormatBool(r.Header.Get("X-Own") == ownHeader))
		o.mu.Unlock()
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(o.web.Close)
	return o
}

// runServer is the stdio one, a process that the agent starts.
func runServer(log string) int {
	f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 1
	}
	fmt.Fprintf(f, "parent %d value:%v\n", os.Getppid(), os.Getenv("OWN_TOKEN") == ownVariable)
	if f.Close() != nil || echoServer().Run(context.Background(), &mcp.StdioTransport{}) != nil {
		return 1
	}
	return 0
}

// asker says whether the other end of a connection is this process, which is
// the app, or another.
func asker(peer string) string {
	_, port, err := net.SplitHostPort(peer)
	if err != nil {
		return "unknown"
	}
	n, _ := strconv.Atoi(port)
	text, err := os.ReadFile("/proc/self/net/tcp")
	if err != nil {
		return "unknown"
	}
	links, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) < 10 || !strings.HasSuffix(f[1], fmt.Sprintf(":%04X", n)) {
			continue
		}
		if slices.ContainsFunc(links, func(link string) bool {
			to, _ := os.Readlink(link)
			return to == "socket:["+f[9]+"]"
		}) {
			return "the app"
		}
		return "another process"
	}
	return "unknown"
}

// seen are the requests so far, and the starts of the stdio server.
func (o *own) seen() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	out := slices.Clone(o.requests)
	if text, err := os.ReadFile(o.log); err == nil {
		out = append(out, strings.Split(strings.TrimSpace(string(text)), "\n")...)
	}
	return out
}

// save gives both to an agent, in the app's settings.
func (o *own) save(a *app, id string) {
	a.t.Helper()
	self, err := os.Executable()
	if err != nil {
		a.t.Fatal(err)
	}
	for _, c := range []backend.ServerChange{
		{
			Server:  agent.OwnServer{Agent: id, Name: "web", Transport: "http", URL: o.web.URL},
			Headers: []backend.ServerValue{{Name: "X-Own", Value: ownHeader}},
		},
		{
			Server: agent.OwnServer{Agent: id, Name: "local", Transport: "stdio", Command: self, Args: []string{partServer, o.log}},
			Env:    []backend.ServerValue{{Name: "OWN_TOKEN", Value: ownVariable}},
		},
	} {
		if _, err := a.SaveOwnServer(a.t.Context(), c); err != nil {
			a.t.Fatal(err)
		}
	}
}

// ownServers reads the rows of the person's servers: what was delivered, no
// tools, and why.
func (w *world) ownServers(t *testing.T) {
	for _, name := range []string{"web", "local"} {
		s := w.app.server(w.id, name)
		if s.Source != string(attach.SourcePerson) || s.ToolCount != nil || s.Times.Connected != 0 {
			t.Errorf("%s: %+v", name, s)
		}
		row := s.Status
		switch s.Status {
		case string(attach.StatusDelivered):
		case string(attach.StatusFiltered):
			if row = "filtered: " + s.Reason; s.Reason == "" || s.Summary == "" {
				t.Errorf("%s was filtered without a reason: %+v", name, s)
			}
		default:
			t.Errorf("%s is %s", name, s.Status)
		}
		if name == "web" {
			w.facts.OwnHTTP = row
		} else {
			w.facts.OwnStdio = row
		}
	}
}

// checkLogs reads the servers' own logs after the app has ended: the agent
// connected where it was given a server, and never the app.
func (o *own) checkLogs(t *testing.T, w *world) {
	seen := o.seen()
	web, local := false, false
	for _, line := range seen {
		switch {
		case contains(line, "the app"), contains(line, "unknown"), strings.HasPrefix(line, fmt.Sprintf("parent %d ", os.Getpid())):
			t.Errorf("a request of our own process, or of nobody knows whom: %s", line)
		case contains(line, "value:false"):
			t.Errorf("a server did not get its value: %s", line)
		case strings.HasPrefix(line, "parent "):
			local = true
		default:
			web = true
		}
	}
	if web != (w.facts.OwnHTTP == string(attach.StatusDelivered)) || local != (w.facts.OwnStdio == string(attach.StatusDelivered)) {
		t.Errorf("the rows say %q and %q; the agent connected to HTTP: %v, stdio: %v", w.facts.OwnHTTP, w.facts.OwnStdio, web, local)
	}
}

package toolbench

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	acp "github.com/coder/acp-go-sdk"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestListChangedPublishesAndSaysNothing(t *testing.T) {
	s, h := startTools(t), startHost(t)
	h.open(s.config("kandev"))
	h.mark()
	s.add("late_kandev", "Came late.", `{"type":"object"}`, &mcp.ToolAnnotations{ReadOnlyHint: true}, answer("late"))
	h.until("the new command", func() bool { _, ok := h.commands()["late_kandev"]; return ok })
	s.RemoveTools("late_kandev")
	h.until("its end", func() bool { _, ok := h.commands()["late_kandev"]; return !ok && h.commands() != nil })
	if said := h.said(); said != "" {
		t.Errorf("said %q", said)
	}
}

func TestUnreachableServersAreMessages(t *testing.T) {
	s, h := startTools(t), startHost(t)
	gone, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = gone.Close()
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("hello")) }))
	defer other.Close()
	redirect := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	defer redirect.Close()

	denied := httpConfig("denied", s.web.URL+"/mcp/path-secret")
	denied.Http.Headers[0].Value = "Bearer wrong-secret"
	h.open(
		httpConfig("kandev", "http://"+gone.Addr().String()+"/mcp/path-secret?key=query-secret"),
		denied,
		httpConfig("other", other.URL),
		httpConfig("moved", redirect.URL),
		httpConfig("odd", "ftp://user:url-secret@host/"),
		acp.McpServer{Sse: &acp.McpServerSseInline{Type: "sse", Name: "sse", Url: "http://" + gone.Addr().String(), Headers: []acp.HttpHeader{}}},
		acp.McpServer{Stdio: &acp.McpServerStdio{Name: "program", Command: "no-such-program-here", Args: []string{}, Env: []acp.EnvVariable{}}},
		s.config("good"),
	)
	got := h.said()
	for _, want := range []string{
		"kandev: could not connect: nothing answers at its address.",
		"denied: could not connect: it answered 401 Unauthorized.",
		"other: could not connect: it did not answer as an MCP server.",
		"moved: could not connect: it answered with a redirect, which is not followed.",
		"odd: could not connect: its address is not an http or https URL.",
		"sse: could not connect: nothing answers at its address.",
		"program: could not connect: its command was not found.",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	if strings.Contains(got, "secret") || strings.Contains(got, "http:") || strings.Contains(got, "good") {
		t.Errorf("it says too much: %q", got)
	}
	h.prompt("list_things")
	if s.called("list_things_kandev") != 1 {
		t.Error("the good server cannot be called")
	}
}

// A server may take a request and never answer it, or answer everything but never open its stream.
func TestSilentServersEndInTime(t *testing.T) {
	ending := make(chan struct{})
	hang := func(r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-ending:
		}
	}
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { hang(r) }))
	s := startTools(t)
	noStream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			hang(r)
			return
		}
		s.web.Config.Handler.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		close(ending)
		silent.Close()
		noStream.Close()
	})
	h := startHostWith(t, Options{connect: 200 * time.Millisecond})
	begun := time.Now()
	h.open(httpConfig("silent", silent.URL), httpConfig("mute", noStream.URL), s.config("good"))
	if took := time.Since(begun); took > 2*time.Second {
		t.Errorf("session/new took %v", took)
	}
	want := "silent: could not connect: it did not answer in time.\n\nmute: could not connect: it did not answer in time.\n\n"
	if got := h.said(); got != want {
		t.Errorf("said %q", got)
	}
	h.prompt("list_things")
	begun = time.Now()
	h.close()
	if took := time.Since(begun); took > 2*time.Second {
		t.Errorf("the end took %v", took)
	}
}

func TestEndlessListIsAMessage(t *testing.T) {
	h := startHost(t)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		_ = json.NewDecoder(r.Body).Decode(&m)
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case m.Method == "initialize":
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}`, m.ID)
		case m.Method == "tools/list":
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"a","inputSchema":true},{"name":"a","inputSchema":null}],"nextCursor":"same"}}`, m.ID)
		case m.ID == nil:
			w.WriteHeader(http.StatusAccepted)
		default: // server/discover too
			w.WriteHeader(http.StatusBadRequest)
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"unsupported","data":{"supported":["2025-11-25"]}}}`, m.ID)
		}
	}))
	t.Cleanup(web.Close)
	h.open(httpConfig("loop", web.URL))
	if got := h.said(); got != "loop: could not list its tools: its tool list does not end.\n\n" {
		t.Errorf("said %q", got)
	}
}

func TestServersThatCannotBeReadAreMessages(t *testing.T) {
	h := startHost(t)
	frame := `{"jsonrpc":"2.0","id":"odd","method":"session/new","params":{"cwd":"/","mcpServers":[{"type":"acp","name":"tunnel","id":"1"},7,null]}}` + "\n"
	if _, err := h.stdin.Write([]byte(frame)); err != nil {
		t.Fatal(err)
	}
	h.until("the commands", func() bool { return h.commands() != nil })
	got := h.said()
	if !strings.Contains(got, "tunnel: could not connect: this agent does not speak its transport.") ||
		!strings.Contains(got, "server-2: could not connect") || !strings.Contains(got, "server-3: could not connect: it has no command.") {
		t.Errorf("got %q", got)
	}
	h.session = ""
}

func TestLostServerTakesItsToolsAway(t *testing.T) {
	s, h := startTools(t), startHost(t)
	h.open(s.config("kandev"))
	for session := range s.Sessions() {
		_ = session.Close()
	}
	h.prompt("list_things") // the library notices at the next request, the stream later
	h.until("the message", func() bool {
		return slices.ContainsFunc(h.updates, func(u acp.SessionUpdate) bool {
			return u.AgentMessageChunk != nil && strings.Contains(u.AgentMessageChunk.Content.Text.Text, "kandev: the connection was lost.")
		})
	})
	h.until("the commands without tools", func() bool { return len(h.commands()) == 3 })
}

func TestTwoServersWithOneTool(t *testing.T) {
	a, b, h := startTools(t), startTools(t), startHost(t)
	b.RemoveTools("wipe")
	b.add("tools", "A reserved word.", `{"type":"object"}`, &mcp.ToolAnnotations{ReadOnlyHint: true}, answer("reserved"))
	h.open(a.config("one"), b.config("two"), b.config("two"))
	h.until("the commands", func() bool { return len(h.commands()) > 10 })
	h.mu.Lock()
	names := h.commands()
	h.mu.Unlock()
	for _, want := range []string{"one/list_things_kandev", "two/list_things_kandev", "two-2/list_things_kandev", "wipe", "two/tools"} {
		if _, ok := names[want]; !ok {
			t.Errorf("%s is not a command", want)
		}
	}
	got := h.prompt("list_things")
	if !strings.Contains(got, "offered by 3 servers. Name one of them: `one/list_things_kandev`, `two/list_things_kandev`, `two-2/list_things_kandev`.") {
		t.Errorf("got %q", got)
	}
	h.prompt("two/list_things")
	h.prompt("/two-2/tools")
	if a.called("list_things_kandev") != 0 || b.called("list_things_kandev") != 1 || b.called("tools") != 1 {
		t.Error("the wrong server was called")
	}
}

// TestMain makes the test binary a stdio MCP server when a test starts it as one.
func TestMain(m *testing.M) {
	if os.Getenv("TOOLBENCH_TEST_SERVER") == "" {
		os.Exit(m.Run())
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "child", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "where", InputSchema: map[string]any{"type": "object"}, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		answer(os.Getenv("TOOLBENCH_TEST_SERVER")+"|"+os.Getenv("KANDEV_TOKEN")))
	_ = s.Run(context.Background(), &mcp.StdioTransport{})
}

func TestStdioServer(t *testing.T) {
	t.Setenv("KANDEV_TOKEN", "not for children")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h := startHost(t)
	h.open(acp.McpServer{Stdio: &acp.McpServerStdio{
		Name: "child", Command: self, Args: []string{},
		Env: []acp.EnvVariable{{Name: "TOOLBENCH_TEST_SERVER", Value: "yes"}},
	}})
	h.prompt("where")
	if _, _, last := h.toolUpdates(); last != "yes|" {
		t.Errorf("got %q, said %q", last, h.said())
	}
}

func TestSSEServer(t *testing.T) {
	s, h := startTools(t), startHost(t)
	handler := mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return s.Server }, nil)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != bearer {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	h.open(acp.McpServer{Sse: &acp.McpServerSseInline{
		Type: "sse", Name: "old", Url: web.URL,
		Headers: []acp.HttpHeader{{Name: "Authorization", Value: bearer}},
	}})
	h.prompt("list_things")
	if s.called("list_things_kandev") != 1 {
		t.Errorf("not called: %q", h.said())
	}
}

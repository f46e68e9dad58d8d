package toolbench

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	acp "github.com/coder/acp-go-sdk"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const bearer = "Bearer s3cret-of-the-test"

// tools is a real MCP server on loopback that demands the bearer on every request and counts what it sees.
type tools struct {
	*mcp.Server
	web *httptest.Server

	mu      sync.Mutex
	methods map[string]int
	refused int
	calls   map[string][]mcp.Meta
	args    []string

	closing   chan struct{}
	release   func()        // ends calls of block that nobody cancelled
	blocked   chan struct{} // a call of block has started
	cancelled chan struct{} // and saw its cancellation
}

func startTools(t *testing.T) *tools {
	t.Helper()
	s := &tools{closing: make(chan struct{}), methods: map[string]int{}, calls: map[string][]mcp.Meta{}, blocked: make(chan struct{}, 8), cancelled: make(chan struct{}, 8)}
	s.release = sync.OnceFunc(func() { close(s.closing) })
	s.Server = mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.Server }, nil)
	s.web = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.methods[r.Method]++
		allowed := r.Header.Get("Authorization") == bearer
		if !allowed {
			s.refused++
		}
		s.mu.Unlock()
		if !allowed {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		s.release()
		s.web.CloseClientConnections()
		s.web.Close()
	})
	s.addAll()
	return s
}

func (s *tools) addAll() {
	no, yes := false, true
	s.add("list_things_kandev", "List things, e.g. all. More text.", `{"type":"object","properties":{}}`,
		&mcp.ToolAnnotations{ReadOnlyHint: true}, answer(`{"things":[1,9007199254740993]}`))
	s.add("make_thing_kandev", "Make a *thing* <b>now</b>.",
		`{"type":"object","required":["title"],"properties":{"title":{"type":"string"},"count":{"type":"integer"}}}`,
		&mcp.ToolAnnotations{DestructiveHint: &no}, answer("made"))
	s.add("wipe", "Wipe everything.", `{"type":"object"}`, &mcp.ToolAnnotations{DestructiveHint: &yes}, answer("wiped"))
	s.add("unhinted", "", `{"type":"object"}`, nil, answer("done"))
	s.add("fail", "Fails.", `{"type":"object"}`, &mcp.ToolAnnotations{ReadOnlyHint: true},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "no such thing"}}}, nil
		})
	s.add("block", "Waits for ever.", `{"type":"object"}`, &mcp.ToolAnnotations{ReadOnlyHint: true},
		func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			signal(s.blocked)
			select {
			case <-ctx.Done():
				signal(s.cancelled)
			case <-s.closing: // a cancel that overtook its call on another connection is lost on this server
			}
			return nil, context.Canceled
		})
	s.add("steps", "Reports progress.", `{"type":"object"}`, &mcp.ToolAnnotations{ReadOnlyHint: true},
		func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: 1, Total: 3})
			s.blocked <- struct{}{}
			select {
			case <-s.cancelled: // the test has seen it
			case <-ctx.Done():
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "stepped"}}}, err
		})
}

// add registers a tool that also records its calls.
func (s *tools) add(name, description, schema string, a *mcp.ToolAnnotations, h mcp.ToolHandler) {
	s.AddTool(&mcp.Tool{Name: name, Description: description, InputSchema: json.RawMessage(schema), Annotations: a},
		func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			s.mu.Lock()
			s.calls[name] = append(s.calls[name], r.Params.Meta)
			s.args = append(s.args, string(r.Params.Arguments))
			s.mu.Unlock()
			return h(ctx, r)
		})
}

func signal(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}

func answer(text string) mcp.ToolHandler {
	return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
	}
}

// called is how often a tool was called.
func (s *tools) called(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.calls[name])
}

// config is the server as session/new names it.
func (s *tools) config(name string) acp.McpServer { return httpConfig(name, s.web.URL+"/mcp/attempt") }

func httpConfig(name, url string) acp.McpServer {
	return acp.McpServer{Http: &acp.McpServerHttpInline{
		Type: "http", Name: name, Url: url,
		Headers: []acp.HttpHeader{{Name: "Authorization", Value: bearer}},
	}}
}

package bridge

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// modernServer is mcp-go's own endpoint, which speaks 2026-07-28, behind the front.
func modernServer(f *front) (s *server.MCPServer, running, ended chan struct{}) {
	running, ended = make(chan struct{}, 8), make(chan struct{}, 8)
	s = server.NewMCPServer("other", "1", server.WithToolCapabilities(true))
	s.AddTool(mcp.NewTool("änderung"), func(_ context.Context, q mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("from " + q.Params.Name), nil
	})
	s.AddTool(mcp.NewTool("slow"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		running <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return nil, ctx.Err()
	})
	handler := server.NewStreamableHTTPServer(s).ServeHTTP
	h := http.HandlerFunc(handler)
	f.other.Store(&h)
	return s, running, ended
}

func modernOf(id, method, params string) string {
	if params != "" {
		params += ","
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":{%s"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`, id, method, params)
}

func TestModernRequests(t *testing.T) {
	f := newFront(t)
	_, running, ended := modernServer(f)
	p := start(t, f.url())
	p.ask(modernOf("1", "server/discover", ""), `"id":1`, "2026-07-28")
	p.ask(modernOf("2", "tools/list", ""), `"id":2`, "änderung")
	p.ask(modernOf("3", "tools/call", `"name":"änderung","arguments":{}`), `"id":3`, "from änderung") // its name is in base64 in the header
	p.ask(modernOf("4", "no/such", ""), `"id":4`, "-32601")
	p.send(modernOf(`"L"`, "tools/call", `"name":"slow","arguments":{}`))
	take(t, running)
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"L"}}`)
	take(t, ended) // its response was closed
	p.ask(modernOf("5", "server/discover", ""), `"id":5`)
	p.finish()
}

// A subscription streams, is opened again when its stream was lost, and is
// answered with an error when the endpoint is gone.
func TestModernSubscription(t *testing.T) {
	f := newFront(t)
	s, _, _ := modernServer(f)
	listen := modernOf(`"sub"`, methodListen, `"notifications":{"toolsListChanged":true}`)
	p := start(t, f.url())
	p.ask(listen, methodAck)
	s.DeleteTools("slow")
	p.next(methodListChanged, "sub")

	f.down()
	p.next(`"id":"sub"`, `"code":-32000`)
	f.up()
	p.ask(listen, methodAck)
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"sub"}}`)
	p.ask(modernOf("5", "server/discover", ""), `"id":5`)
	p.finish()
}

func TestLostSubscriptionIsReopened(t *testing.T) {
	f := newFront(t)
	var once sync.Once
	cut := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", eventStream)
		_, _ = io.WriteString(w, `data: {"jsonrpc":"2.0","method":"`+methodAck+`","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"sub"},"notifications":{"toolsListChanged":true}}}`+"\n\n")
		_ = http.NewResponseController(w).Flush()
		first := false
		once.Do(func() { first = true })
		if first {
			panic(http.ErrAbortHandler)
		}
		<-r.Context().Done()
	})
	f.other.Store(&cut)
	p := start(t, f.url())
	p.ask(modernOf(`"sub"`, methodListen, `"notifications":{"toolsListChanged":true}`), methodAck)
	p.next(methodListChanged, `"_meta":{"io.modelcontextprotocol/subscriptionId":"sub"}`)
	began := time.Now()
	p.finish() // an open subscription is not waited for
	if took := time.Since(began); took > 900*time.Millisecond {
		t.Errorf("took %v", took)
	}
}

// Case 76: the newest era first, on an endpoint of the older one; then initialize.
func TestModernClientFallsBack(t *testing.T) {
	f := newFront(t)
	f.serve(named("a_kandev"))
	p := start(t, f.url())
	p.ask(`{"jsonrpc":"2.0","id":1,"method":"server/discover"}`, `"id":1`)
	p.connect()
	p.ask(listTools, "a_kandev")
	p.finish()
}

func TestGoSDKClientInTheModernEra(t *testing.T) {
	f := newFront(t)
	s, running, ended := modernServer(f)
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	c := connectSDK(ctx, t, f.url())
	if v := c.InitializeResult().ProtocolVersion; v != "2026-07-28" {
		t.Fatalf("speaks %s", v)
	}
	c.call(ctx, t, "änderung", "from änderung")
	waiting, stop := context.WithCancel(ctx)
	go func() { _, _ = c.CallTool(waiting, &sdk.CallToolParams{Name: "slow"}) }()
	take(t, running)
	stop()
	take(t, ended)
	until(t, "the client hears of a change", func() bool { // it subscribes beside its other requests
		s.AddTool(mcp.NewTool("more"), nil)
		return len(c.changed) > 0
	})
	s.DeleteTools("slow", "more")
	if list, err := c.ListTools(ctx, nil); err != nil || len(list.Tools) != 1 || !strings.Contains(list.Tools[0].Name, "nderung") {
		t.Error(err, list)
	}
	c.leave(t)
}

package mcpserver

import (
	"context"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kandev/backend/attach"
	"kandev/backend/tool"
)

// bearerTransport adds what an agent's configuration adds.
type bearerTransport struct{ bearer string }

func (b bearerTransport) RoundTrip(q *http.Request) (*http.Response, error) {
	q = q.Clone(q.Context())
	q.Header.Set("Authorization", "Bearer "+b.bearer)
	return http.DefaultTransport.RoundTrip(q)
}

// connect is a session of the other library's client, and what it is told.
func (r *rig) connect(ctx context.Context, version string) (*mcp.ClientSession, chan struct{}, chan string) {
	r.t.Helper()
	return connect(ctx, r.t, r.e.URL(), r.e.Bearer(), version)
}

func connect(ctx context.Context, t *testing.T, url, bearer, version string) (*mcp.ClientSession, chan struct{}, chan string) {
	t.Helper()
	changed, progress := make(chan struct{}, 8), make(chan string, 8)
	client := mcp.NewClient(&mcp.Implementation{Name: "sdk", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} },
		ProgressNotificationHandler: func(_ context.Context, q *mcp.ProgressNotificationClientRequest) {
			progress <- q.Params.Message
		},
	})
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: url, HTTPClient: &http.Client{Transport: bearerTransport{bearer}},
	}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	return session, changed, progress
}

// Another library than the server's: its client negotiates, lists, calls,
// cancels, hears of progress and of changes, in both eras.
func TestGoSDKClient(t *testing.T) {
	for asked, spoken := range map[string]string{"": "2026-07-28", "2025-11-25": "2025-11-25", "2025-06-18": "2025-06-18"} {
		t.Run(spoken, func(t *testing.T) { goSDKClient(t, asked, spoken) })
	}
}

func goSDKClient(t *testing.T, asked, spoken string) {
	h, running := blocking(nil)
	r := setup(t, set(t, echo("a_kandev"), with("wait_kandev", h), with("work_kandev", func(_ context.Context, c tool.Call) (tool.Result, error) {
		c.Progress("half")
		return tool.Text("done"), nil
	})), func(o *Options, _ *limits) { o.Instructions = "Be kind." })
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()

	session, changed, progress := r.connect(ctx, asked)
	init := session.InitializeResult()
	if init.ProtocolVersion != spoken || init.Instructions != "Be kind." || init.Capabilities.Tools == nil || !init.Capabilities.Tools.ListChanged ||
		init.Capabilities.Prompts != nil || init.Capabilities.Resources != nil || init.Capabilities.Logging != nil { //nolint:staticcheck // deprecated, and must not be offered
		t.Errorf("%+v", init)
	}
	if hs := r.rec.await(t, attach.HandshakeObserved, 1); hs.Client != "sdk 1" || hs.Protocol != spoken {
		t.Errorf("%+v", hs)
	}
	list, err := session.ListTools(ctx, nil)
	if err != nil || len(list.Tools) != 3 || list.Tools[0].Name != "a_kandev" {
		t.Fatal(err, list)
	}
	called, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "a_kandev", Arguments: map[string]any{"q": "x"}})
	if err != nil || called.IsError || called.Content[0].(*mcp.TextContent).Text != "handler saw a_kandev" {
		t.Fatal(err, called)
	}
	if called, err = session.CallTool(ctx, &mcp.CallToolParams{Name: "a_kandev"}); err != nil || !called.IsError {
		t.Error(err, called)
	}
	if _, err = session.CallTool(ctx, &mcp.CallToolParams{Name: "nope"}); err == nil || !strings.Contains(err.Error(), "tool 'nope' not found") {
		t.Error(err)
	}
	work := &mcp.CallToolParams{Name: "work_kandev"}
	work.SetProgressToken("tok")
	if _, err = session.CallTool(ctx, work); err != nil || takes(t, progress) != "half" {
		t.Error(err)
	}
	waiting, stop := context.WithCancel(ctx)
	failed := make(chan error, 1)
	go func() {
		_, err := session.CallTool(waiting, &mcp.CallToolParams{Name: "wait_kandev"})
		failed <- err
	}()
	takes(t, running)
	stop()
	if takes(t, failed) == nil {
		t.Error("a cancelled call succeeded")
	}
	r.e.SetTools(set(t, echo("a_kandev")))
	takes(t, changed)
	if list, err = session.ListTools(ctx, nil); err != nil || len(list.Tools) != 1 {
		t.Error(err, list)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	r.rec.await(t, attach.ConnectionClosed, 1)
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	if slices.Contains(r.rec.kinds(), attach.Failed) {
		t.Error(r.rec.kinds())
	}
	if err := wait(ctx, &r.e.requests); err != nil || r.e.Calls() != 0 {
		t.Error("the cancelled call runs on")
	}
}

// TestForeignGoSDK is the same client against another process: the endpoint that
// KANDEV_FOREIGN_URL names, served by this binary as a fixture (TestMain).
func TestForeignGoSDK(t *testing.T) {
	url := os.Getenv("KANDEV_FOREIGN_URL")
	if url == "" {
		t.Skip("KANDEV_FOREIGN_URL is not set")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	session, changed, progress := connect(ctx, t, url, os.Getenv("KANDEV_FOREIGN_BEARER"), os.Getenv("KANDEV_FOREIGN_VERSION"))
	call := func(name string) string {
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: map[string]any{}})
		if err != nil {
			t.Fatal(err)
		}
		return result.Content[0].(*mcp.TextContent).Text
	}
	t.Run("list", func(t *testing.T) {
		if list, err := session.ListTools(ctx, nil); err != nil || len(list.Tools) < 8 {
			t.Fatal(err, list)
		}
	})
	t.Run("call", func(t *testing.T) {
		if got := call("echo"); got != "{}" {
			t.Error(got)
		}
	})
	t.Run("progress", func(t *testing.T) {
		work := &mcp.CallToolParams{Name: "test_tool_with_progress"}
		work.SetProgressToken("tok")
		if _, err := session.CallTool(ctx, work); err != nil || takes(t, progress) != "begun" {
			t.Error(err)
		}
	})
	t.Run("cancel", func(t *testing.T) {
		waiting, stop := context.WithTimeout(ctx, 300*time.Millisecond)
		defer stop()
		if _, err := session.CallTool(waiting, &mcp.CallToolParams{Name: "wait"}); err == nil {
			t.Error("a cancelled call succeeded")
		}
		for !strings.Contains(call("evidence"), "wait_cancelled") {
			if ctx.Err() != nil {
				t.Fatal("the call runs on")
			}
		}
	})
	t.Run("list_changed", func(t *testing.T) {
		call("test_trigger_tool_change")
		takes(t, changed)
	})
	if err := session.Close(); err != nil {
		t.Error(err)
	}
}

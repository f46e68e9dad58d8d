package bridge

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kandev/backend/tool"
)

// sdkClient is another library's client at the stdio of a bridge in a process of its own.
type sdkClient struct {
	*mcp.ClientSession
	changed  chan struct{}
	progress chan string
	command  *exec.Cmd
	errors   *safeBuffer
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func connectSDK(ctx context.Context, t *testing.T, url string) *sdkClient {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &sdkClient{changed: make(chan struct{}, 64), progress: make(chan string, 64), errors: &safeBuffer{}}
	client := mcp.NewClient(&mcp.Implementation{Name: "sdk", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { c.changed <- struct{}{} },
		ProgressNotificationHandler: func(_ context.Context, q *mcp.ProgressNotificationClientRequest) {
			c.progress <- q.Params.Message
		},
	})
	c.command = exec.Command(self, url)
	c.command.Env = append(os.Environ(), "BRIDGE_TEST_CHILD=1", "KANDEV_MCP_TOKEN="+frontBearer,
		"HTTP_PROXY=http://127.0.0.1:1", "ALL_PROXY=socks5://127.0.0.1:1", "NO_PROXY=")
	c.command.Stderr = c.errors
	if c.ClientSession, err = client.Connect(ctx, &mcp.CommandTransport{Command: c.command}, nil); err != nil {
		t.Fatal(err, c.errors)
	}
	return c
}

// leave closes the client and wants the process to end by itself, in time and without a word.
func (c *sdkClient) leave(t *testing.T) {
	t.Helper()
	began := time.Now()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 2*time.Second || c.command.ProcessState == nil || !c.command.ProcessState.Success() {
		t.Errorf("ended after %v: %v", took, c.command.ProcessState)
	}
	if said := c.errors.String(); said != "" {
		t.Errorf("standard error holds %q", said)
	}
}

// The official client over a real process: list, call, progress, cancel,
// list_changed, another endpoint in the place of the first, the end.
func TestGoSDKClient(t *testing.T) {
	f := newFront(t)
	slow, running, ended := blocking("slow_kandev")
	e := f.serve(slow, named("a_kandev"), with("work_kandev", func(_ context.Context, c tool.Call) (tool.Result, error) {
		c.Progress("half")
		return tool.Text("done"), nil
	}))
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	c := connectSDK(ctx, t, f.url())
	list, err := c.ListTools(ctx, nil)
	if err != nil || len(list.Tools) != 3 || list.Tools[0].Name != "a_kandev" {
		t.Fatal(err, list)
	}
	c.call(ctx, t, "a_kandev", "from a_kandev")
	work := &mcp.CallToolParams{Name: "work_kandev"}
	work.SetProgressToken("tok")
	if _, err := c.CallTool(ctx, work); err != nil || take(t, c.progress) != "half" {
		t.Error(err)
	}
	waiting, stop := context.WithCancel(ctx)
	failed := make(chan error, 1)
	go func() {
		_, err := c.CallTool(waiting, &mcp.CallToolParams{Name: "slow_kandev"})
		failed <- err
	}()
	take(t, running)
	stop()
	if take(t, failed) == nil {
		t.Error("a cancelled call succeeded")
	}
	take(t, ended)

	more, round := []tool.Definition{named("b_kandev"), named("c_kandev")}, 0
	until(t, "the client hears of a change", func() bool { // a subscription begins beside the other requests
		round++
		e.SetTools(set(t, more[:1+round%2]...))
		return len(c.changed) > 0
	})
	c.call(ctx, t, "b_kandev", "from b_kandev")

	f.down()
	if _, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "b_kandev"}); err == nil {
		t.Error("a call to nowhere succeeded")
	}
	f.serve(named("c_kandev"))
	f.up()
	c.call(ctx, t, "c_kandev", "from c_kandev")
	c.leave(t)
	if f.wrong.Load() != 0 {
		t.Error("requests without the bearer")
	}
}

func (c *sdkClient) call(ctx context.Context, t *testing.T, name, want string) {
	t.Helper()
	got, err := c.CallTool(ctx, &mcp.CallToolParams{Name: name})
	if err != nil || got.IsError || got.Content[0].(*mcp.TextContent).Text != want {
		t.Fatal(err, got)
	}
}

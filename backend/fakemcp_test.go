package backend

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
)

// mcpServer is what session/new tells an agent of one server.
type mcpServer struct {
	Name, URL    string
	Headers, Env []struct{ Name, Value string }
	Command      string
	Args         []string
}

// expanded is the server as a client uses it that knows variables.
func (s mcpServer) expanded() mcpServer {
	for i := range s.Headers {
		s.Headers[i].Value = os.ExpandEnv(s.Headers[i].Value)
	}
	return s
}

// bearer is the secret that this server was given, wherever it stands.
func (s mcpServer) bearer() string {
	switch {
	case len(s.Headers) > 0:
		return strings.TrimPrefix(s.Headers[0].Value, "Bearer ")
	case len(s.Env) > 0:
		return s.Env[0].Value
	}
	return s.URL[strings.LastIndex(s.URL, "/")+1:]
}

// mcpClient is the fake agent's MCP side, by hand.
type mcpClient struct {
	server  mcpServer
	session string
	last    atomic.Int64
	bridge  *bridgeProcess // of a stdio server
}

func dialMCP(s mcpServer) *mcpClient {
	c := &mcpClient{server: s.expanded()}
	if s.Command != "" {
		c.bridge = startBridge(s)
	}
	c.must("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"fake","version":"1"}}`)
	c.notify("notifications/initialized", `{}`)
	return c
}

func (c *mcpClient) post(ctx context.Context, body string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.server.URL, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for _, h := range c.server.Headers {
		r.Header.Set(h.Name, h.Value)
	}
	if c.session != "" {
		r.Header.Set("Mcp-Session-Id", c.session)
	}
	return http.DefaultClient.Do(r)
}

func (c *mcpClient) request(id int64, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)
}

// call sends a request and returns the answer with its id, JSON or SSE.
func (c *mcpClient) call(ctx context.Context, method, params string) (string, error) {
	if c.bridge != nil {
		return c.bridge.call(c.request(c.last.Add(1), method, params))
	}
	resp, err := c.post(ctx, c.request(c.last.Add(1), method, params))
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if id := resp.Header.Get("Mcp-Session-Id"); id != "" {
		c.session = id
	}
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		b, err := io.ReadAll(resp.Body)
		return string(b), err
	}
	lines := bufio.NewReader(resp.Body)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return "", err
		}
		if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok && !bytes.Contains(data, []byte(`"method"`)) {
			return string(data), nil
		}
	}
}

func (c *mcpClient) must(method, params string) string {
	answer, err := c.call(context.Background(), method, params)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fake agent:", method, err)
		os.Exit(3)
	}
	return answer
}

func (c *mcpClient) notify(method, params string) {
	message := fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params)
	if c.bridge != nil {
		c.bridge.write(message)
	} else if resp, err := c.post(context.Background(), message); err == nil {
		_ = resp.Body.Close()
	}
}

// tool calls one of our tools and returns the text of its result.
func (c *mcpClient) tool(ctx context.Context, name, arguments string) string {
	answer, err := c.call(ctx, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, arguments))
	if err != nil {
		return "gone: " + err.Error()
	}
	var r struct {
		Result struct{ Content []struct{ Text string } }
		Error  *struct{ Message string }
	}
	_ = json.Unmarshal([]byte(answer), &r)
	switch {
	case r.Error != nil:
		return "error: " + r.Error.Message
	case len(r.Result.Content) == 0:
		return answer
	}
	return r.Result.Content[0].Text
}

// script does what a prompt says with our server.
func (c *mcpClient) script(ctx context.Context, verb, rest string) string {
	const ask = `{"questions":[{"prompt":"Which?","options":[{"label":"red"},{"label":"blue"}]}]}`
	switch verb {
	case "list20":
		for range 20 {
			c.must("tools/list", `{}`)
		}
		return "listed"
	case "odd":
		for _, m := range []string{"prompts/list", "resources/list", "ping", "logging/setLevel", "no/such"} {
			c.must(m, `{}`)
		}
		c.must("tools/list", `{"cursor":"x"}`)
		return c.tool(ctx, "no_such_tool", `{}`) + c.tool(ctx, "list_tasks_kandev", `{"limit":"many SENTINEL"}`)
	case "ask":
		return c.tool(ctx, "ask_user_question_kandev", ask)
	case "ask2": // two calls ask the same
		other := make(chan string, 1)
		go func() { other <- c.tool(ctx, "ask_user_question_kandev", ask) }()
		return c.tool(ctx, "ask_user_question_kandev", ask) + " " + <-other
	case "drop": // asks, and hangs up once the call is under way
		return c.drop(ask)
	case "drop2": // two calls ask the same, and hang up together
		other := make(chan string, 1)
		go func() { other <- c.drop(ask) }()
		return c.drop(ask) + <-other
	case "dropstream": // asks, hangs up, and works on until the file "go" is there
		c.drop(ask)
		c.untilGo(ctx)
		return "went on"
	case "askmany":
		return c.askMany(rest)
	case "withdraw": // asks, and takes it back
		return c.withdraw(ctx, ask, "the model changed its mind")
	case "giveup": // asks, and waits no longer, with a reason
		return c.withdraw(ctx, ask, rest)
	case "call":
		name, arguments, _ := strings.Cut(rest, " ")
		return c.tool(ctx, name+"_kandev", arguments)
	case "names":
		var r struct {
			Result struct{ Tools []struct{ Name string } }
		}
		_ = json.Unmarshal([]byte(c.must("tools/list", `{}`)), &r)
		return fmt.Sprint(r.Result.Tools)
	}
	return "you said " + verb
}

func (c *mcpClient) drop(ask string) string {
	resp, err := c.post(context.Background(), c.request(c.last.Add(1), "tools/call", `{"name":"ask_user_question_kandev","arguments":`+ask+`}`))
	if err != nil {
		return err.Error()
	}
	_ = resp.Body.Close() // the headers came at once: the question is open
	return "dropped"
}

// askMany asks n questions side by side that differ, and comes back when all
// but those that may be open were refused; then it hangs up.
func (c *mcpClient) askMany(n string) string {
	var count int
	_, _ = fmt.Sscan(n, &count)
	ctx, hangUp := context.WithCancel(context.Background())
	defer hangUp()
	refused := make(chan string, count)
	for i := range count {
		go func() {
			refused <- c.tool(ctx, "ask_user_question_kandev", fmt.Sprintf(`{"questions":[{"prompt":"%d?"}]}`, i))
		}()
	}
	for range count - maxAsked {
		if text := <-refused; !strings.Contains(text, "open already") {
			return text
		}
	}
	return fmt.Sprint(count-maxAsked, " refused")
}

func (c *mcpClient) withdraw(ctx context.Context, ask, reason string) string {
	id := c.last.Add(1)
	resp, err := c.post(context.Background(), c.request(id, "tools/call", `{"name":"ask_user_question_kandev","arguments":`+ask+`}`))
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	c.untilGo(ctx)
	c.notify("notifications/cancelled", fmt.Sprintf(`{"requestId":%d,"reason":%q}`, id, reason))
	return "withdrawn"
}

// untilGo works on until the test puts the file "go" into the folder.
func (c *mcpClient) untilGo(ctx context.Context) {
	for ctx.Err() == nil {
		if _, err := os.Stat("go"); err == nil {
			return
		}
		c.must("ping", `{}`)
	}
}

package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kandev/backend/tool"
)

// What both servers serve in a comparison: about 600 bytes a tool.
const (
	benchDescription = "Creates one item of the kind that is named by its arguments, and says what became of it in a short sentence."
	benchSchema      = `{"type":"object","properties":{"q":{"type":"string","description":"what to look for"},"limit":{"type":"integer","minimum":1,"maximum":100,"description":"how many at most"},"cursor":{"type":"string","description":"where to go on"},"kind":{"type":"string","enum":["one","two","three"],"description":"which kind"}},"required":["q"],"additionalProperties":false}`
)

// probe sends one message over and over on one keep-alive connection.
type probe struct {
	client  *http.Client
	url     string
	headers http.Header
}

func (p *probe) post(t testing.TB, body string) http.Header {
	q, err := http.NewRequestWithContext(t.Context(), "POST", p.url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	q.Header = p.headers
	res, err := p.client.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if n, err := io.Copy(io.Discard, res.Body); err != nil || res.StatusCode/100 != 2 {
		t.Fatalf("%s after %d bytes: %v", res.Status, n, err)
	}
	return res.Header
}

func newProbe(t testing.TB, url, bearer string) *probe {
	p := &probe{client: &http.Client{Transport: &http.Transport{}}, url: url, headers: http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
	}}
	if bearer != "" {
		p.headers.Set("Authorization", "Bearer "+bearer)
	}
	p.headers.Set("Mcp-Session-Id", p.post(t, initialize).Get("Mcp-Session-Id"))
	p.post(t, initialized)
	t.Cleanup(p.client.CloseIdleConnections)
	return p
}

// bare is mcp-go's own server and transport.
func bare(t testing.TB, n int) *probe {
	s := server.NewMCPServer("bare", "1", server.WithToolCapabilities(true))
	for i := range n {
		s.AddTool(mcp.NewToolWithRawSchema(fmt.Sprintf("tool_%03d_kandev", i), benchDescription, json.RawMessage(benchSchema)),
			func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return mcp.NewToolResultText("done"), nil
			})
	}
	web := httptest.NewServer(server.NewStreamableHTTPServer(s, server.WithStateful(true)))
	t.Cleanup(web.Close)
	return newProbe(t, web.URL, "")
}

// everything is ours with all that is on in the app, the observer included.
func everything(t testing.TB, n int) *probe {
	var defs []tool.Definition
	for i := range n {
		d := with(fmt.Sprintf("tool_%03d_kandev", i), func(context.Context, tool.Call) (tool.Result, error) { return tool.Text("done"), nil })
		d.Description, d.InputSchema = benchDescription, json.RawMessage(benchSchema)
		defs = append(defs, d)
	}
	s, err := Listen(ListenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close(context.Background()) })
	e, err := s.Open(Options{
		Attempt: "figures", Tools: set(t, defs...), Namespaced: true,
		Estimate: func(b []byte) (int, error) { return len(b) / 4, nil }, Count: func(s string) int { return len(s) / 4 },
	})
	if err != nil {
		t.Fatal(err)
	}
	return newProbe(t, e.URL(), e.Bearer())
}

// ratio is the p50 of ours over that of bare mcp-go for one message, measured
// in turns so that both meet the same noise.
func ratio(t testing.TB, ours, theirs *probe, message string, rounds int) float64 {
	times := [2][]time.Duration{}
	for range rounds {
		for i, p := range []*probe{ours, theirs} {
			began := time.Now()
			p.post(t, message)
			times[i] = append(times[i], time.Since(began))
		}
	}
	slices.Sort(times[0])
	slices.Sort(times[1])
	return float64(times[0][rounds/2]) / float64(times[1][rounds/2])
}

// TestFigures appends "name value unit" lines to the file that KANDEV_FIGURES
// names; make figures collects them.
func TestFigures(t *testing.T) {
	path := os.Getenv("KANDEV_FIGURES")
	if path == "" {
		t.Skip("KANDEV_FIGURES is not set")
	}
	var out bytes.Buffer
	call := callMessage("1", "tool_000_kandev", `{"q":"x"}`, "")
	for _, n := range []int{40, 128} {
		ours, theirs := everything(t, n), bare(t, n)
		lists, calls := 1e9, 1e9
		for range 3 {
			lists = min(lists, ratio(t, ours, theirs, listTools, 300))
			calls = min(calls, ratio(t, ours, theirs, call, 600))
		}
		fmt.Fprintf(&out, "tools_list_ratio_%d %.2f ratio\n", n, lists)
		if lists > 1.1 {
			t.Errorf("tools_list_ratio_%d is %.2f, at most 1.1", n, lists)
		}
		if n == 40 {
			fmt.Fprintf(&out, "tools_call_ratio %.2f ratio\n", calls)
			if calls > 1.3 {
				t.Errorf("tools_call_ratio is %.2f, at most 1.3", calls)
			}
		}
	}
	fmt.Fprintf(&out, "session_memory_kb %.1f kB\n", sessionMemory(t))
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(out.Bytes()); err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", out.String())
}

// sessionMemory is the heap and stack that one session with an open stream
// holds, in kB. The clients are bare sockets, so that little of it is theirs.
func sessionMemory(t *testing.T) float64 {
	const endpoints, each = 5, 40
	s, err := Listen(ListenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close(context.Background()) }()
	open := func(n int) {
		e, err := s.Open(Options{Attempt: fmt.Sprint(n), Tools: set(t, echo("a_kandev"))})
		if err != nil {
			t.Fatal(err)
		}
		for range each {
			p := newProbe(t, e.URL(), e.Bearer())
			p.client.CloseIdleConnections()
			c, err := net.Dial("tcp4", "127.0.0.1:"+s.port)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = c.Close() })
			fmt.Fprintf(c, "GET /mcp/%d HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nAuthorization: Bearer %s\r\nAccept: text/event-stream\r\nMcp-Session-Id: %s\r\n\r\n",
				n, s.port, e.Bearer(), p.headers.Get("Mcp-Session-Id"))
			var begun [512]byte
			if n, err := c.Read(begun[:]); err != nil || !bytes.HasPrefix(begun[:n], []byte("HTTP/1.1 200")) {
				t.Fatalf("%q %v", begun[:n], err)
			}
		}
	}
	open(0) // what is made once
	before := inUse()
	for n := range endpoints {
		open(n + 1)
	}
	return float64(inUse()-before) / (endpoints * each) / 1024
}

func inUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}

func BenchmarkToolsList40(b *testing.B)  { benchmarkList(b, 40) }
func BenchmarkToolsList128(b *testing.B) { benchmarkList(b, 128) }

func benchmarkList(b *testing.B, n int) {
	for name, p := range map[string]*probe{"kandev": everything(b, n), "mcp-go": bare(b, n)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				p.post(b, listTools)
			}
		})
	}
}

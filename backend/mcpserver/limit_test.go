package mcpserver

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"kandev/backend/tool"
)

// TestCallLimit: a handler that states no limit has that of the endpoint.
func TestCallLimit(t *testing.T) {
	slow := with("slow_kandev", func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		<-ctx.Done()
		return tool.Result{}, ctx.Err()
	})
	r := setup(t, set(t, slow), func(o *Options, _ *limits) { o.CallLimit = 20 * time.Millisecond }).init()
	if body := r.call("slow_kandev", "{}"); !strings.Contains(body, "did not finish within 20ms") {
		t.Error(body)
	}
}

// TestSlowReader: an answer that nobody reads is given up; its request does not
// stay behind.
func TestSlowReader(t *testing.T) {
	called := make(chan struct{})
	large := with("large_kandev", func(context.Context, tool.Call) (tool.Result, error) {
		close(called)
		return tool.Text(strings.Repeat("x", 16<<20)), nil
	})
	r := setup(t, set(t, large), func(_ *Options, l *limits) { l.write = 50 * time.Millisecond }).init()
	body := callMessage("1", "large_kandev", "{}", "")
	c := r.slow(fmt.Sprintf("Authorization: Bearer %s\r\nAccept: application/json, text/event-stream\r\nMcp-Session-Id: %s\r\nContent-Length: %d\r\n", r.e.Bearer(), r.sid, len(body)))
	if _, err := io.WriteString(c, body); err != nil {
		t.Fatal(err)
	}
	<-called
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := wait(ctx, &r.e.requests); err != nil {
		t.Error("the answer is still being written:", err)
	}
}

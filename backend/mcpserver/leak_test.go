package mcpserver

import (
	"context"
	"net/http"
	"runtime"
	"strings"
	"testing"
)

// After Close nothing of the server runs: 20 clients, half of them gone without
// a word, with streams and calls open.
func TestNoGoroutineIsLeft(t *testing.T) {
	h, running := blocking(nil)
	tools := set(t, with("wait_kandev", h), echo("a_kandev"))
	s, err := Listen(ListenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := s.Open(Options{Attempt: "a", Tools: tools})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, server: s, e: e, http: &http.Client{Transport: &http.Transport{}}}
	for i := range 20 {
		r.init()
		ctx, hangUp := context.WithCancel(t.Context())
		defer hangUp()
		if _, err := r.do(ctx, "GET", ""); err != nil {
			t.Fatal(err)
		}
		go func(sid string) {
			mine := *r
			mine.sid = sid
			if res, err := mine.do(ctx, "POST", callMessage("1", "wait_kandev", "{}", "")); err == nil {
				_ = res.Body.Close()
			}
		}(r.sid)
		takes(t, running)
		if i%2 == 0 {
			hangUp()
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := s.Close(ctx); err != nil {
		t.Fatal(err)
	}
	r.http.CloseIdleConnections()
	if _, err := s.Open(Options{Attempt: "b"}); err == nil {
		t.Error("opened after Close")
	}
	if stacks := ours(); stacks != "" {
		t.Fatalf("left:\n%s", stacks)
	}
}

// ours returns the stacks of goroutines that are in this package or in mcp-go.
func ours() string {
	buf := make([]byte, 4<<20)
	var left []string
	for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if (strings.Contains(stack, "backend/mcpserver.(*") || strings.Contains(stack, "mark3labs")) && !strings.Contains(stack, "_test.go") {
			left = append(left, stack)
		}
	}
	return strings.Join(left, "\n\n")
}

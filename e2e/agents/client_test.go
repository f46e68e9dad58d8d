//go:build linux

package agents

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// client is a plain MCP client at an attempt's address, beside the agent's own.
type client struct {
	to      delivered
	session string
}

func dial(t *testing.T, to delivered) *client {
	t.Helper()
	c := &client{to: to}
	c.post(t, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"harness","version":"1"}}}`)
	c.post(t, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

// call answers what the server wrote, as text.
func (c *client) call(t *testing.T, name, arguments string) string {
	t.Helper()
	return c.post(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, name, arguments))
}

func (c *client) post(t *testing.T, body string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.to.URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+c.to.Bearer)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if c.session != "" {
		r.Header.Set("Mcp-Session-Id", c.session)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= 300 {
		t.Fatalf("status %d: %s (%v)", answer.StatusCode, text, err)
	}
	if id := answer.Header.Get("Mcp-Session-Id"); id != "" {
		c.session = id
	}
	return string(text)
}

package mcpserver

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kandev/backend/attach"
)

// FuzzRequest feeds bytes of a client to the whole request path. Whatever they
// are, there is one answer with a JSON body or none, and no attachment failure
// unless the handshake itself was refused.
func FuzzRequest(f *testing.F) {
	for _, s := range []string{
		initialize, listTools, initialized, callMessage("1", "a_kandev", `{"q":"x"}`, `{"progressToken":1}`),
		`[]`, `{}`, `null`, `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","id":"\ud800","Method":"tools/list","method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
	} {
		f.Add("POST", s, "application/json", "")
	}
	f.Add("GET", "", "text/event-stream", "1999-01-01")
	f.Add("DELETE", "", "", "2026-07-28")
	failed := make(chan struct{}, 1024)
	s, err := listen(ListenOptions{Log: slog.New(slog.DiscardHandler)}, defaults())
	if err != nil {
		f.Fatal(err)
	}
	e, err := s.Open(Options{Attempt: "a", Tools: set(f, echo("a_kandev")), Record: func(ev attach.Evidence) {
		if ev.Kind == attach.Failed && ev.Reason != "handshake_failed" {
			failed <- struct{}{}
		}
	}})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = s.Close(f.Context()) })
	sess, _ := e.sessions.create(handshake{})
	_, _ = e.sessions.begin(sess.id) // in use: others give way
	f.Fuzz(func(t *testing.T, method, body, accept, version string) {
		q, err := http.NewRequestWithContext(t.Context(), method, e.URL(), strings.NewReader(body))
		if err != nil || method == "GET" && strings.Contains(accept, "*") || method == "DELETE" {
			return
		}
		q.RemoteAddr = "127.0.0.1:1"
		q.Header = http.Header{
			"Authorization": {"Bearer " + e.Bearer()}, "Content-Type": {"application/json"},
			"Accept": {accept}, "Mcp-Protocol-Version": {version}, "Mcp-Session-Id": {sess.id},
		}
		if method == "GET" {
			q.Header.Set("Mcp-Session-Id", "none")
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, q)
		if w.Code >= 500 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		if w.Header().Get("Content-Type") == jsonType && !json.Valid(w.Body.Bytes()) {
			t.Fatalf("answer %q", w.Body)
		}
		select {
		case <-failed:
			t.Fatal("painted red")
		default:
		}
	})
}

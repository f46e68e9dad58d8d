package mcpserver

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kandev/backend/attach"
	"kandev/backend/catalog"
	"kandev/backend/tool"
)

// FuzzModern feeds a request of 2026-07-28 to the whole request path. Whatever it
// says: one answer, valid JSON, nothing painted red; and no tool is called under
// another name or method than the headers told those in between.
func FuzzModern(f *testing.F) {
	call, _ := modernCall("1", "a_kandev", `{"q":"x"}`, `,"progressToken":1`)
	for _, s := range []struct{ body, method, name string }{
		{call, "tools/call", "a_kandev"},
		{call, "tools/call", "=?base64?YV9rYW5kZXY=?="},
		{call, "tools/list", ""},
		{modernMessage("1", "tools/list", "", ""), "tools/list", ""},
		{modernMessage(`"x"`, methodDiscover, "", ""), methodDiscover, ""},
		{modernMessage("1", methodListen, `,"notifications":{"toolsListChanged":true}`, ""), methodListen, ""},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, "x", "y"},
		{strings.Replace(call, `"name":"a_kandev"`, `"name":"a_kandev","Name":"b_kandev"`, 1), "tools/call", "b_kandev"},
	} {
		f.Add(s.body, s.method, s.name, "2026-07-28")
	}
	var red atomic.Bool
	var called atomic.Pointer[string]
	s, err := listen(ListenOptions{Log: slog.New(slog.DiscardHandler)}, defaults())
	if err != nil {
		f.Fatal(err)
	}
	say := func(name string) tool.Definition {
		return with(name, func(_ context.Context, c tool.Call) (tool.Result, error) {
			called.Store(&c.Name)
			return tool.Text("ok"), nil
		})
	}
	e, err := s.Open(Options{Attempt: "a", Tools: set(f, say("a_kandev"), say("b_kandev")), Record: func(ev attach.Evidence) {
		red.Store(red.Load() || ev.Kind == attach.Failed)
	}})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = s.Close(context.Background()) })
	f.Fuzz(func(t *testing.T, body, method, name, version string) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if strings.Contains(method, "listen") {
			cancel() // a stream would stay open
		}
		q, err := http.NewRequestWithContext(ctx, "POST", e.URL(), strings.NewReader(body))
		if err != nil {
			return
		}
		q.RemoteAddr = "127.0.0.1:1"
		q.Header = http.Header{
			"Authorization": {"Bearer " + e.Bearer()}, "Content-Type": {jsonType}, "Accept": {jsonType + "," + eventStream},
			headerVersion: {version}, headerMethod: {method}, headerName: {name},
		}
		called.Store(nil)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, q)
		if w.Code >= 500 || red.Load() {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		if w.Header().Get("Content-Type") == jsonType && !json.Valid(w.Body.Bytes()) {
			t.Fatalf("answer %q", w.Body)
		}
		if got := called.Load(); got != nil && isModern(q, nil) {
			said := name
			if encoded, ok := strings.CutPrefix(name, "=?base64?"); ok {
				raw, _ := base64.StdEncoding.DecodeString(strings.TrimSuffix(encoded, "?="))
				said = string(raw)
			}
			if said != *got || method != "tools/call" {
				t.Fatalf("%q was called, the headers say %q %q", *got, method, name)
			}
		}
	})
}

// FuzzObserver feeds bytes as a list that was served. The observer takes any:
// it records what it can read, counts it, and goes on with the next piece.
func FuzzObserver(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a_kandev","inputSchema":{"type":"object"}}]}}`))
	f.Add([]byte("event: message\ndata: {\"result\":{\"tools\":[{\"name\":1},null,{}]}}\n\n"))
	f.Add([]byte(`{"result":{"tools":[` + strings.Repeat("[", 2000)))
	f.Add([]byte(`{"result":{"tools":[{"name":"<|endoftext|>","description":"\ud800"}],"nextCursor":"x"}}`))
	f.Fuzz(func(t *testing.T, bytesServed []byte) {
		var kinds []attach.Kind
		w := newObserver(Options{
			Attempt: "a", Now: time.Now,
			Record:   func(e attach.Evidence) { kinds = append(kinds, e.Kind) },
			Estimate: func(b []byte) (int, error) { return len(b), nil }, Count: func(s string) int { return len(s) },
		}, setupLog())
		half := len(bytesServed) / 2
		w.addList(&written{chunks: [][]byte{bytesServed[:half], bytesServed[half:]}, tools: &served{}})
		w.add(attach.Evidence{Kind: attach.ToolsChanged})
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		if err := w.close(ctx); err != nil {
			t.Fatal(err)
		}
		_, err := catalog.Parse(bytes.Clone(bytesServed), nil)
		want := 1
		if err == nil {
			want = 3
		}
		if len(kinds) != want || kinds[len(kinds)-1] != attach.ToolsChanged {
			t.Fatalf("recorded %v of %q (%v)", kinds, bytesServed, err)
		}
	})
}

package acp

import (
	"context"
	"errors"
	"testing"
)

// TestFiles: what was written for the agent goes out, nothing else does, and a
// cancelled turn answers no read.
func TestFiles(t *testing.T) {
	release := make(chan struct{})
	c, p := connect(t, Options{
		ReadFile: func(_ context.Context, r ReadFile) (string, error) {
			switch r.Path {
			case "/lines":
				if r.SessionID != "s" || *r.Line != 3 || *r.Limit != 2 {
					t.Errorf("%+v", r)
				}
				return "<text>", nil
			case "/gone":
				return "", &FileError{Path: r.Path, Sentence: "/gone does not exist.", NotFound: true}
			case "/slow":
				<-release
				return "late", nil
			}
			return "", errors.New("private")
		},
		WriteFile: func(_ context.Context, w WriteFile) error {
			if w.Content != "text" {
				panic("private")
			}
			return &FileError{Path: w.Path, Sentence: "/out is outside."}
		},
	})
	for _, e := range []struct{ method, params, want string }{
		{"fs/read_text_file", `{"sessionId":"s","path":"/lines","line":3,"limit":2}`, `"result":{"content":"<text>"}}`},
		{"fs/read_text_file", `{"sessionId":"s","path":"/gone"}`, `"error":{"code":-32002,"message":"/gone does not exist."}}`},
		{"fs/read_text_file", `{"path":"/private"}`, failedOutcome},
		{"fs/read_text_file", `[]`, `"error":{"code":-32602,"message":"params must be an object"}}`},
		{"fs/write_text_file", `{"path":"/out","content":"text"}`, `"error":{"code":-32602,"message":"/out is outside."}}`},
		{"fs/write_text_file", `{"path":"/out","content":7}`, `"error":{"code":-32602,"message":"content must be a string"}}`},
		{"fs/write_text_file", `{"path":"/out","content":"panic"}`, failedOutcome},
	} {
		p.send(`{"jsonrpc":"2.0","id":5,"method":"` + e.method + `","params":` + e.params + `}`)
		p.expect(`{"jsonrpc":"2.0","id":5,` + e.want)
	}
	p.send(`{"jsonrpc":"2.0","id":6,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/slow"}}`)
	p.send(`{"jsonrpc":"2.0","id":7,"method":"terminal/create","params":{}}`)
	p.expect(`{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"method not offered by this client"}}`) // so the read is being served
	if err := c.Cancel("s"); err != nil {
		t.Fatal(err)
	}
	p.expect(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}`)
	close(release)
	p.expect(`{"jsonrpc":"2.0","id":6,"result":{"content":"late"}}`)
}

// TestLoad: what the agent repeats before its answer is marked, what comes
// after it is not.
func TestLoad(t *testing.T) {
	got := make(chan Update, 8)
	c, p := connect(t, Options{Update: func(_ string, u Update) { got <- u }})
	done := make(chan error, 1)
	go func() {
		_, err := c.LoadSession(t.Context(), LoadSession{SessionID: "old", Cwd: "/w"})
		done <- err
	}()
	p.expect(`{"jsonrpc":"2.0","id":1,"method":"session/load","params":{"sessionId":"old","cwd":"/w","mcpServers":[]}}`)
	update := `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"old","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x"}}}}`
	p.send(update)
	p.send(`{"jsonrpc":"2.0","id":1,"result":null}`)
	p.send(update)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if first, second := <-got, <-got; !first.Replayed || second.Replayed {
		t.Errorf("%v, %v", first.Replayed, second.Replayed)
	}
}

// TestLoadRepeatsLate: Gemini CLI answers session/load first and repeats the
// conversation after it. What follows a text of the person that nobody sent now
// is marked, until a turn begins.
func TestLoadRepeatsLate(t *testing.T) {
	got := make(chan Update, 8)
	c, p := connect(t, Options{Update: func(_ string, u Update) { got <- u }})
	done := make(chan error, 2)
	go func() {
		_, err := c.LoadSession(t.Context(), LoadSession{SessionID: "old", Cwd: "/w"})
		done <- err
	}()
	p.expect(`{"jsonrpc":"2.0","id":1,"method":"session/load","params":{"sessionId":"old","cwd":"/w","mcpServers":[]}}`)
	p.send(`{"jsonrpc":"2.0","id":1,"result":null}`)
	update := func(kind string) {
		p.send(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"old","update":{"sessionUpdate":"` + kind + `","content":{"type":"text","text":"x"}}}}`)
	}
	for _, kind := range []string{KindMessageChunk, KindUserChunk, KindMessageChunk, KindCommands, KindToolCall} {
		update(kind)
	}
	for i, want := range []bool{false, true, true, false, true} {
		if u := <-got; u.Replayed != want {
			t.Errorf("update %d, %s: replayed %v", i, u.Kind, u.Replayed)
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	go func() {
		_, err := c.Prompt(t.Context(), "old", []Block{{Text: "go on"}})
		done <- err
	}()
	p.expect(`{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"old","prompt":[{"type":"text","text":"go on"}]}}`)
	update(KindUserChunk)
	update(KindMessageChunk)
	p.send(`{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}`)
	if first, second := <-got, <-got; first.Replayed || second.Replayed {
		t.Errorf("in a turn: %v, %v", first.Replayed, second.Replayed)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

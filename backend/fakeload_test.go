package backend

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// newMemory names a session. An agent that loads keeps its prompts in a file of
// its folder under that name.
func (f *fakeAgent) newMemory() string {
	if !fakeCapabilities(f.manner).NativeLoad {
		return "fake-1"
	}
	for n := 1; ; n++ {
		id := fmt.Sprint("kept-", n)
		file, err := os.OpenFile(id, os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			_ = file.Close()
			f.memory = id
			return id
		}
	}
}

func (f *fakeAgent) remember(prompt string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.remembered = append(f.remembered, prompt)
	if f.memory != "" {
		b, _ := json.Marshal(f.remembered)
		_ = os.WriteFile(f.memory, b, 0o600)
	}
}

// loadSession repeats the conversation, as the protocol demands, and answers.
func (f *fakeAgent) loadSession(m frame) {
	f.mcp = dialMCP(m.Params.MCPServers[0])
	f.mcp.must("tools/list", `{}`)
	b, err := os.ReadFile(m.Params.SessionID)
	if strings.HasPrefix(f.manner, "forg") || err != nil || json.Unmarshal(b, &f.remembered) != nil {
		f.write(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"no such session"}}`, m.ID)
		return
	}
	f.memory = m.Params.SessionID
	update := func(body string) {
		f.write(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"x","update":%s}}`, body)
	}
	for _, prompt := range f.remembered {
		text, _ := json.Marshal(prompt)
		update(fmt.Sprintf(`{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":%s}}`, text))
		update(`{"sessionUpdate":"tool_call","toolCallId":"old","title":"Replayed","status":"completed"}`)
		update(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"replayed answer"}}`)
		update(`{"sessionUpdate":"plan","entries":[{"content":"replayed plan"}]}`)
	}
	f.answer(m, `null`)
	f.say("loaded") // not of the past
}

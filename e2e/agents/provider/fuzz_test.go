package provider

import (
	"strings"
	"testing"
)

// FuzzRead: whatever an agent sends is read or refused, and then answered.
func FuzzRead(f *testing.F) {
	f.Add(uint8(0), `{"tools":[{"function":{"name":"a"}}],"messages":[{"role":"user","content":[{"text":"KANDEV-DO {\"id\":\"1\",\"tool\":\"a\"}"}]}]}`)
	f.Add(uint8(1), `{"tools":[{"name":"ToolSearch"}],"messages":[{"content":[{"type":"tool_result","tool_use_id":"x","content":[{"type":"y"}]}]}]}`)
	f.Add(uint8(2), `{"tools":[{"type":"namespace","tools":[{"type":"namespace","tools":[{"name":"b"}]}]}],"input":[{"role":"user","content":[]}]}`)
	f.Add(uint8(3), `{"generationConfig":{"responseMimeType":"application/json","responseSchema":{"properties":{"next_speaker":{"enum":[null]}}}}}`)
	f.Add(uint8(4), `{"chat_history":[{"request_nodes":[{"tool_result_node":{"content":[[]]}}]}],"tool_definitions":[{}]}`)
	paths := []string{"/chat/completions", "/messages", "/responses", ":generateContent", "/chat-stream"}
	f.Fuzz(func(t *testing.T, which uint8, body string) {
		d, ok := dialectOf(paths[int(which)%len(paths)])
		if !ok {
			t.Fatal("no dialect")
		}
		q, err := d.read([]byte(body))
		if err != nil {
			return
		}
		if r := answer(q); r.Call == "" && r.Text == "" {
			t.Error("no answer")
		}
		if q.Schema != nil && !strings.HasPrefix(sample(q.Schema), "{") {
			t.Error("no object")
		}
	})
}

package toolbench

import (
	"strings"
	"testing"
	"time"

	acp "github.com/coder/acp-go-sdk"
)

func TestInitializeSaysWhoItIs(t *testing.T) {
	h := startHost(t)
	r, err := h.conn.Initialize(t.Context(), acp.InitializeRequest{ProtocolVersion: 7})
	if err != nil {
		t.Fatal(err)
	}
	c := r.AgentCapabilities
	if r.ProtocolVersion != 1 || r.AgentInfo == nil || r.AgentInfo.Name != "toolbench" || r.AgentInfo.Version != "1.2.3" ||
		*r.AgentInfo.Title != "Toolbench" || !c.McpCapabilities.Http || !c.McpCapabilities.Sse || c.LoadSession || len(r.AuthMethods) != 0 {
		t.Errorf("got %+v", r)
	}
}

func TestListAndSchema(t *testing.T) {
	s, h := startTools(t), startHost(t)
	h.open(s.config("kandev"))
	list := h.prompt("/tools")
	for _, want := range []string{
		"- `list_things_kandev` — List things, e.g. all.\n",
		"- `make_thing_kandev` — Make a \\*thing\\* \\<b\\>now\\</b\\>.\n",
		"- `unhinted`\n",
	} {
		if !strings.Contains(list, want) {
			t.Errorf("no %q in\n%s", want, list)
		}
	}
	if got := h.prompt("tools WIPE"); got != "- `wipe` — Wipe everything.\n" {
		t.Errorf("filtered: %q", got)
	}
	if got := h.prompt("tools zzz"); !strings.Contains(got, "contains `zzz`") {
		t.Errorf("nothing found: %q", got)
	}
	schema := h.prompt("schema /make_thing")
	if !strings.HasPrefix(schema, "```json\n{\n  \"properties\"") || !strings.Contains(schema, `"title"`) {
		t.Errorf("schema: %q", schema)
	}
	if got := h.prompt("schema"); !strings.Contains(got, "Name a tool") {
		t.Errorf("schema of nothing: %q", got)
	}
}

func TestOnlyTheLastTextBlockIsInput(t *testing.T) {
	s, h := startTools(t), startHost(t)
	h.open(s.config("kandev"))
	if got := h.prompt("You have tools.\nwipe {}", "tools wipe"); got != "- `wipe` — Wipe everything.\n" {
		t.Errorf("got %q", got)
	}
	if got := h.prompt(); !strings.Contains(got, "No model reads") {
		t.Errorf("no block: %q", got)
	}
}

func TestCommandsArePublished(t *testing.T) {
	s, h := startTools(t), startHost(t)
	h.open(s.config("kandev"))
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.commands()
	for _, name := range []string{"tools", "schema", "help", "wipe", "make_thing_kandev"} {
		if _, ok := c[name]; !ok {
			t.Errorf("%s is not a command", name)
		}
	}
	if got := c["make_thing_kandev"].Input; got == nil || got.Unstructured.Hint != `{"title": string, "count"?: integer}` {
		t.Errorf("hint %+v", got)
	}
	if c["list_things_kandev"].Input != nil {
		t.Error("a tool without arguments has a hint")
	}
	if c["unhinted"].Description != "No description was reported." {
		t.Errorf("description %q", c["unhinted"].Description)
	}
}

func TestUnknownWordsNameTheNearest(t *testing.T) {
	s, h := startTools(t), startHost(t)
	h.open(s.config("kandev"))
	for prompt, want := range map[string]string{
		"wipee":           "Did you mean `wipe`?",
		"list_thing":      "Did you mean `list_things_kandev`?",
		"tols":            "Did you mean `tools`?",
		"hello, who r u?": "There is no tool or command `hello,`. `tools` lists",
		"call":            "Name a tool.",
	} {
		if got := h.prompt(prompt); !strings.Contains(got, want) {
			t.Errorf("%q: got %q", prompt, got)
		}
	}
}

func TestUnknownSessionAndMethod(t *testing.T) {
	h := startHost(t)
	_, err := h.conn.Prompt(t.Context(), acp.PromptRequest{SessionId: "nope", Prompt: []acp.ContentBlock{acp.TextBlock("help")}})
	if err == nil || !strings.Contains(err.Error(), "no such session") {
		t.Errorf("prompt: %v", err)
	}
	if _, err := h.conn.LoadSession(t.Context(), acp.LoadSessionRequest{SessionId: "x", Cwd: "/", McpServers: []acp.McpServer{}}); err == nil {
		t.Error("load is not offered")
	}
}

func TestEndOfInputClosesTheMCPSessions(t *testing.T) {
	s, h := startTools(t), startHost(t)
	h.open(s.config("kandev"))
	h.sendQuietly("block")
	<-s.blocked
	begun := time.Now()
	h.close()
	if took := time.Since(begun); took > 2*time.Second {
		t.Errorf("the end took %v", took)
	}
	<-s.cancelled
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.methods["DELETE"] != 1 || s.methods["GET"] == 0 || s.refused != 0 {
		t.Errorf("requests %v, without the bearer %d", s.methods, s.refused)
	}
}

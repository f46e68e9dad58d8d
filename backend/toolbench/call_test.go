package toolbench

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	acp "github.com/coder/acp-go-sdk"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestCallShowsItsResultOnce(t *testing.T) {
	s, h := startTools(t), startHost(t)
	h.open(s.config("kandev"))
	if said := h.prompt(`/list_things {"n": 9007199254740993}`); said != "" {
		t.Errorf("a message repeats the result: %q", said)
	}
	start, statuses, last := h.toolUpdates()
	if start.Title != "list_things_kandev" || start.Kind != acp.ToolKindRead {
		t.Errorf("start %+v", start)
	}
	if want := []string{"pending", "in_progress", "completed"}; !slices.Equal(statuses, want) {
		t.Errorf("statuses %v", statuses)
	}
	if want := "```json\n{\n  \"things\": [\n    1,\n    9007199254740993\n  ]\n}\n```"; last != want {
		t.Errorf("content %q", last)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if got := s.args[len(s.args)-1]; got != `{"n":9007199254740993}` {
		t.Errorf("the server got %s", got)
	}
	meta := s.calls["list_things_kandev"][0]
	if meta["callId"] != string(start.ToolCallId) || meta["progressToken"] != string(start.ToolCallId) {
		t.Errorf("_meta %v, tool call %s", meta, start.ToolCallId)
	}
	if !strings.Contains(h.wire.String(), `"rawInput":{"n":9007199254740993}`) || !strings.Contains(h.wire.String(), `"rawOutput":{"content":[`) {
		t.Error("the raw input or output is not as it was")
	}
}

func TestCallWithoutArguments(t *testing.T) {
	s, h := startTools(t), startHost(t)
	h.open(s.config("kandev"))
	for _, prompt := range []string{"list_things_kandev", "call list_things", "/call /kandev/list_things_kandev {}", "list_things{}"} {
		h.prompt(prompt)
		if _, statuses, _ := h.toolUpdates(); !slices.Contains(statuses, "completed") {
			t.Errorf("%q: %v", prompt, statuses)
		}
	}
	if s.called("list_things_kandev") != 4 {
		t.Error("not every form was a call")
	}
}

func TestToolErrorFailsTheCall(t *testing.T) {
	s, h := startTools(t), startHost(t)
	h.open(s.config("kandev"))
	h.prompt("fail")
	if _, statuses, last := h.toolUpdates(); statuses[len(statuses)-1] != "failed" || last != "no such thing" {
		t.Errorf("%v %q", statuses, last)
	}
}

func TestWrongArgumentsGiveTheTextBack(t *testing.T) {
	s, h := startTools(t), startHost(t)
	h.open(s.config("kandev"))
	got := h.prompt("make_thing {\"title\": \"é\",\n \"count\": }")
	for _, want := range []string{"line 2, column 11", "Nothing was called", "```\nmake_thing {\"title\": \"é\",\n \"count\": }\n```"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	if got := h.prompt(`make_thing {"a":1} {}`); !strings.Contains(got, "column 9") {
		t.Errorf("two objects: %q", got)
	}
	if s.called("make_thing_kandev") != 0 {
		t.Error("it was called")
	}
}

func TestDestructiveToolAsks(t *testing.T) {
	s, h := startTools(t), startHost(t)
	h.open(s.config("kandev"))
	h.answer = choose("reject_once")
	h.prompt("wipe")
	start, statuses, last := h.toolUpdates()
	if s.called("wipe") != 0 || !slices.Equal(statuses, []string{"pending", "failed"}) || last != "Rejected. Nothing was called." {
		t.Errorf("rejected: %v %q", statuses, last)
	}
	asked := h.asked[0]
	var names []string
	for _, o := range asked.Options {
		names = append(names, string(o.OptionId)+"/"+string(o.Kind)+"/"+o.Name)
	}
	if got := strings.Join(names, ", "); got != "allow_once/allow_once/Allow once, allow_always/allow_always/Allow for this session, reject_once/reject_once/Reject" {
		t.Errorf("options %s", got)
	}
	if asked.ToolCall.ToolCallId != start.ToolCallId || *asked.ToolCall.Title != "wipe" {
		t.Errorf("asked about %+v", asked.ToolCall)
	}

	h.answer = choose("allow_once")
	h.prompt("wipe")
	h.prompt("unhinted")
	h.answer = choose("allow_always")
	h.prompt("wipe")
	h.answer = choose("reject_once")
	h.prompt("wipe") // allowed for the session
	if s.called("wipe") != 3 || s.called("unhinted") != 1 || len(h.asked) != 4 {
		t.Errorf("called %d and %d, asked %d", s.called("wipe"), s.called("unhinted"), len(h.asked))
	}
	h.prompt("make_thing {}") // declared not destructive
	if len(h.asked) != 4 || s.called("make_thing_kandev") != 1 {
		t.Error("a harmless tool asked")
	}
}

func TestChangedDefinitionAsksAgain(t *testing.T) {
	s, h := startTools(t), startHost(t)
	h.open(s.config("kandev"))
	h.answer = choose("allow_always")
	h.prompt("wipe")
	s.add("wipe", "Wipe the disk too.", `{"type":"object"}`, nil, answer("wiped"))
	h.until("the new definition", func() bool { return h.commands()["wipe"].Description == "Wipe the disk too." })
	h.prompt("wipe")
	if len(h.asked) != 2 {
		t.Errorf("asked %d times", len(h.asked))
	}
}

func TestCancelWhileTheServerBlocks(t *testing.T) {
	s, h := startTools(t), startHost(t)
	h.open(s.config("kandev"))
	h.mark()
	stop := h.send("block")
	<-s.blocked
	begun := time.Now()
	if err := h.conn.Cancel(t.Context(), acp.CancelNotification{SessionId: h.session}); err != nil {
		t.Fatal(err)
	}
	if got := <-stop; got != acp.StopReasonCancelled {
		t.Errorf("stop reason %q", got)
	}
	if took := time.Since(begun); took > time.Second {
		t.Errorf("cancelling took %v", took)
	}
	<-s.cancelled
	if _, statuses, last := h.toolUpdates(); statuses[len(statuses)-1] != "failed" || !strings.HasPrefix(last, "Cancelled") {
		t.Errorf("%v %q", statuses, last)
	}
	h.prompt("list_things") // the session goes on
}

// A cancel that is sent right behind its prompt must not overtake it.
func TestCancelRightBehindThePrompt(t *testing.T) {
	s, h := startTools(t), startHost(t)
	h.open(s.config("kandev"))
	defer s.release()
	for i := range 50 {
		frames := `{"jsonrpc":"2.0","id":"p` + strconv.Itoa(i) + `","method":"session/prompt","params":{"sessionId":"` + string(h.session) +
			`","prompt":[{"type":"text","text":"block"}]}}` + "\n" +
			`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"` + string(h.session) + `"}}` + "\n"
		if _, err := h.stdin.Write([]byte(frames)); err != nil {
			t.Fatal(err)
		}
		h.until("the cancelled answer", func() bool { return strings.Count(h.wire.String(), `"stopReason":"cancelled"`) == i+1 })
	}
}

func TestCancelWhileAsking(t *testing.T) {
	s, h := startTools(t), startHost(t)
	h.open(s.config("kandev"))
	stop := h.send("wipe")
	h.until("the question", func() bool { return len(h.asked) == 1 })
	if err := h.conn.Cancel(t.Context(), acp.CancelNotification{SessionId: h.session}); err != nil {
		t.Fatal(err)
	}
	if got := <-stop; got != acp.StopReasonCancelled || s.called("wipe") != 0 {
		t.Errorf("stop reason %q, called %d", got, s.called("wipe"))
	}
}

func TestOnePromptAtATime(t *testing.T) {
	s, h := startTools(t), startHost(t)
	h.open(s.config("kandev"))
	stop := h.send("block")
	<-s.blocked
	_, err := h.conn.Prompt(t.Context(), acp.PromptRequest{SessionId: h.session, Prompt: []acp.ContentBlock{acp.TextBlock("help")}})
	if err == nil || !strings.Contains(err.Error(), "already running") {
		t.Errorf("second prompt: %v", err)
	}
	if err := h.conn.Cancel(t.Context(), acp.CancelNotification{SessionId: h.session}); err != nil {
		t.Fatal(err)
	}
	if got := <-stop; got != acp.StopReasonCancelled {
		t.Errorf("the first prompt ended with %q", got)
	}
}

func TestProgressIsShown(t *testing.T) {
	s, h := startTools(t), startHost(t)
	h.open(s.config("kandev"))
	h.mark()
	stop := h.send("steps")
	<-s.blocked
	h.until("the progress", func() bool {
		for _, u := range h.updates {
			if u.ToolCallUpdate != nil && contentText(u.ToolCallUpdate.Content) == "1 of 3" {
				return true
			}
		}
		return false
	})
	s.cancelled <- struct{}{}
	<-stop
	if _, statuses, last := h.toolUpdates(); statuses[len(statuses)-1] != "completed" || last != "stepped" {
		t.Errorf("%v %q", statuses, last)
	}
}

func TestProgressText(t *testing.T) {
	for _, c := range []struct {
		p    mcp.ProgressNotificationParams
		want string
	}{
		{mcp.ProgressNotificationParams{Message: "half <b>way</b>\x1b[2J"}, `half \<b\>way\</b\>\[2J`},
		{mcp.ProgressNotificationParams{Progress: 1.5, Total: 3}, "1.5 of 3"},
		{mcp.ProgressNotificationParams{Progress: 2}, "Waiting… 20 s"},
	} {
		if got := progressText(&c.p, 20*time.Second+300*time.Millisecond); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestPresent(t *testing.T) {
	for _, c := range []struct{ name, result, want string }{
		{"empty", `{"content":[]}`, "The tool returned nothing."},
		{"text", `{"content":[{"type":"text","text":"a"},{"type":"text","text":"[not json"}]}`, "a[not json"},
		{"json text and its structure", `{"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1}}`, "```json\n{\n  \"a\": 1\n}\n```"},
		{"structure alone", `{"content":[],"structuredContent":{"a":"<"}}`, "```json\n{\n  \"a\": \"<\"\n}\n```"},
		{"too long", `{"content":[{"type":"text","text":"` + strings.Repeat("x", resultLimit+1) + `"}]}`, "A part of the result is left out: it is too long to be shown (4194305 bytes)."},
		{"backticks in JSON", `{"content":[{"type":"text","text":"[\"` + "```" + `\"]"}]}`, "````json\n[\n  \"```\"\n]\n````"},
	} {
		var r mcp.CallToolResult
		if err := json.Unmarshal([]byte(c.result), &r); err != nil {
			t.Fatal(err)
		}
		content, raw := present(&r)
		if got := contentText(content); got != c.want {
			t.Errorf("%s: got %.200q", c.name, got)
		}
		if (raw == nil) != (c.name == "too long") {
			t.Errorf("%s: raw output of %d bytes", c.name, len(raw))
		}
	}
}

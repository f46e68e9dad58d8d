package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"kandev/backend/attach"
	"kandev/backend/tool"
)

const clientMeta = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"tester","version":"9"},"io.modelcontextprotocol/clientCapabilities":{}`

// modernMessage is a request of 2026-07-28; params and meta begin with a comma
// or are empty.
func modernMessage(id, method, params, meta string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":{"_meta":{%s%s}%s}}`, id, method, clientMeta, meta, params)
}

// modernHeaders are those of a proper client of 2026-07-28.
func modernHeaders(method, name string) []string {
	if name == "" {
		name = "-"
	}
	return []string{"Mcp-Session-Id", "-", "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method, "Mcp-Name", name}
}

func (r *rig) modern(method, params string) (int, string) {
	r.t.Helper()
	status, body, header := r.send("POST", modernMessage("1", method, params, ""), modernHeaders(method, "")...)
	if header.Get("Mcp-Session-Id") != "" {
		r.t.Errorf("%s made a session", method)
	}
	return status, body
}

func modernCall(id, name, arguments, meta string) (body string, header []string) {
	return modernMessage(id, "tools/call", fmt.Sprintf(`,"name":%q,"arguments":%s`, name, arguments), meta), modernHeaders("tools/call", name)
}

func (r *rig) modernCall(name, arguments, meta string) (int, string) {
	r.t.Helper()
	body, header := modernCall("1", name, arguments, meta)
	status, answer, _ := r.send("POST", body, header...)
	return status, answer
}

// listen opens a subscriptions/listen stream and yields its lines.
func (r *rig) listen(id, notifications string) (lines <-chan string, end func()) {
	r.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	res, err := r.do(ctx, "POST", modernMessage(id, methodListen, `,"notifications":`+notifications, ""), modernHeaders(methodListen, "")...)
	if err != nil || res.StatusCode != 200 || res.Header.Get("Content-Type") != eventStream {
		cancel()
		r.t.Fatal(err, res)
	}
	out := make(chan string, 1024)
	go readLines(res.Body, out)
	return out, cancel
}

func TestModernRequests(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev")), func(o *Options, _ *limits) { o.Instructions = "Be kind." })
	status, body := r.modern(methodDiscover, "")
	if status != 200 || !containsAll(body, `"supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]`,
		`"capabilities":{"tools":{"listChanged":true}}`, `"instructions":"Be kind."`, `"resultType":"complete"`, `"ttlMs":0`, `"cacheScope":"private"`,
		`"io.modelcontextprotocol/serverInfo":{"name":"kandev","version":"1.2.3"}`) {
		t.Errorf("discover: %d %s", status, body)
	}
	status, body = r.modern("tools/list", "")
	if status != 200 || !json.Valid([]byte(body)) || !containsAll(body, `{"tools":[{"name":"a_kandev"`, `"resultType":"complete","ttlMs":0,"cacheScope":"private"`,
		`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"kandev","version":"1.2.3"}}`) {
		t.Errorf("list: %d %s", status, body)
	}
	status, body = r.modernCall("a_kandev", `{"q":"1"}`, "")
	if status != 200 || !json.Valid([]byte(body)) || !containsAll(body, "handler saw a_kandev", `"resultType":"complete"`, "serverInfo") {
		t.Errorf("call: %d %s", status, body)
	}
	for _, c := range []struct {
		method, params string
		status         int
		contains       string
	}{
		{"tools/list", `,"cursor":"YQ=="`, 400, "-32602"},
		{"no/such", "", 404, "-32601"},
		{"initialize", "", 404, "-32601"},
		{"ping", "", 404, "-32601"},
		{"logging/setLevel", "", 404, "-32601"},
		{"prompts/list", "", 404, "-32601"},
		{"resources/list", "", 404, "-32601"},
		{methodListen, "", 400, "-32602"},
	} {
		if status, body := r.modern(c.method, c.params); status != c.status || !strings.Contains(body, c.contains) || !strings.Contains(body, `"id":1`) {
			t.Errorf("%s: %d %s", c.method, status, body)
		}
	}
	if status, body := r.modernCall("nope", `{}`, ""); status != 400 || !containsAll(body, "-32602", "tool 'nope' not found") {
		t.Errorf("unknown tool: %d %s", status, body)
	}
	if n := r.rec.count(attach.Failed); n != 0 {
		t.Error("painted red")
	}
	if list := r.rec.await(t, attach.ToolsListCounted, 1); list.Order != 1 {
		t.Errorf("%+v", list)
	}
}

// The headers of a request must say what its body says.
func TestModernHeaders(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev")))
	list := modernMessage("1", "tools/list", "", "")
	body, _ := modernCall("1", "a_kandev", `{"q":"1"}`, "")
	odd, _ := modernCall("1", "naïve", `{}`, "")
	without := func(key string) string { return strings.Replace(list, key, "x", 1) }
	head := func(version, method, name string) []string {
		return []string{"Mcp-Protocol-Version", version, "Mcp-Method", method, "Mcp-Name", name, "Mcp-Session-Id", "-"}
	}
	const v = "2026-07-28"
	for _, c := range []struct {
		name, body string
		header     []string
		status     int
		contains   string
	}{
		{"proper", list, head(v, "tools/list", "-"), 200, "a_kandev"},
		{"blanks around", body, head(v, " tools/call ", "  a_kandev  "), 200, "handler saw"},
		{"encoded name", body, head(v, "tools/call", "=?base64?YV9rYW5kZXY=?="), 200, "handler saw"},
		{"encoded odd name", odd, head(v, "tools/call", "=?base64?bmHDr3Zl?="), 400, "-32602"},
		{"raw odd name", odd, head(v, "tools/call", "naïve"), 400, "-32020"},
		{"bad base64", body, head(v, "tools/call", "=?base64?YV9rYW5kZXY?="), 400, "-32020"},
		{"half a sentinel", body, head(v, "tools/call", "=?base64?YV9rYW5kZXY="), 400, "-32020"},
		{"other name", body, head(v, "tools/call", "b_kandev"), 400, "-32020"},
		{"no name", body, head(v, "tools/call", "-"), 400, "-32020"},
		{"no method", list, head(v, "-", "-"), 400, "-32020"},
		{"other method", list, head(v, "tools/call", "-"), 400, "-32020"},
		{"method in capitals", list, head(v, "TOOLS/LIST", "-"), 400, "-32020"},
		{"no version header", list, head("-", "tools/list", "-"), 400, "-32020"},
		{"other version header", list, head("2025-11-25", "tools/list", "-"), 400, "-32020"},
		{"version in the header only", without("io.modelcontextprotocol/protocolVersion"), head(v, "tools/list", "-"), 400, "-32602"},
		{"no capabilities", without("io.modelcontextprotocol/clientCapabilities"), head(v, "tools/list", "-"), 400, "-32602"},
		{"capabilities are a list", strings.Replace(list, `s":{}`, `s":[]`, 1), head(v, "tools/list", "-"), 400, "-32602"},
		{"no client info", without("io.modelcontextprotocol/clientInfo"), head(v, "tools/list", "-"), 200, "a_kandev"},
		{"no _meta", listTools, head(v, "tools/list", "-"), 400, "-32602"},
		{"future version", strings.Replace(list, v, "2027-01-01", 1), head("2027-01-01", "tools/list", "-"), 400, `"requested":"2027-01-01"`},
		{"ancient version", strings.Replace(list, v, "1900-01-01", 1), head("1900-01-01", "tools/list", "-"), 400, `"supported":["2026-07-28"`},
		{"an answer", `{"jsonrpc":"2.0","id":1,"result":{}}`, head(v, "-", "-"), 400, "-32600"},
		{"a request with a result", strings.Replace(list, `"id":1`, `"id":1,"result":{}`, 1), head(v, "tools/list", "-"), 400, "-32600"},
		{"a notification", `{"jsonrpc":"2.0","method":"notifications/x"}`, head(v, "-", "-"), 202, ""},
		{"a session id is ignored", list, append(head(v, "tools/list", "-"), "Mcp-Session-Id", "nobody"), 200, "a_kandev"},
		{"Last-Event-ID is ignored", list, append(head(v, "tools/list", "-"), "Last-Event-ID", "7"), 200, "a_kandev"},
		{"listen without events", modernMessage("1", methodListen, `,"notifications":{}`, ""), append(head(v, methodListen, "-"), "Accept", jsonType), 406, "-32600"},
	} {
		if status, answer, _ := r.send("POST", c.body, c.header...); status != c.status || !strings.Contains(answer, c.contains) {
			t.Errorf("%s: %d %s", c.name, status, answer)
		}
	}
	q, _ := r.do(t.Context(), "DELETE", "", "Mcp-Protocol-Version", v)
	if q.StatusCode != 405 || q.Header.Get("Allow") != "POST" {
		t.Errorf("DELETE: %v", q)
	}
	_ = q.Body.Close()
	if n := r.rec.count(attach.Failed); n != 0 {
		t.Errorf("%d wrong requests painted the server red", n)
	}
}

// A header that comes twice could be read differently by those in between.
func TestModernHeaderTwice(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev")))
	for _, name := range []string{headerVersion, headerMethod} {
		q := modernRequest(r, modernMessage("1", "tools/list", "", ""))
		q.Header.Add(name, q.Header.Get(name))
		res, err := r.http.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if res.StatusCode != 400 || !strings.Contains(string(body), "-32020") {
			t.Errorf("%s twice: %d %s", name, res.StatusCode, body)
		}
	}
}

// Both eras beside each other, and the same bytes of each definition.
func TestBothErasOnOneAddress(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev"), echo("b_kandev")), func(o *Options, _ *limits) { o.Namespaced = true }).init()
	_, old, _ := r.send("POST", listTools)
	_, modern := r.modern("tools/list", "")
	cut := func(s string) string { return s[:strings.LastIndex(s, "]")] }
	if cut(old) != cut(modern) || !strings.Contains(old, `"name":"a"`) {
		t.Errorf("%s\n%s", old, modern)
	}
	if status, body := r.modernCall("a", `{"q":"1"}`, ""); status != 200 || !strings.Contains(body, "handler saw a_kandev") {
		t.Errorf("by alias: %d %s", status, body)
	}
	if body := r.call("b", `{"q":"1"}`); !strings.Contains(body, "handler saw b_kandev") || strings.Contains(body, "resultType") {
		t.Error(body)
	}
}

// Cases 49 and 50: all tools in one answer, a cursor changes nothing, and a
// client that lists over and over gets the same.
func TestModernListNeverPages(t *testing.T) {
	var defs []tool.Definition
	for i := range 150 {
		defs = append(defs, echo(fmt.Sprintf("t%d_kandev", i)))
	}
	r := setup(t, set(t, defs...))
	_, first := r.modern("tools/list", "")
	list := r.rec.await(t, attach.ToolsListObserved, 1)
	if list.Catalog.Total != 150 || strings.Contains(first, "nextCursor") {
		t.Errorf("%d tools", list.Catalog.Total)
	}
	if status, _ := r.modern("tools/list", `,"cursor":"bmV4dA=="`); status != 400 {
		t.Error(status)
	}
	if err := r.e.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := r.rec.count(attach.ToolsListObserved); n != 1 {
		t.Errorf("%d lists recorded", n)
	}
}

// Case 76: a client that proposes the newest version in an older handshake gets
// the newest that has one, and goes on.
func TestInitializeProposesTheNewest(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev")))
	status, body, header := r.send("POST", strings.Replace(initialize, "2025-11-25", "2026-07-28", 1))
	if status != 200 || !strings.Contains(body, `"protocolVersion":"2025-11-25"`) {
		t.Fatal(status, body)
	}
	r.sid = header.Get("Mcp-Session-Id")
	if body := r.call("a_kandev", `{"q":"1"}`); !strings.Contains(body, "handler saw") {
		t.Error(body)
	}
	if hs := r.rec.await(t, attach.HandshakeObserved, 1); hs.Protocol != "2025-11-25" {
		t.Errorf("%+v", hs)
	}
}

// Progress and the answer of a stateless call are on its own response.
func TestModernProgress(t *testing.T) {
	r := setup(t, set(t, with("work_kandev", func(_ context.Context, c tool.Call) (tool.Result, error) {
		c.Progress("half")
		return tool.Text("done"), nil
	})))
	status, body := r.modernCall("work_kandev", "{}", `,"progressToken":"tok"`)
	if status != 200 || !containsAll(body, `"progressToken":"tok","progress":1,"message":"half"`, `"text":"done"`, `"resultType":"complete"`) || strings.Contains(body, "list_changed") {
		t.Error(status, body)
	}
}

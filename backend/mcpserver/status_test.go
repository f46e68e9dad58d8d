package mcpserver

import (
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"kandev/backend/attach"
)

// wrongRequest is one row: what is sent, and what must come back.
type wrongRequest struct {
	name, method, body string
	status             int
	contains           string
	header             []string // pairs, see rig.do
}

// The table of wrong requests in notes/mcp-go.md, with its last column.
// Cases 71 and 75.
func TestStatus(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev"))).init()
	live := r.sid
	for _, c := range slices.Concat(sessionRequests(r), foreignRequests(r), brokenRequests(r), otherRequests(r)) {
		t.Run(c.name, func(t *testing.T) {
			r.t = t
			status, body, header := r.send(c.method, c.body, c.header...)
			if status != c.status || !strings.Contains(body, c.contains) {
				t.Errorf("got %d %.200q, want %d with %q", status, body, c.status, c.contains)
			}
			if status == 405 && header.Get("Allow") == "" {
				t.Error("405 without Allow")
			}
			if header.Get("WWW-Authenticate") != "" || header.Get("Location") != "" {
				t.Errorf("headers %v", header)
			}
		})
	}
	r.t = t
	if r.sid != live || !strings.Contains(r.call("a_kandev", `{"q":"1"}`), "handler saw a_kandev") {
		t.Error("the session did not survive")
	}
	if n := r.rec.count(attach.Failed); n != 0 {
		t.Errorf("%d wrong requests painted the server red", n)
	}
}

// sessionRequests are about sessions and hosts that are ours.
func sessionRequests(r *rig) []wrongRequest {
	port := r.server.port
	return []wrongRequest{
		{"list", "POST", listTools, 200, `"a_kandev"`, nil},
		{"trailing slash", "POST", listTools, 200, `"a_kandev"`, []string{"URL", "/mcp/attempt-1/"}},
		{"localhost", "POST", listTools, 200, `"a_kandev"`, []string{"Host", "localhost:" + port}},
		{"IPv6 host", "POST", listTools, 200, `"a_kandev"`, []string{"Host", "[::1]:" + port}},
		{"no session id", "POST", listTools, 400, "-32600", []string{"Mcp-Session-Id", "-"}},
		{"unknown session", "POST", listTools, 404, "", []string{"Mcp-Session-Id", "nobody"}},
		{"GET without session", "GET", "", 400, "", []string{"Mcp-Session-Id", "-"}},
		{"GET with unknown session", "GET", "", 404, "", []string{"Mcp-Session-Id", "nobody"}},
		{"GET that wants JSON", "GET", "", 405, "", []string{"Accept", "application/json"}},
		{"DELETE without session", "DELETE", "", 400, "", []string{"Mcp-Session-Id", "-"}},
		{"DELETE unknown", "DELETE", "", 404, "", []string{"Mcp-Session-Id", "nobody"}},
	}
}

// foreignRequests come from elsewhere or want something else.
func foreignRequests(r *rig) []wrongRequest {
	port := r.server.port
	return []wrongRequest{
		{"Origin evil", "POST", listTools, 403, "", []string{"Origin", "http://evil.example"}},
		{"Origin null", "POST", listTools, 403, "", []string{"Origin", "null"}},
		{"Origin our own", "POST", listTools, 403, "", []string{"Origin", "http://127.0.0.1:" + port}},
		{"Origin on GET", "GET", "", 403, "", []string{"Origin", "https://evil.example"}},
		{"fetch metadata", "GET", "", 403, "", []string{"Sec-Fetch-Site", "cross-site"}},
		{"Host evil", "POST", listTools, 403, "", []string{"Host", "evil.example"}},
		{"Host evil, our port", "POST", listTools, 403, "", []string{"Host", "evil.example:" + port}},
		{"Host other port", "POST", listTools, 403, "", []string{"Host", "127.0.0.1:1"}},
		{"Host without port", "POST", listTools, 403, "", []string{"Host", "127.0.0.1"}},
		{"Host with a dot", "POST", listTools, 403, "", []string{"Host", "localhost.:" + port}},
		{"no Accept", "POST", listTools, 200, `"a_kandev"`, []string{"Accept", "-"}},
		{"Accept html", "POST", listTools, 406, "", []string{"Accept", "text/html"}},
		{"Accept events only", "POST", listTools, 200, "data: {", []string{"Accept", "text/event-stream"}},
		{"text/plain", "POST", listTools, 415, "", []string{"Content-Type", "text/plain"}},
		{"no content type", "POST", listTools, 415, "", []string{"Content-Type", "-"}},
		{"charset", "POST", listTools, 200, `"a_kandev"`, []string{"Content-Type", "application/json; charset=utf-8"}},
	}
}

// brokenRequests are no proper messages.
func brokenRequests(r *rig) []wrongRequest {
	return []wrongRequest{
		{"malformed", "POST", `{"jsonrpc":`, 400, "-32700", nil},
		{"empty", "POST", ``, 400, "-32700", nil},
		{"trailing garbage", "POST", listTools + "x", 400, "-32700", nil},
		{"invalid UTF-8", "POST", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", 400, "-32700", nil},
		{"batch", "POST", "[" + listTools + "]", 400, "-32600", nil},
		{"batch of 2025-03-26", "POST", "[" + listTools + "]", 400, "-32600", []string{"Mcp-Protocol-Version", "2025-03-26"}},
		{"no jsonrpc", "POST", `{"id":1,"method":"ping"}`, 400, "-32600", nil},
		{"id is an object", "POST", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, 400, "-32600", nil},
		{"bad version", "POST", listTools, 400, "", []string{"Mcp-Protocol-Version", "1999-01-01"}},
		{"bad version word", "POST", listTools, 400, "", []string{"Mcp-Protocol-Version", "latest"}},
		{"bad version on GET", "GET", "", 400, "", []string{"Mcp-Protocol-Version", "1999-01-01"}},
		{"older version", "POST", listTools, 200, `"a_kandev"`, []string{"Mcp-Protocol-Version", "2024-11-05"}},
		{"id null with a method", "POST", `{"jsonrpc":"2.0","id":null,"method":"tools/list"}`, 202, "", nil},
		{"big id", "POST", `{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/list"}`, 200, "9007199254740993", nil},
		{"PUT", "PUT", listTools, 405, "", nil},
		{"OPTIONS", "OPTIONS", "", 405, "", nil},
		{"HEAD", "HEAD", "", 405, "", nil},
		{"10 MiB", "POST", `{"jsonrpc":"2.0","id":1,"method":"ping","x":"` + strings.Repeat("a", 10<<20) + `"}`, 413, "", nil},
		{"just 4 MiB", "POST", `{"jsonrpc":"2.0","id":1,"method":"ping","x":"` + strings.Repeat("a", 4<<20-48) + `"}`, 200, "result", nil},
		{"too deep", "POST", `{"jsonrpc":"2.0","id":1,"method":"ping","x":` + strings.Repeat("[", 10001) + strings.Repeat("]", 10001) + `}`, 400, "-32700", nil},
	}
}

// otherRequests use another address, bearer, era or page.
func otherRequests(r *rig) []wrongRequest {
	port := r.server.port
	modern := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	return []wrongRequest{
		{"unknown attempt", "POST", listTools, 404, "", []string{"URL", "/mcp/attempt-2"}},
		{"other path", "POST", listTools, 404, "", []string{"URL", "/mcp"}},
		{"root", "GET", "", 404, "", []string{"URL", "/"}},
		{"well-known", "GET", "", 404, "", []string{"URL", "/.well-known/oauth-protected-resource/mcp/attempt-1"}},
		{"no redirect", "POST", listTools, 404, "", []string{"URL", "http://127.0.0.1:" + port + "/mcp//attempt-1"}},
		{"no bearer", "POST", listTools, 401, "", []string{"Authorization", "-"}},
		{"wrong bearer", "POST", listTools, 401, "", []string{"Authorization", "Bearer " + strings.Repeat("A", 43)}},
		{"empty bearer", "POST", listTools, 401, "", []string{"Authorization", "Bearer "}},
		{"basic", "POST", listTools, 401, "", []string{"Authorization", "Basic " + r.e.Bearer()}},
		{"no bearer on GET", "GET", "", 401, "", []string{"Authorization", "-"}},
		{"bearer in path, not offered", "POST", listTools, 404, "", []string{"URL", "/mcp/attempt-1/" + r.e.Bearer(), "Authorization", "-"}},
		{"modern", "POST", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + modern + `}}`, 200, `"ttlMs":0`, []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list"}},
		{"modern without header", "POST", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + modern + `}}`, 400, "-32020", nil},
		{"modern discover", "POST", `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + modern + `}}`, 200, `"supportedVersions":["2026-07-28","2025-11-25"`, []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "server/discover", "Mcp-Session-Id", "-"}},
		{"bare discover", "POST", `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`, 400, `"supported":["2026-07-28","2025-11-25"`, []string{"Mcp-Session-Id", "-"}},
		{"modern GET", "GET", "", 405, "", []string{"Mcp-Protocol-Version", "2026-07-28"}},
		{"unknown tool", "POST", callMessage("1", "nope", "{}", ""), 200, "tool 'nope' not found", nil},
		{"unknown method", "POST", `{"jsonrpc":"2.0","id":1,"method":"no/such"}`, 200, "-32601", nil},
		{"cursor", "POST", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"YQ=="}}`, 200, "-32602", nil},
		{"cursor of another type", "POST", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":5}}`, 200, "-32602", nil},
		{"null cursor", "POST", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":null}}`, 200, `"a_kandev"`, nil},
		{"method and result", "POST", `{"jsonrpc":"2.0","id":5,"method":"x","result":{}}`, 202, "", nil},
		{"initialize without id", "POST", `{"jsonrpc":"2.0","method":"initialize"}`, 202, "", nil},
		{"answer to nothing", "POST", `{"jsonrpc":"2.0","id":5,"result":{}}`, 202, "", nil},
	}
}

func TestTerminatedSession(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev"))).init()
	if status, _, _ := r.send("DELETE", ""); status != 200 {
		t.Fatal(status)
	}
	for _, m := range []string{"POST", "GET", "DELETE"} {
		if status, _, _ := r.send(m, listTools); status != 404 {
			t.Errorf("%s on an ended session: %d", m, status)
		}
	}
}

func TestBearerInPath(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev")), func(o *Options, _ *limits) { o.BearerInPath = true }).init()
	for path, want := range map[string]int{
		"/mcp/attempt-1/" + r.e.Bearer():       200,
		"/mcp/attempt-1/" + r.e.Bearer() + "/": 200,
		"/mcp/attempt-1/" + r.e.Bearer() + "x": 404,
		"/mcp/attempt-1":                       401,
	} {
		if status, _, _ := r.send("POST", listTools, "URL", path, "Authorization", "-"); status != want {
			t.Errorf("%d, want %d", status, want)
		}
	}
}

// A foreign endpoint's bearer, session and superseded address give nothing.
func TestAttribution(t *testing.T) {
	a := setup(t, set(t, echo("a_kandev"))).init()
	other := newRecorder()
	b, err := a.server.Open(Options{Attempt: "attempt-2", Tools: set(t, echo("b_kandev")), Record: other.record})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.server.Open(Options{Attempt: "attempt-2"}); err == nil {
		t.Error("one attempt was opened twice")
	}
	if status, _, _ := a.send("POST", listTools, "URL", b.URL()); status != 401 {
		t.Errorf("a's bearer on b's address: %d", status)
	}
	bearer := "Bearer " + b.Bearer()
	if status, _, _ := a.send("POST", listTools, "URL", b.URL(), "Authorization", bearer); status != 404 {
		t.Errorf("a's session on b's address: %d", status)
	}
	if len(other.kinds()) != 0 {
		t.Errorf("b recorded %v", other.kinds())
	}
	url := b.URL()
	if err := b.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if status, _, _ := a.send("POST", initialize, "URL", url, "Authorization", bearer); status != 404 {
		t.Errorf("a superseded address: %d", status)
	}
	if b.Bearer() != "" {
		t.Error("the bearer was not forgotten")
	}
}

// Case 75.
func TestOtherUsersSocket(t *testing.T) {
	var asked atomic.Int32
	var known atomic.Bool
	known.Store(true)
	r := setup(t, set(t, echo("a_kandev")), func(_ *Options, l *limits) {
		l.owner = func(_, _ netip.AddrPort) (int, bool) {
			asked.Add(1)
			return os.Getuid() + 1, known.Load()
		}
	})
	for range 2 {
		if status, _, _ := r.send("POST", initialize); status != http.StatusForbidden {
			t.Errorf("status %d", status)
		}
	}
	if asked.Load() != 1 {
		t.Errorf("asked %d times on one connection", asked.Load())
	}
	r.http.CloseIdleConnections()
	known.Store(false)
	r.init()
}

// Case 69: a GET without Accept takes everything, so it gets the stream.
func TestStreamWithoutAccept(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev"))).init()
	res, err := r.do(t.Context(), "GET", "", "Accept", "-")
	if err != nil || res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatal(err, res)
	}
	_ = res.Body.Close()
}

package mcpserver

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"kandev/backend/attach"
)

func modernRequest(r *rig, body string) *http.Request {
	q, err := http.NewRequestWithContext(r.t.Context(), "POST", r.e.URL(), strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	q.Header = http.Header{
		"Content-Type": {jsonType}, "Accept": {jsonType + ", " + eventStream}, "Authorization": {"Bearer " + r.e.Bearer()},
		headerVersion: {"2026-07-28"}, headerMethod: {"tools/list"},
	}
	return q
}

// A handshake is the first request that was served; a connection is one stream.
func TestModernConnection(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev")))
	r.modern("no/such", "") // not served
	r.modern(methodDiscover, "")
	r.modern("tools/list", "")
	first := r.rec.await(t, attach.HandshakeObserved, 1)
	if first.Connection != "" || first.Client != "tester 9" || first.Protocol != "2026-07-28" {
		t.Errorf("%+v", first)
	}
	one, endOne := r.listen(`"x"`, `{"toolsListChanged":true}`)
	receive(t, one, "acknowledged")
	two, endTwo := r.listen("2", `{}`)
	receive(t, two, "acknowledged")
	a, b := r.rec.await(t, attach.HandshakeObserved, 2), r.rec.await(t, attach.HandshakeObserved, 3)
	if a.Connection == "" || b.Connection == "" || a.Connection == b.Connection {
		t.Errorf("%+v %+v", a, b)
	}
	endOne()
	if closed := r.rec.await(t, attach.ConnectionClosed, 1); closed.Connection != a.Connection {
		t.Errorf("%+v", closed)
	}
	r.modernCall("a_kandev", `{"q":"1"}`, "")
	if n := r.rec.count(attach.HandshakeObserved); n != 3 {
		t.Errorf("%d handshakes while a stream is open", n)
	}
	endTwo()
	r.rec.await(t, attach.ConnectionClosed, 2)
	// The client is still there: its next request says so.
	r.modernCall("a_kandev", `{"q":"1"}`, "")
	if again := r.rec.await(t, attach.HandshakeObserved, 4); again.Connection != "" {
		t.Errorf("%+v", again)
	}
	history, _ := attach.Reduce(attach.History{}, attach.Evidence{Kind: attach.Started, Attempt: "attempt-1"})
	all, _ := r.rec.snapshot()
	for _, e := range all {
		history, _ = attach.Reduce(history, e)
	}
	if status := history.Current().Servers[0].Status; status != attach.StatusConnected {
		t.Errorf("status %s after %v", status, kinds(all))
	}
}

// A client of each era: when the session ends, the other is still there.
func TestModernClientOutlivesASession(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev")))
	r.modern("tools/list", "")
	r.init()
	r.send("DELETE", "")
	r.rec.await(t, attach.ConnectionClosed, 1)
	r.modernCall("a_kandev", `{"q":"1"}`, "")
	if again := r.rec.await(t, attach.HandshakeObserved, 3); again.Connection != "" || again.Protocol != "2026-07-28" {
		t.Errorf("%+v", again)
	}
}

func TestModernListChanged(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev")), func(_ *Options, l *limits) { l.cooldown = time.Hour })
	lines, end := r.listen(`"sub"`, `{"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["file:///x"]}`)
	defer end()
	ack := receive(t, lines, "data:")
	if !containsAll(ack, `"method":"notifications/subscriptions/acknowledged"`, `"io.modelcontextprotocol/subscriptionId":"sub"`, `"notifications":{"toolsListChanged":true}`) {
		t.Error(ack)
	}
	deaf, endDeaf := r.listen("7", `{"promptsListChanged":true}`)
	defer endDeaf()
	if ack := receive(t, deaf, "data:"); !containsAll(ack, `"notifications":{}`, `subscriptionId":7`) {
		t.Error(ack)
	}
	for i := range 50 {
		r.e.SetTools(set(t, echo("a_kandev"), echo(fmt.Sprintf("b%d_kandev", i))))
	}
	if told := receive(t, lines, "list_changed"); !containsAll(told, `"params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"sub"}}`) {
		t.Error(told)
	}
	if err := r.e.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if last := receive(t, lines, `"id":"sub"`); !containsAll(last, `"result":{"resultType":"complete"`, `subscriptionId":"sub"`) {
		t.Error(last)
	}
	for line := range deaf {
		if strings.Contains(line, "list_changed") {
			t.Error("told what it did not ask for")
		}
	}
	if r.rec.count(attach.ConnectionClosed) != 2 || r.rec.kinds()[len(r.rec.kinds())-1] != attach.ConnectionClosed {
		t.Errorf("%v", r.rec.kinds())
	}
}

// Nothing is lost with a stream: the next one catches up, and one that is
// opened while all is as it was listed hears nothing.
func TestModernListChangedSurvivesALostStream(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev")))
	r.modern("tools/list", "")
	quiet, end := r.listen("1", `{"toolsListChanged":true}`)
	receive(t, quiet, "acknowledged")
	end()
	for line := range quiet {
		if strings.Contains(line, "list_changed") {
			t.Error("told of nothing")
		}
	}
	r.rec.await(t, attach.ConnectionClosed, 1)
	r.e.SetTools(set(t, echo("a_kandev"), echo("b_kandev")))
	lines, end := r.listen("2", `{"toolsListChanged":true}`)
	defer end()
	receive(t, lines, "list_changed")
}

func TestListensAreBounded(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev")))
	first, end := r.listen("0", `{"toolsListChanged":true}`)
	defer end()
	for i := range maxListens {
		lines, end := r.listen(fmt.Sprint(i+1), `{"toolsListChanged":true}`)
		defer end()
		receive(t, lines, "acknowledged")
	}
	receive(t, first, `"id":0,"result"`)
	for range first { // ends with the stream
	}
	r.rec.await(t, attach.ConnectionClosed, 1)
}

// A client without a stream is closed by the end only.
func TestModernClientWithoutStream(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev")))
	r.modern("tools/list", "")
	r.rec.await(t, attach.ToolsListCounted, 1)
	if err := r.e.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := r.rec.count(attach.ConnectionClosed); n != 1 {
		t.Errorf("%v", r.rec.kinds())
	}
}

// Close waits for no client that does not read.
func TestCloseWithADeafListener(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev")), func(_ *Options, l *limits) { l.farewell = 20 * time.Millisecond })
	res, err := r.do(t.Context(), "POST", modernMessage("1", methodListen, `,"notifications":{"toolsListChanged":true}`, ""), modernHeaders(methodListen, "")...)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	began := time.Now()
	if err := r.server.Close(t.Context()); err != nil || time.Since(began) > patience {
		t.Error(err, time.Since(began))
	}
}

package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kandev/backend/attach"
	"kandev/backend/tool"
)

// loadAttempt is one endpoint under load and what it recorded.
type loadAttempt struct {
	name string
	rig  *rig
	used atomic.Int64 // calls that Used was told
}

// loader is one client: what it does, it does over and over.
type loader struct {
	t      *testing.T
	at     *loadAttempt
	n      int
	rig    rig // its own session id
	modern bool
	rounds int
	asked  int // calls sent
	ended  int // answered, or taken back by us
}

// TestLoad: 20 clients of both eras and two attempts list, call, cancel and
// disconnect while the tools change (make load: for a minute, with -race). No
// answer is lost or another's, no evidence is another attempt's, nothing stays.
func TestLoad(t *testing.T) {
	length, err := time.ParseDuration(os.Getenv("KANDEV_LOAD"))
	if err != nil {
		length = 5 * time.Second
	}
	if testing.Short() {
		length = min(length, time.Second)
	}
	server, err := Listen(ListenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	attempts := []*loadAttempt{openLoad(t, server, "one"), openLoad(t, server, "two")}
	ctx, cancel := context.WithTimeout(t.Context(), length)
	defer cancel()
	var swaps sync.WaitGroup
	for _, a := range attempts {
		swaps.Go(func() { a.swap(ctx) })
	}
	var wg sync.WaitGroup
	loaders := make([]*loader, 20)
	for n := range loaders {
		a := attempts[n%2]
		l := &loader{t: t, at: a, n: n, rig: *a.rig, modern: n%4 >= 2}
		loaders[n] = l
		wg.Go(func() {
			for ctx.Err() == nil && !t.Failed() {
				l.round()
			}
		})
	}
	wg.Wait()
	swaps.Wait()
	asked, ended, rounds := 0, 0, 0
	for _, l := range loaders {
		asked, ended, rounds = asked+l.asked, ended+l.ended, rounds+l.rounds
		if l.rounds == 0 {
			t.Errorf("client %d did nothing", l.n)
		}
	}
	if asked != ended {
		t.Errorf("%d calls, %d ended", asked, ended)
	}
	closing, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	if err := server.Close(closing); err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, a := range attempts {
		a.rig.http.CloseIdleConnections()
		a.check(t)
		told += int(a.used.Load())
	}
	if told != asked {
		t.Errorf("%d calls, Used was told %d", asked, told)
	}
	if stacks := ours(); stacks != "" {
		t.Errorf("left:\n%s", stacks)
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d clients, %d rounds, %d calls in %s; %d kB of heap stay", len(loaders), rounds, asked, length, m.HeapAlloc>>10)
	if m.HeapAlloc > 64<<20 {
		t.Errorf("%d bytes of heap stay", m.HeapAlloc)
	}
}

func openLoad(t *testing.T, s *Server, name string) *loadAttempt {
	a := &loadAttempt{name: name}
	rec := newRecorder()
	e, err := s.Open(Options{
		Attempt: name, Version: "1", Tools: a.tools(t, 0), Record: rec.record,
		Used:     func(string, bool, bool, time.Time) { a.used.Add(1) },
		Estimate: func(b []byte) (int, error) { return len(b) / 4, nil }, Count: func(s string) int { return len(s) / 4 },
	})
	if err != nil {
		t.Fatal(err)
	}
	a.rig = &rig{t: t, server: s, e: e, rec: rec, http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	return a
}

// tools are those of an attempt in its n-th state: mine and wait always, and
// one that names attempt and state.
func (a *loadAttempt) tools(t *testing.T, n int) *tool.Set {
	mine := with("mine_kandev", func(_ context.Context, c tool.Call) (tool.Result, error) {
		c.Progress("at " + a.name)
		return tool.Text(a.name + " " + string(c.Arguments)), nil
	})
	mine.InputSchema = json.RawMessage(`{"type":"object","properties":{"q":{"type":"string"}},"required":["q"],"additionalProperties":false}`)
	wait := with("wait_kandev", func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		<-ctx.Done()
		return tool.Result{}, ctx.Err()
	})
	wait.Waits = true
	return set(t, mine, wait, echo(fmt.Sprintf("state_%s_%d_kandev", a.name, n)))
}

func (a *loadAttempt) swap(ctx context.Context) {
	tick := time.NewTicker(7 * time.Millisecond)
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			a.rig.e.SetTools(a.tools(a.rig.t, n%5))
		}
	}
}

// check reads an attempt's evidence: all its own, in order, and nothing open.
func (a *loadAttempt) check(t *testing.T) {
	all, _ := a.rig.rec.snapshot()
	open := map[string]bool{}
	var order uint64
	for _, e := range all {
		follow(open, e)
		switch e.Kind {
		case attach.ToolsListObserved:
			if e.Order <= order {
				t.Errorf("%s: list %d after %d", a.name, e.Order, order)
			}
			order = e.Order
			for _, entry := range e.Catalog.Entries {
				if strings.HasPrefix(entry.Served, "state_") && !strings.HasPrefix(entry.Served, "state_"+a.name) {
					t.Errorf("%s: another attempt's tool %s", a.name, entry.Served)
				}
			}
		case attach.Failed:
			t.Errorf("%s: painted red: %s", a.name, e.Reason)
		}
		if e.Attempt != a.name {
			t.Errorf("%s: evidence of %s", a.name, e.Attempt)
		}
	}
	delete(open, "") // a client without a stream, and then one with it
	if len(open) > 0 || order == 0 {
		t.Errorf("%s: %d connections stay open, %d lists", a.name, len(open), order)
	}
}

// round is one life of a client: connect, work, leave in one of three ways.
func (l *loader) round() {
	l.rounds++
	life, leave := context.WithCancel(context.Background())
	defer leave()
	l.rig.sid = ""
	if !l.modern {
		l.rig.init()
	}
	var stream *http.Response
	if l.rounds%3 != 0 {
		stream = l.openStream(life)
	}
	for i := range 4 {
		l.list()
		l.callTwo(i)
	}
	l.cancelOne()
	if stream != nil && l.rounds%2 == 0 {
		_ = stream.Body.Close() // the stream only; the rest goes on
		l.list()
	}
	if !l.modern && l.rounds%2 == 0 {
		if status, _, _ := l.rig.send("DELETE", ""); status != 200 {
			l.t.Errorf("DELETE %d", status)
		}
	} // else gone without a word
	leave()
	if stream != nil {
		_ = stream.Body.Close()
	}
}

func (l *loader) openStream(ctx context.Context) *http.Response {
	method, body, header := "GET", "", []string(nil)
	if l.modern {
		method, body = "POST", modernMessage(`"s"`, methodListen, `,"notifications":{"toolsListChanged":true}`, "")
		header = modernHeaders(methodListen, "")
	}
	res, err := l.rig.do(ctx, method, body, header...)
	if err != nil || res.StatusCode != 200 {
		l.t.Errorf("stream: %v %v", err, res)
		return nil
	}
	go func() { _, _ = io.Copy(io.Discard, res.Body) }()
	return res
}

func (l *loader) list() {
	var status int
	var body string
	if l.modern {
		status, body = l.rig.modern("tools/list", "")
	} else {
		status, body, _ = l.rig.send("POST", listTools)
	}
	if status != 200 || strings.Count(body, "state_"+l.at.name+"_") != 1 || !json.Valid([]byte(body)) {
		l.t.Errorf("list of %s: %d %s", l.at.name, status, body)
	}
}

// message is a call with its headers, in the era of the client.
func (l *loader) message(id, name, arguments, token string) (string, []string) {
	if l.modern {
		return modernCall(id, name, arguments, `,"progressToken":`+token)
	}
	return callMessage(id, name, arguments, `{"progressToken":`+token+`}`), nil
}

// callTwo calls twice at a time: each gets its own progress and answer.
func (l *loader) callTwo(i int) {
	var wg sync.WaitGroup
	for k := range 2 {
		l.asked++
		wg.Go(func() {
			mark := fmt.Sprintf("%d-%d-%d-%d", l.n, l.rounds, i, k)
			body, header := l.message(fmt.Sprint(10+k), "mine_kandev", `{"q":"`+mark+`"}`, `"`+mark+`"`)
			status, answer, _ := l.rig.send("POST", body, header...)
			if status != 200 || strings.Count(answer, mark) != 2 || !containsAll(answer, `"progressToken":"`+mark+`"`, l.at.name+` {\"q\":\"`+mark+`\"}`, fmt.Sprintf(`"id":%d`, 10+k)) {
				l.t.Errorf("call %s at %s: %d %s", mark, l.at.name, status, answer)
			}
		})
	}
	wg.Wait()
	l.ended += 2
}

// cancelOne takes a waiting call back: with a message, or by hanging up.
func (l *loader) cancelOne() {
	ctx, hangUp := context.WithTimeout(context.Background(), patience)
	defer hangUp()
	l.asked++
	body, header := l.message("77", "wait_kandev", "{}", `"w"`)
	res, err := l.rig.do(ctx, "POST", body, header...)
	if err != nil || res.StatusCode != 200 {
		l.t.Errorf("waiting call: %v %v", err, res)
		return
	}
	defer res.Body.Close()
	l.ended++
	if l.modern || l.rounds%2 == 0 {
		hangUp()
		return
	}
	l.rig.send("POST", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}`)
	answer, err := io.ReadAll(res.Body)
	if err != nil || !containsAll(string(answer), `"id":77`, "-32603") {
		l.t.Errorf("cancelled call: %v %s", err, answer)
	}
}

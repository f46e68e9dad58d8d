package bridge

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"kandev/backend/tool"
)

// The agent sees the bytes that the endpoint wrote, and noted in its catalog.
func TestListIsTheEndpointsBytes(t *testing.T) {
	f := newFront(t)
	e := f.serve(named("a_kandev"), named("b_kandev"))
	p := start(t, f.url()).connect()
	got := p.ask(listTools)
	q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, e.URL(), strings.NewReader(listTools))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Content-Type", jsonType)
	q.Header.Set("Accept", jsonType)
	q.Header.Set("Authorization", "Bearer "+e.Bearer())
	q.Header.Set("Mcp-Session-Id", *f.sid.Load())
	res, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if want := strings.TrimSuffix(string(body), "\n"); err != nil || got != want || !strings.Contains(got, "<b>") {
		t.Errorf("got %s\nwant %s (%v)", got, want, err)
	}
	p.finish()
	take(t, f.deleted)
	if n := f.wrong.Load(); n != 0 {
		t.Errorf("%d requests without the bearer", n)
	}
}

func TestCallsRunSideBySide(t *testing.T) {
	f := newFront(t)
	slow, running, ended := blocking("slow_kandev")
	f.serve(slow, named("quick_kandev"), with("work_kandev", func(_ context.Context, c tool.Call) (tool.Result, error) {
		c.Progress("half")
		return tool.Text("done"), nil
	}))
	p := start(t, f.url()).connect()
	p.send(callOf(`"L"`, "slow_kandev", ""))
	take(t, running)
	p.ask(callOf("2", "quick_kandev", ""), `"id":2`, "from quick_kandev")
	p.ask(callOf("3", "work_kandev", `"progressToken":"tok"`), "notifications/progress", `"progressToken":"tok"`, "half")
	p.next(`"id":3`, "done")
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"\u004c"}}`)
	take(t, ended)
	p.next(`"id":"L"`, "cancelled")
	p.finish()
}

// A cancel that comes at once must not overtake its call and be lost.
func TestCancelFindsItsCall(t *testing.T) {
	f := newFront(t)
	slow, _, _ := blocking("slow_kandev")
	e := f.serve(slow)
	p := start(t, f.url(), func(l *limits) { l.cancel = 50 * time.Millisecond }).connect()
	for range 50 {
		p.send(callOf("7", "slow_kandev", ""), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	}
	until(t, "no call runs", func() bool { return e.Calls() == 0 })
	p.send(`{"jsonrpc":"2.0","id":"end","method":"ping"}`)
	for !strings.Contains(p.next(`"id":`), `"end"`) {
		continue
	}
	_ = p.in.Close()
	if err := take(t, p.done); err != nil {
		t.Error(err)
	}
}

func TestListChangedComesThrough(t *testing.T) {
	f := newFront(t)
	e := f.serve(named("a_kandev"))
	p := start(t, f.url()).connect()
	p.ask(listTools, "a_kandev")
	until(t, "the stream is open", func() bool { return f.open.Load() == 1 })
	e.SetTools(set(t, named("b_kandev")))
	p.next(methodListChanged)
	p.ask(listTools, "b_kandev")
	p.finish()
}

// A lost stream is opened again, and what it missed comes after all.
func TestLostStreamIsReopened(t *testing.T) {
	f := newFront(t)
	e := f.serve(named("a_kandev"))
	p := start(t, f.url()).connect()
	p.ask(listTools, "a_kandev")
	until(t, "the stream is open", func() bool { return f.open.Load() == 1 })
	f.down()
	until(t, "the stream is closed", func() bool { return f.open.Load() == 0 })
	e.SetTools(set(t, named("b_kandev")))
	f.up()
	p.next(methodListChanged)
	p.finish(listChanged) // the endpoint's own may come too
}

// The endpoint forgot the session: the client notices a list_changed, no more.
func TestForgottenSessionIsMadeAnew(t *testing.T) {
	f := newFront(t)
	e := f.serve(named("a_kandev"))
	p := start(t, f.url(), func(l *limits) { l.retry = time.Hour }).connect()
	p.ask(listTools, "a_kandev")
	forget(t, e.URL(), e.Bearer(), *f.sid.Load())
	p.send(listTools, callOf("2", "a_kandev", ""), callOf("3", "a_kandev", ""))
	p.next(methodListChanged)
	seen := p.next() + p.next() + p.next()
	for _, id := range []string{`"id":1`, `"id":2`, `"id":3`} {
		if !strings.Contains(seen, id) {
			t.Errorf("no answer with %s in %s", id, seen)
		}
	}
	until(t, "the stream is open again", func() bool { return f.open.Load() == 1 })
	p.finish()
}

// Another endpoint took the place while the client was idle: its stream finds
// that out by itself.
func TestIdleClientHearsOfARestart(t *testing.T) {
	f := newFront(t)
	f.serve(named("a_kandev"))
	p := start(t, f.url()).connect()
	p.ask(listTools, "a_kandev")
	until(t, "the stream is open", func() bool { return f.open.Load() == 1 })
	f.down()
	f.serve(named("b_kandev"))
	f.up()
	p.next(methodListChanged)
	p.ask(listTools, "b_kandev")
	p.finish()
}

func forget(t *testing.T, url, bearer, sid string) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+bearer)
	q.Header.Set("Mcp-Session-Id", sid)
	res, err := http.DefaultClient.Do(q)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatal(err, res)
	}
	_ = res.Body.Close()
}

// Gone in the middle of a call, gone at the next, superseded, and back again.
func TestEndpointGone(t *testing.T) {
	f := newFront(t)
	slow, running, _ := blocking("slow_kandev")
	f.serve(slow)
	p := start(t, f.url(), func(l *limits) { l.retry = time.Hour }).connect()
	p.send(callOf(`"x"`, "slow_kandev", ""))
	take(t, running)
	f.down()
	p.next(`"id":"x"`, `"code":-32000`, "ended before the answer")
	p.ask(callOf("2", "slow_kandev", ""), `"id":2`, `"code":-32000`, "cannot be reached")
	p.ask(initialize, `"id":0`, `"code":-32000`, "cannot be reached")

	f.up()
	p.connect()
	gone := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "not found", http.StatusNotFound) })
	f.other.Store(&gone)
	for range 3 {
		p.ask(listTools, `"id":1`, `"code":-32000`, "cannot be reached")
	}
	f.serve(named("b_kandev"))
	f.other.Store(nil)
	p.send(listTools)
	p.next(methodListChanged)
	p.next(`"id":1`, "b_kandev")
	p.finish()
}

func TestRefusalsOfTheEndpoint(t *testing.T) {
	f := newFront(t)
	f.serve(named("a_kandev"))
	for _, c := range []struct {
		name string
		h    http.HandlerFunc
		want string
	}{
		{"bearer", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) }, "KANDEV_MCP_TOKEN"},
		{"redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusTemporaryRedirect)
		}, "HTTP 307"},
		{"an error without an id", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", jsonType)
			w.WriteHeader(413)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"too large"}}`)
		}, `"error":{"code":-32600,"message":"too large"}`},
		{"no answer", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(200) }, "ended before the answer"},
		{"no JSON", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", jsonType)
			_, _ = io.WriteString(w, `<html>`)
		}, "could not be read"},
		{"another's answer", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
			_, _ = io.WriteString(w, ": hello\n\n")
		}, "ended before the answer"},
		{"a panic", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "ended before the answer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f.other.Store(nil)
			p := start(t, f.url(), func(l *limits) { l.retry = time.Hour }).connect()
			f.other.Store(&c.h)
			p.ask(listTools, `"id":1`, c.want)
			p.finish()
		})
	}
}

func TestLinesThatAreNoMessage(t *testing.T) {
	f := newFront(t)
	f.serve(named("a_kandev"))
	p := start(t, f.url(), func(l *limits) { l.line = 512 << 10 })
	p.send("\xef\xbb\xbf" + initialize + "\r")
	p.next(`"id":0`, "result")
	p.send(initialized, "", "  \r")
	p.ask("not json", `"id":null`, "-32700")
	p.ask(`{"jsonrpc":"2.0","id":1`, `"id":null`, "-32700")
	p.ask(`[`+listTools+`]`, `"id":null`, "-32600", "Batches")
	p.ask(`{"jsonrpc":"2.0","id":{},"method":"ping"}`, `"id":null`, "-32600")
	p.ask(strings.Repeat("x", 600<<10), `"id":null`, "-32600", "larger than")
	p.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a_kandev","arguments":{"pad":"`+strings.Repeat("x", 400<<10)+`"}}}`, `"id":2`, "from a_kandev")
	p.ask(listTools, `"id":1`, "a_kandev")
	p.finish()
}

// What is larger than the endpoint takes is refused there, without the
// request's id; the client gets it with one. What it takes comes back whole.
func TestLargeMessages(t *testing.T) {
	f := newFront(t)
	f.serve(named("a_kandev"))
	p := start(t, f.url()).connect()
	large := `{"jsonrpc":"2.0","id":2,"method":"x","result":"` + strings.Repeat("x", 5<<20) + `"}`
	p.ask(large, `"id":2`, "too large")
	echo := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", eventStream)
		_, _ = io.WriteString(w, "data: ")
		body, _ := io.ReadAll(r.Body)
		_, _ = w.Write(bytes.Replace(body, []byte(`"method":"x",`), nil, 1))
		_, _ = io.WriteString(w, "\n\n")
	})
	f.other.Store(&echo)
	if got := p.ask(large); got != strings.Replace(large, `"method":"x",`, "", 1) {
		t.Errorf("got %.100s… of %d bytes", got, len(got))
	}
	p.finish()
}

func TestLastLineNeedsNoEnd(t *testing.T) {
	f := newFront(t)
	f.serve(named("a_kandev"))
	p := start(t, f.url()).connect()
	if _, err := io.WriteString(p.in, listTools); err != nil {
		t.Fatal(err)
	}
	_ = p.in.Close()
	p.next(`"id":1`, "a_kandev")
	p.finish()
}

// The input ends while calls and the endpoint hang: two seconds are enough.
func TestEndOfInput(t *testing.T) {
	f := newFront(t)
	slow, running, ended := blocking("slow_kandev")
	f.serve(slow)
	p := start(t, f.url()).connect()
	p.send(callOf("1", "slow_kandev", ""))
	take(t, running)
	began := time.Now()
	p.finish()
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("took %v", took)
	}
	take(t, ended)
	take(t, f.deleted)

	hang := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	f.other.Store(&hang)
	p = start(t, f.url())
	p.send(initialize, listTools)
	began = time.Now()
	p.finish()
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestEndOfContext(t *testing.T) {
	f := newFront(t)
	slow, running, ended := blocking("slow_kandev")
	f.serve(slow)
	p := start(t, f.url()).connect()
	p.send(callOf("1", "slow_kandev", ""))
	take(t, running)
	p.stop()
	if err := take(t, p.done); err != nil {
		t.Error(err)
	}
	take(t, ended)
	take(t, f.deleted)
	noneLeft(t)
}

func TestBrokenOutput(t *testing.T) {
	f := newFront(t)
	f.serve(named("a_kandev"))
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- Run(t.Context(), Options{In: inR, Out: outW, URL: f.url(), Bearer: frontBearer}) }()
	_ = outR.Close()
	if _, err := io.WriteString(inW, initialize+"\n"); err != nil {
		t.Fatal(err)
	}
	if err := take(t, done); !errors.Is(err, ErrOutput) {
		t.Error(err)
	}
	noneLeft(t)
}

func TestSecondInitialize(t *testing.T) {
	f := newFront(t)
	f.serve(named("a_kandev"))
	p := start(t, f.url()).connect()
	first := *f.sid.Load()
	p.connect()
	take(t, f.deleted) // the first session
	p.ask(listTools, "a_kandev")
	if *f.sid.Load() == first {
		t.Error("the same session")
	}
	until(t, "one stream is open", func() bool { return f.open.Load() == 1 })
	p.finish()
}

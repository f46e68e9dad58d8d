package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"kandev/backend/attach"
	"kandev/backend/catalog"
	"kandev/backend/tool"
)

// patience bounds every wait of these tests; none is expected to use it up.
const patience = 10 * time.Second

// recorder keeps evidence in the order it was recorded.
type recorder struct {
	mu   sync.Mutex
	all  []attach.Evidence
	more chan struct{}
}

func newRecorder() *recorder { return &recorder{more: make(chan struct{})} }

func (r *recorder) record(e attach.Evidence) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, e)
	close(r.more)
	r.more = make(chan struct{})
}

func (r *recorder) snapshot() ([]attach.Evidence, chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]attach.Evidence(nil), r.all...), r.more
}

// await waits until n pieces of a kind were recorded and returns the last.
func (r *recorder) await(t *testing.T, kind attach.Kind, n int) attach.Evidence {
	t.Helper()
	deadline := time.After(patience)
	for {
		all, more := r.snapshot()
		seen := 0
		for _, e := range all {
			if e.Kind == kind {
				if seen++; seen == n {
					return e
				}
			}
		}
		select {
		case <-more:
		case <-deadline:
			t.Fatalf("no %s number %d in %v", kind, n, kinds(all))
		}
	}
}

func (r *recorder) kinds() []attach.Kind {
	all, _ := r.snapshot()
	return kinds(all)
}

func kinds(all []attach.Evidence) []attach.Kind {
	out := make([]attach.Kind, len(all))
	for i, e := range all {
		out[i] = e.Kind
	}
	return out
}

func (r *recorder) count(kind attach.Kind) int {
	n := 0
	for _, k := range r.kinds() {
		if k == kind {
			n++
		}
	}
	return n
}

// rig is one listener with one endpoint and a plain HTTP client.
type rig struct {
	t      *testing.T
	server *Server
	e      *Endpoint
	rec    *recorder
	logs   *safeBuffer
	http   *http.Client
	sid    string
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// setup opens an endpoint; change edits options and limits before that.
func setup(t *testing.T, set *tool.Set, change ...func(*Options, *limits)) *rig {
	t.Helper()
	r := &rig{t: t, rec: newRecorder(), logs: &safeBuffer{}, http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	log := slog.New(slog.NewTextHandler(r.logs, nil))
	o := Options{Attempt: "attempt-1", Version: "1.2.3", Tools: set, Record: r.rec.record, Log: log}
	l := defaults()
	for _, c := range change {
		c(&o, &l)
	}
	var err error
	if r.server, err = listen(ListenOptions{Log: log}, l); err != nil {
		t.Fatal(err)
	}
	if r.e, err = r.server.Open(o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := r.server.Close(ctx); err != nil {
			t.Error(err)
		}
		r.http.CloseIdleConnections()
	})
	return r
}

// do sends a request with the headers of a proper client. Pairs in header
// replace them; the value "-" leaves one out, "Host" and "URL" are the request's own.
func (r *rig) do(ctx context.Context, method, body string, header ...string) (*http.Response, error) {
	q, err := http.NewRequestWithContext(ctx, method, r.e.URL(), strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("Accept", "application/json, text/event-stream")
	q.Header.Set("Authorization", "Bearer "+r.e.Bearer())
	if r.sid != "" {
		q.Header.Set("Mcp-Session-Id", r.sid)
	}
	for i := 0; i+1 < len(header); i += 2 {
		switch {
		case header[i+1] == "-":
			q.Header.Del(header[i])
		case header[i] == "Host":
			q.Host = header[i+1]
		case header[i] == "URL":
			if q.URL, err = q.URL.Parse(header[i+1]); err != nil {
				return nil, err
			}
		default:
			q.Header.Set(header[i], header[i+1])
		}
	}
	return r.http.Do(q)
}

// send does a whole exchange.
func (r *rig) send(method, body string, header ...string) (int, string, http.Header) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	res, err := r.do(ctx, method, body, header...)
	if err != nil {
		r.t.Fatal(err)
	}
	defer res.Body.Close()
	all, err := io.ReadAll(res.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return res.StatusCode, strings.TrimSpace(string(all)), res.Header
}

const (
	initialize  = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"tester","version":"9"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	listTools   = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
)

// init does the handshake.
func (r *rig) init() *rig {
	r.t.Helper()
	r.sid = ""
	status, body, header := r.send("POST", initialize)
	if status != 200 {
		r.t.Fatal(status, body)
	}
	r.sid = header.Get("Mcp-Session-Id")
	if status, body, _ = r.send("POST", initialized); status != 202 || body != "" {
		r.t.Fatal(status, body)
	}
	return r
}

func callMessage(id, name, arguments, meta string) string {
	if meta != "" {
		meta = `,"_meta":` + meta
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":%s%s}}`, id, name, arguments, meta)
}

func (r *rig) call(name, arguments string) string {
	r.t.Helper()
	_, body, _ := r.send("POST", callMessage("1", name, arguments, ""))
	return body
}

// stream opens a GET stream and yields its lines that say something.
func (r *rig) stream() (lines <-chan string, end func()) {
	r.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	res, err := r.do(ctx, "GET", "")
	if err != nil || res.StatusCode != 200 {
		cancel()
		r.t.Fatal(err, res)
	}
	out := make(chan string, 1024)
	go readLines(res.Body, out)
	return out, cancel
}

func readLines(body io.ReadCloser, out chan<- string) {
	defer close(out)
	defer body.Close()
	var pending []byte
	buf := make([]byte, 4096)
	for {
		n, err := body.Read(buf)
		pending = append(pending, buf[:n]...)
		for {
			line, rest, ok := bytes.Cut(pending, []byte("\n"))
			if !ok {
				break
			}
			pending = rest
			if len(line) > 0 && !bytes.HasPrefix(line, []byte("event:")) {
				out <- string(line)
			}
		}
		if err != nil {
			return
		}
	}
}

// receive takes the next line that contains want.
func receive(t *testing.T, lines <-chan string, want string) string {
	t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				t.Fatalf("the stream ended before %q", want)
			}
			if strings.Contains(line, want) {
				return line
			}
		case <-deadline:
			t.Fatalf("nothing with %q came", want)
		}
	}
}

var builtinSource = catalog.Source{Kind: catalog.KindBuiltin}

// echo is a built-in tool that tells the name its handler saw.
func echo(name string) tool.Definition {
	return tool.Definition{
		Name: name, Source: builtinSource, Description: "Says <b>its</b> & name.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"q":{"type":"string"}},"required":["q"],"additionalProperties":false}`),
		Handler: func(_ context.Context, c tool.Call) (tool.Result, error) {
			return tool.Text("handler saw " + c.Name), nil
		},
	}
}

// with is a built-in tool without arguments.
func with(name string, h tool.Handler) tool.Definition {
	return tool.Definition{Name: name, Source: builtinSource, InputSchema: json.RawMessage(`{"type":"object"}`), Handler: h}
}

func set(t testing.TB, defs ...tool.Definition) *tool.Set {
	t.Helper()
	s, refused := tool.NewSet(1, defs...)
	if len(refused) > 0 {
		t.Fatal(refused)
	}
	return s
}

// blocking is a handler that says when it runs and waits for its ctx or release.
func blocking(release <-chan struct{}) (h tool.Handler, running chan string) {
	running = make(chan string, 64)
	return func(ctx context.Context, c tool.Call) (tool.Result, error) {
		running <- c.Name
		select {
		case <-release:
			return tool.Text("released"), nil
		case <-ctx.Done():
			return tool.Result{}, ctx.Err()
		}
	}, running
}

func takes[T any](t *testing.T, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatal("waited in vain")
		panic("unreachable")
	}
}

func setupLog() *slog.Logger { return slog.New(slog.DiscardHandler) }

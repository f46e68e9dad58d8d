package bridge

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kandev/backend/catalog"
	"kandev/backend/mcpserver"
	"kandev/backend/tool"
)

// patience bounds every wait of these tests; none is expected to use it up.
const patience = 10 * time.Second

// TestMain makes the test binary the bridge itself, as the app's subcommand
// does, when a test starts it as one.
func TestMain(m *testing.M) {
	if os.Getenv("BRIDGE_TEST_CHILD") == "" {
		os.Exit(m.Run())
	}
	if err := Run(context.Background(), Options{In: os.Stdin, Out: os.Stdout, URL: os.Args[1], Bearer: os.Getenv("KANDEV_MCP_TOKEN")}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

const frontBearer = "secret-of-the-front"

// front is a fixed address before endpoints that come and go: ours take a new
// port and a new attempt each time.
type front struct {
	t       *testing.T
	address string
	to      atomic.Pointer[mcpserver.Endpoint]
	other   atomic.Pointer[http.HandlerFunc] // instead of an endpoint
	sid     atomic.Pointer[string]           // session id of the last initialize
	deleted chan struct{}                    // one for each DELETE
	wrong   atomic.Int32                     // requests without our bearer
	open    atomic.Int32                     // GET streams being passed on

	mu     sync.Mutex
	server *http.Server
}

func newFront(t *testing.T) *front {
	t.Helper()
	f := &front{t: t, address: "127.0.0.1:0", deleted: make(chan struct{}, 64)}
	f.up()
	t.Cleanup(f.down)
	return f
}

func (f *front) url() string { return "http://" + f.address + "/mcp" }

// up listens; after the first time on the same port.
func (f *front) up() {
	f.t.Helper()
	ln, err := net.Listen("tcp4", f.address)
	if err != nil {
		f.t.Fatal(err)
	}
	f.address = ln.Addr().String()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.server = &http.Server{Handler: f, ErrorLog: log.New(io.Discard, "", 0)}
	go func(s *http.Server) { _ = s.Serve(ln) }(f.server)
}

// down refuses and cuts every connection.
func (f *front) down() {
	f.mu.Lock()
	defer f.mu.Unlock()
	_ = f.server.Close()
}

func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer "+frontBearer {
		f.wrong.Add(1)
	}
	if h := f.other.Load(); h != nil {
		(*h)(w, r)
		return
	}
	e := f.to.Load()
	to, err := url.Parse(e.URL())
	if err != nil {
		f.t.Error(err)
		return
	}
	proxy := &httputil.ReverseProxy{FlushInterval: -1, ErrorLog: log.New(io.Discard, "", 0), Rewrite: func(q *httputil.ProxyRequest) {
		q.SetURL(&url.URL{Scheme: "http", Host: to.Host})
		q.Out.URL.Path, q.Out.Host = to.Path, to.Host
		q.Out.Header.Set("Authorization", "Bearer "+e.Bearer())
	}, ModifyResponse: func(res *http.Response) error {
		if id := res.Header.Get("Mcp-Session-Id"); id != "" {
			f.sid.Store(&id)
		}
		return nil
	}}
	if r.Method == http.MethodGet {
		f.open.Add(1)
		defer f.open.Add(-1)
	}
	proxy.ServeHTTP(w, r)
	if r.Method == http.MethodDelete {
		f.deleted <- struct{}{}
	}
}

// serve puts a new endpoint of ours behind the front.
func (f *front) serve(defs ...tool.Definition) *mcpserver.Endpoint {
	f.t.Helper()
	s, err := mcpserver.Listen(mcpserver.ListenOptions{})
	if err != nil {
		f.t.Fatal(err)
	}
	e, err := s.Open(mcpserver.Options{Attempt: "attempt-1", Version: "1", Tools: set(f.t, defs...), KeepAlive: 50 * time.Millisecond})
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			f.t.Error(err)
		}
	})
	f.to.Store(e)
	return e
}

func set(t *testing.T, defs ...tool.Definition) *tool.Set {
	t.Helper()
	s, refused := tool.NewSet(1, defs...)
	if len(refused) > 0 {
		t.Fatal(refused)
	}
	return s
}

func with(name string, h tool.Handler) tool.Definition {
	return tool.Definition{
		Name: name, Source: catalog.Source{Kind: catalog.KindBuiltin}, Description: "Says <b>its</b> & name\u2028.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"pad":{"type":"string"}}}`), Handler: h,
	}
}

func named(name string) tool.Definition {
	return with(name, func(context.Context, tool.Call) (tool.Result, error) { return tool.Text("from " + name), nil })
}

// blocking waits for its ctx, and says when it runs and when it ended.
func blocking(name string) (d tool.Definition, running, ended chan struct{}) {
	running, ended = make(chan struct{}, 64), make(chan struct{}, 64)
	return with(name, func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		running <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return tool.Result{}, ctx.Err()
	}), running, ended
}

// peer is the client at the other end of a running bridge.
type peer struct {
	t    *testing.T
	in   *io.PipeWriter
	out  chan string
	stop context.CancelFunc
	done chan error
}

// start runs a bridge with the test's limits.
func start(t *testing.T, address string, change ...func(*limits)) *peer {
	t.Helper()
	l := defaults()
	l.retry = 10 * time.Millisecond
	for _, c := range change {
		c(&l)
	}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	p := &peer{t: t, in: inW, out: make(chan string, 1024), stop: cancel, done: make(chan error, 1)}
	go func() {
		err := run(ctx, Options{In: inR, Out: outW, URL: address, Bearer: frontBearer}, l)
		_ = outW.Close()
		p.done <- err
	}()
	go func() {
		defer close(p.out)
		lines := bufio.NewReader(outR)
		for {
			s, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			p.out <- strings.TrimSuffix(s, "\n")
		}
	}()
	t.Cleanup(func() {
		cancel()
		_ = outR.Close()
		_ = inW.Close()
	})
	return p
}

func (p *peer) send(lines ...string) {
	p.t.Helper()
	for _, l := range lines {
		if _, err := io.WriteString(p.in, l+"\n"); err != nil {
			p.t.Fatal(err)
		}
	}
}

// next takes the next line and wants all parts in it.
func (p *peer) next(parts ...string) string {
	p.t.Helper()
	line := take(p.t, p.out)
	for _, part := range parts {
		if !strings.Contains(line, part) {
			p.t.Fatalf("got %.300s, want %q in it", line, part)
		}
	}
	return line
}

func (p *peer) ask(line string, parts ...string) string {
	p.t.Helper()
	p.send(line)
	return p.next(parts...)
}

// finish ends the input and wants the bridge to end without an error and
// without another word but the given ones.
func (p *peer) finish(allowed ...string) {
	p.t.Helper()
	_ = p.in.Close()
	if err := take(p.t, p.done); err != nil {
		p.t.Fatal(err)
	}
	for line := range p.out {
		if !slices.Contains(allowed, line) {
			p.t.Errorf("said after the end: %.300s", line)
		}
	}
	noneLeft(p.t)
}

func take[T any](t *testing.T, c <-chan T) T {
	t.Helper()
	select {
	case v, ok := <-c:
		if !ok {
			t.Fatal("it ended")
		}
		return v
	case <-time.After(patience):
		t.Fatalf("waited in vain\n%s", stacks())
		panic("unreachable")
	}
}

// until asks again and again whether something has happened.
func until(t *testing.T, what string, happened func() bool) {
	t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !happened() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("in vain: %s\n%s", what, stacks())
		}
	}
}

// noneLeft wants no goroutine of this package but the tests'.
func noneLeft(t *testing.T) {
	t.Helper()
	until(t, "no goroutine is left", func() bool { return stacks() == "" })
}

func stacks() string {
	buf := make([]byte, 4<<20)
	var left []string
	for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if strings.Contains(stack, "kandev/backend/bridge.") && !strings.Contains(stack, "_test.go") {
			left = append(left, stack)
		}
	}
	return strings.Join(left, "\n\n")
}

const (
	initialize  = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"tester","version":"9"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	listTools   = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
)

func callOf(id, name, meta string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":{},"_meta":{%s}}}`, id, name, meta)
}

// connect does the handshake of the legacy era.
func (p *peer) connect() *peer {
	p.t.Helper()
	p.ask(initialize, `"id":0`, `"protocolVersion":"2025-11-25"`)
	p.send(initialized)
	return p
}

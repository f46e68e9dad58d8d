package mcpserver

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"kandev/backend/attach"
	"kandev/backend/tool"
)

// Options are one attempt's endpoint.
type Options struct {
	Attempt      string // random and public: it attributes and gives no right; [A-Za-z0-9_-], 1 to 128
	Version      string // of the app, told in initialize
	Instructions string // told in initialize
	Namespaced   bool   // the client's capability NamespacesToolsByServer
	BearerInPath bool   // also take /mcp/<attempt>/<bearer>, for clients that send no header
	Bearer       string // NewBearer, made before the agent's process; "" = Open makes one
	Tools        *tool.Set

	// Record takes evidence, in order, from the observer's goroutine only; no
	// lock of this package is held. It must return: the next piece waits for it.
	Record func(attach.Evidence)
	// Used tells one finished tools/call, from the goroutine of its request, so
	// concurrently. name is canonical, and empty when known is false.
	Used func(name string, known, failed bool, at time.Time)
	// Estimate and Count are those of catalog.List.Count; nil means that there
	// is no tokenizer and so no number.
	Estimate func(toolJSON []byte) (int, error)
	Count    func(text string) int

	Now       func() time.Time                                   // nil: time.Now
	After     func(d time.Duration, f func()) (stop func() bool) // nil: time.AfterFunc
	Log       *slog.Logger                                       // nil: the server's
	KeepAlive time.Duration                                      // 0: 10 s
	CallLimit time.Duration                                      // of a handler that states none; 0: tool.DefaultLimit
}

// Endpoint is one attempt's address. Safe for concurrent use.
type Endpoint struct {
	o      Options
	server *Server
	log    *slog.Logger
	engine *engine
	watch  *observer

	key    atomic.Pointer[[sha256.Size]byte] // of the bearer; nil after Close
	bearer atomic.Pointer[string]

	tools   atomic.Pointer[served]
	setting sync.Mutex // orders swaps and the evidence of lists; guards the next two
	listed  digest     // of what the last list of this attempt held; zero before the first
	moved   bool       // and tools_changed was recorded since

	sessions    *sessions
	stateless   *stateless
	connections atomic.Uint64 // so far
	calls       *calls

	ending context.Context // done when Close begins
	end    context.CancelFunc

	mu       sync.Mutex // guards closed and additions to requests
	closed   bool
	requests sync.WaitGroup // requests being answered
	handlers sync.WaitGroup // handlers, also those that outlive their call
}

var attemptForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,128}$`)

// ErrSuperseded is the cause of calls that end because their endpoint closed.
var ErrSuperseded = errors.New("the session has moved on")

// Open starts to serve an attempt.
func (s *Server) Open(o Options) (*Endpoint, error) {
	if !attemptForm.MatchString(o.Attempt) {
		return nil, errors.New("mcpserver: an attempt id is 1 to 128 of A-Z a-z 0-9 _ -")
	}
	o = o.withDefaults(s.log)
	bearer := o.Bearer
	if bearer == "" {
		bearer = NewBearer()
	}
	o.Bearer = "" // the endpoint's own copy is forgotten at Close
	key := sha256.Sum256([]byte(bearer))

	e := &Endpoint{o: o, server: s, log: o.Log.With("attempt", o.Attempt), calls: newCalls()}
	e.ending, e.end = context.WithCancel(context.Background())
	e.engine = newEngine(o.Version, o.Instructions)
	e.key.Store(&key)
	e.bearer.Store(&bearer)
	e.tools.Store(render(o.Tools, o.Namespaced))
	e.watch = newObserver(e.o, e.log)
	e.sessions, e.stateless = newSessions(e), newStateless(e)
	if err := s.register(e); err != nil {
		e.end()
		_ = e.watch.close(context.Background()) // nothing waits in it
		return nil, err
	}
	return e, nil
}

// NewBearer makes the secret of one attempt: 32 random bytes.
func NewBearer() string {
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // never fails, see crypto/rand
	return base64.RawURLEncoding.EncodeToString(secret[:])
}

func (o Options) withDefaults(log *slog.Logger) Options {
	if o.Record == nil {
		o.Record = func(attach.Evidence) {}
	}
	if o.Used == nil {
		o.Used = func(string, bool, bool, time.Time) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = func(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }
	}
	if o.Log == nil {
		o.Log = log
	}
	if o.KeepAlive <= 0 {
		o.KeepAlive = defaultKeepAlive
	}
	return o
}

// URL is the address to give to the agent. With BearerInPath a client without
// headers uses URL + "/" + Bearer.
func (e *Endpoint) URL() string {
	return "http://127.0.0.1:" + e.server.port + "/mcp/" + e.o.Attempt
}

// Bearer is the secret that every request must carry; empty after Close.
func (e *Endpoint) Bearer() string {
	if b := e.bearer.Load(); b != nil {
		return *b
	}
	return ""
}

// Calls is the number of tools/call being answered.
func (e *Endpoint) Calls() int { return e.calls.len() }

// CancelCalls ends every running call; each client is told cause, in words for
// its model.
func (e *Endpoint) CancelCalls(cause error) { e.calls.cancelAll(cause) }

// Close supersedes the endpoint: from now on its address answers 404. Streams
// and calls are ended, connections are recorded as closed, and what waits for
// the observer is recorded. It returns when nothing of the endpoint runs any
// more, or with ctx's error; then the rest ends by itself. Closing twice is safe.
func (e *Endpoint) Close(ctx context.Context) error {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	e.server.forget(e)
	e.key.Store(nil)
	e.bearer.Store(nil)
	e.end()
	e.calls.close(ErrSuperseded)
	e.sessions.stop()
	e.stateless.stop()
	err := wait(ctx, &e.requests, &e.handlers)
	e.sessions.close() // after the last list, so that nothing reads as connected
	e.stateless.close()
	return errors.Join(err, e.watch.close(ctx))
}

// newConnection is the opaque id of one more connection.
func (e *Endpoint) newConnection() string {
	return "c" + strconv.FormatUint(e.connections.Add(1), 10)
}

// wait waits for all groups, or for ctx.
func wait(ctx context.Context, groups ...*sync.WaitGroup) error {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, g := range groups {
			g.Wait()
		}
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("mcpserver: requests still run: %w", ctx.Err())
	}
}

func (e *Endpoint) enter() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return false
	}
	e.requests.Add(1)
	return true
}

func (e *Endpoint) leave() { e.requests.Done() }

// serve answers a request of this attempt's address: bearer, then method.
func (e *Endpoint) serve(w http.ResponseWriter, r *http.Request, inPath string) {
	switch {
	case inPath != "" && (!e.o.BearerInPath || !e.authorized(inPath)):
		fail(w, http.StatusNotFound, "not found")
		return
	case inPath == "" && !e.authorized(headerBearer(r)):
		fail(w, http.StatusUnauthorized, "unauthorized") // no WWW-Authenticate: clients would start an OAuth flow
		return
	}
	switch r.Method {
	case http.MethodPost:
		e.post(w, r)
	case http.MethodGet:
		e.get(w, r)
	case http.MethodDelete:
		e.delete(w, r)
	default:
		notAllowed(w, "POST, GET, DELETE")
	}
}

func headerBearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

func (e *Endpoint) authorized(bearer string) bool {
	key := e.key.Load()
	got := sha256.Sum256([]byte(bearer))
	return key != nil && bearer != "" && subtle.ConstantTimeCompare(got[:], key[:]) == 1
}

package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ListenOptions configure the listener.
type ListenOptions struct {
	Log *slog.Logger // nil: no log
}

// Server is the one loopback listener of the app. Safe for concurrent use.
type Server struct {
	log    *slog.Logger
	limits limits
	port   string
	http   *http.Server
	served chan struct{} // closed when the accept loop ended

	uid int

	mu        sync.RWMutex
	endpoints map[string]*Endpoint // by attempt
	closed    bool
}

// ErrClosed is returned by Open after Close.
var ErrClosed = errors.New("mcpserver: closed")

// Listen opens a free port of 127.0.0.1 and serves it until Close.
func Listen(o ListenOptions) (*Server, error) { return listen(o, defaults()) }

func listen(o ListenOptions, l limits) (*Server, error) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("mcpserver: listen on loopback: %w", err)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{
		log: o.Log, limits: l, served: make(chan struct{}),
		port:      strconv.Itoa(ln.Addr().(*net.TCPAddr).Port),
		uid:       os.Getuid(),
		endpoints: map[string]*Endpoint{},
	}
	s.http = &http.Server{
		Handler:           s,
		ReadHeaderTimeout: l.header,
		IdleTimeout:       l.idle,
		MaxHeaderBytes:    l.maxHeader,
		ConnContext:       withConnection,
		ErrorLog:          slog.NewLogLogger(slog.DiscardHandler, slog.LevelError), // its lines quote what clients sent

		DisableGeneralOptionsHandler: true,
	}
	go func() {
		defer close(s.served)
		if err := s.http.Serve(ln); err != nil && !errors.Is(err, http.ErrServerClosed) {
			s.log.Error("mcp listener ended", "err", err)
		}
	}()
	return s, nil
}

// Close closes every endpoint and the listener. Streams and calls are ended,
// not waited for; ctx bounds the wait for what they leave behind.
func (s *Server) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	open := make([]*Endpoint, 0, len(s.endpoints))
	for _, e := range s.endpoints {
		open = append(open, e)
	}
	s.mu.Unlock()
	errs := make([]error, len(open)+1)
	var wg sync.WaitGroup
	for i, e := range open {
		wg.Go(func() { errs[i] = e.Close(ctx) })
	}
	wg.Wait()
	// What is left are requests that were refused; they are cut off soon.
	soon, cancel := context.WithTimeout(ctx, s.limits.farewell)
	defer cancel()
	if s.http.Shutdown(soon) != nil {
		errs[len(open)] = s.http.Close()
	}
	<-s.served
	return errors.Join(errs...)
}

// ServeHTTP answers one request; it is the http.Handler of the listener.
func (s *Server) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	w := &writer{ResponseWriter: rw}
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Now().Add(s.limits.write))
	// Until the body was read: net/http reads on in the body of a refused request,
	// without a bound of its own.
	_ = control.SetReadDeadline(time.Now().Add(s.limits.body))
	defer s.recovered(w)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	if !s.admit(r) {
		fail(w, http.StatusForbidden, "forbidden")
		return
	}
	attempt, bearer := splitPath(r.URL.Path)
	s.mu.RLock()
	e := s.endpoints[attempt]
	s.mu.RUnlock()
	if e == nil || !e.enter() {
		fail(w, http.StatusNotFound, "not found")
		return
	}
	defer e.leave()
	e.serve(w, r, bearer)
}

// recovered ends a request whose handling panicked with one clean error, as far
// as no answer was begun. The panic's value may hold arguments: it is not kept.
func (s *Server) recovered(w *writer) {
	p := recover()
	if p == nil {
		return
	}
	if p == http.ErrAbortHandler { //nolint:errorlint // net/http compares the value itself
		panic(p)
	}
	s.log.Error("mcp request panicked", "kind", fmt.Sprintf("%T", p))
	if w.began {
		panic(http.ErrAbortHandler) // cut off, so that no client takes it for complete
	}
	rpcFail(w, http.StatusInternalServerError, codeInternal, "internal error")
}

// writer remembers whether an answer was begun.
type writer struct {
	http.ResponseWriter
	began bool
}

func (w *writer) WriteHeader(status int) {
	w.began = true
	w.ResponseWriter.WriteHeader(status)
}

func (w *writer) Write(p []byte) (int, error) {
	w.began = true
	return w.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the real one.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// splitPath takes /mcp/<attempt> and /mcp/<attempt>/<bearer>, each with or
// without a trailing slash. Anything else gives an attempt that nobody has.
func splitPath(path string) (attempt, bearer string) {
	rest, ok := strings.CutPrefix(path, "/mcp/")
	if !ok {
		return "", ""
	}
	attempt, bearer, _ = strings.Cut(strings.TrimSuffix(rest, "/"), "/")
	return attempt, bearer
}

func (s *Server) register(e *Endpoint) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	if s.endpoints[e.o.Attempt] != nil {
		return fmt.Errorf("mcpserver: attempt %s is already open", e.o.Attempt)
	}
	s.endpoints[e.o.Attempt] = e
	return nil
}

func (s *Server) forget(e *Endpoint) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.endpoints[e.o.Attempt] == e {
		delete(s.endpoints, e.o.Attempt)
	}
}

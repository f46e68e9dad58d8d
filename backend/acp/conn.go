// Package acp speaks the Agent Client Protocol, version 1, as the client, over
// two given pipes. It starts nothing and ends nothing but those pipes.
//
// A Conn offers the calls of a session (Initialize, Authenticate, NewSession,
// LoadSession, Prompt, Cancel) and hands what the agent sends to the functions in Options.
//
// Guarantees:
//   - Update runs on the reading goroutine, one at a time, in the agent's order.
//     When a call returns, every update before its answer was handled, and when
//     Permission runs, every update before the request was. A slow handler slows
//     the agent down through its own pipe; no queue grows and nothing is lost.
//   - Foreign bytes never end the connection: lines that are no JSON-RPC, frames
//     beyond 64 MiB, unknown methods, unknown updates, answers to nothing, odd
//     shapes of errors. A field of the wrong type costs that field only.
//   - An update of an unknown kind stays unknown, with its bytes.
//   - Every call ends: by its answer, its context, its limit, or the end of the
//     connection. Only a prompt has no limit of its own, until it is cancelled.
//
// It does not read or write files or run commands itself, keep transcripts, know
// agents by name, or log what was said: logs hold method names, ids, lengths and
// durations.
package acp

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"sync"
	"time"
)

// Options are the functions a connection reports to. A nil function is not
// called. Update, Noise and Dropped run on the reading goroutine: they may call
// Cancel, but must not wait for another method of the connection.
type Options struct {
	// Update receives each session/update. It may come before the NewSession
	// that makes its session has returned.
	Update func(sessionID string, u Update)
	// Permission answers one session/request_permission; several may run at
	// once. ctx ends when the agent withdraws the request, when its turn is
	// cancelled, and with the connection; it must then return soon, and what
	// it returns is dropped. When nil, the method is answered -32601.
	Permission func(ctx context.Context, r PermissionRequest) (PermissionOutcome, error)
	// ReadFile and WriteFile answer fs/read_text_file and fs/write_text_file;
	// several may run at once. ctx ends when the agent withdraws the request and
	// with the connection. A FileError's text goes to the agent, any other error
	// is answered without one. When nil, the method is not advertised and is
	// answered -32601.
	ReadFile  func(ctx context.Context, r ReadFile) (string, error)
	WriteFile func(ctx context.Context, r WriteFile) error
	// Terminals answer terminal/create and its kin. Without a Create the methods
	// are not advertised and are answered -32601.
	Terminals Terminals
	// Noise tells of output that is not JSON-RPC: bytes and lower-case hex hash.
	Noise func(length int, sha256 string)
	// Dropped tells once of each frame beyond 64 MiB, with its full length.
	Dropped func(length int64)

	Log    *slog.Logger     // nil = none
	Limits Limits           // zero fields = DefaultLimits
	Now    func() time.Time // nil = time.Now; measures durations for the log
}

// Conn is one connection to one agent. Safe for concurrent use.
type Conn struct {
	o        Options
	log      *slog.Logger
	w        io.WriteCloser
	r        io.ReadCloser
	maxFrame int // MaxFrame, smaller in tests
	maxQueue int // maxQueued, smaller in tests

	wake chan struct{} // one token: the outgoing queue has something
	done chan struct{}
	wg   sync.WaitGroup

	mu       sync.Mutex
	err      error // why the connection ended
	writeErr error // the agent takes no more input
	lastID   int64
	pending  map[int64]*call
	serving  map[*served]struct{}
	turns    map[string]*turn  // by session id
	loaded   map[string]replay // by session id, until its first turn
	queue    []*frame
	queued   int // bytes, the frame that is being written included
	ignored  int // notifications of unknown methods
}

// NewConn starts a connection that writes frames to w and reads them from r.
// It owns both: they are closed when the connection ends. Closing must unblock
// a Read or Write in progress, as with pipes. The caller must Close.
func NewConn(w io.WriteCloser, r io.ReadCloser, o Options) *Conn {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return start(&Conn{w: w, r: r, o: o, maxFrame: MaxFrame, maxQueue: maxQueued})
}

func start(c *Conn) *Conn {
	c.log = c.o.Log
	c.o.Limits = c.o.Limits.orDefault()
	c.wake = make(chan struct{}, 1)
	c.done = make(chan struct{})
	c.pending = map[int64]*call{}
	c.serving = map[*served]struct{}{}
	c.turns = map[string]*turn{}
	c.loaded = map[string]replay{}
	c.wg.Go(c.read)
	c.wg.Go(c.write)
	return c
}

// Done is closed when the connection has ended, whichever side ended it.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err is nil while the connection lives; then the reason, an ErrClosed.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Close ends the connection, fails what is pending with ErrClosed and waits for
// the handlers that still run. It may be called more than once, but not from a
// handler. It does not flush: input the agent has not taken is lost.
func (c *Conn) Close() error {
	c.fail(ErrClosed)
	c.wg.Wait()
	return nil
}

// fail ends the connection with a reason. The first reason stays.
func (c *Conn) fail(err error) {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	c.err = err
	for id, p := range c.pending {
		delete(c.pending, id)
		p.answer <- answer{err: err}
	}
	for s := range c.serving {
		s.taken = true
		delete(c.serving, s)
		s.cancel()
	}
	c.queue, c.queued = nil, 0
	close(c.done)
	c.mu.Unlock()
	_ = c.w.Close() // an agent that is gone has no pipe to close properly
	_ = c.r.Close()
}

// envelope is one JSON-RPC message, members still raw. A nil member is absent.
type envelope struct {
	id     json.RawMessage
	method string
	params json.RawMessage
	result json.RawMessage
	err    json.RawMessage
}

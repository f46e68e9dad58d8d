package toolbench

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	acp "github.com/coder/acp-go-sdk"
)

// Limits. A call itself has none.
const (
	connectLimit = 20 * time.Second        // one server: connecting and the first tools/list
	listLimit    = 20 * time.Second        // a tools/list after list_changed
	deleteLimit  = 1500 * time.Millisecond // closing all MCP sessions at the end
	drainLimit   = 400 * time.Millisecond  // for what is left after that
	cancelGrace  = 500 * time.Millisecond  // for a cancelled call to come back by itself
)

// Options says what an agent talks to. In and Out carry one JSON-RPC message a line; Run does not close them.
// Version goes out as agentInfo and clientInfo. Now is the clock of the waiting times, time.Now when nil.
type Options struct {
	In      io.Reader
	Out     io.Writer
	Version string
	Now     func() time.Time

	connect time.Duration // connectLimit when 0; shorter in tests
}

// agent is one connection with all its sessions.
type agent struct {
	version string
	now     func() time.Time
	connect time.Duration
	conn    *acp.Connection
	in      *inbound
	out     *outbound
	life    context.Context // ends last: HTTP requests and child processes hang on it
	dials   sync.WaitGroup  // attempts to connect, also those that were given up

	mu       sync.Mutex
	closing  bool
	sessions map[string]*session
}

// Run serves one ACP client until In ends or ctx is done, then closes every MCP session and returns nil.
// It returns within about two seconds after the end; what does not end by then is left to the end of the process.
func Run(ctx context.Context, o Options) error {
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	a := &agent{version: o.Version, now: o.Now, connect: o.connect, life: life, sessions: map[string]*session{}}
	if a.now == nil {
		a.now = time.Now
	}
	if a.connect == 0 {
		a.connect = connectLimit
	}
	if a.version == "" {
		a.version = "dev"
	}
	a.out = newOutbound(o.Out)
	a.in = newInbound(life, o.In, a.out.refuse)
	a.conn = acp.NewConnection(a.handle, a.out, a.in)
	// The SDK logs whole frames to stderr by default. Its reader starts at once, so nothing is read before the
	// logger is in place.
	a.conn.SetLogger(slog.New(slog.DiscardHandler))
	a.in.start()

	select {
	case <-a.conn.Done():
	case <-ctx.Done():
	}
	a.close(end)
	return nil
}

// close ends all sessions together: first their turns, then the MCP sessions, at last every open request.
func (a *agent) close(endLife context.CancelFunc) {
	a.mu.Lock()
	a.closing = true
	sessions := make([]*session, 0, len(a.sessions))
	for _, s := range a.sessions {
		sessions = append(sessions, s)
	}
	a.mu.Unlock()

	var closed sync.WaitGroup
	for _, s := range sessions {
		s.stop()
		closed.Go(func() {
			s.disconnect()
			s.work.Wait()
		})
	}
	waitAtMost(&closed, deleteLimit)
	endLife()
	var drained sync.WaitGroup
	drained.Go(closed.Wait)
	drained.Go(a.dials.Wait)
	waitAtMost(&drained, drainLimit)
}

// dial runs an attempt to connect, unless the agent is closing.
func (a *agent) dial(connect func()) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closing {
		return false
	}
	a.dials.Go(connect)
	return true
}

// add registers a session, unless the agent is closing.
func (a *agent) add(s *session) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closing {
		return false
	}
	a.sessions[s.id] = s
	return true
}

func (a *agent) session(id string) *session {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.sessions[id]
}

func (a *agent) remove(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.sessions, id)
}

// waitAtMost waits for wg, but not longer than limit.
func waitAtMost(wg *sync.WaitGroup, limit time.Duration) {
	done := make(chan struct{})
	go func() {
		wg.Wait()
		close(done)
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}

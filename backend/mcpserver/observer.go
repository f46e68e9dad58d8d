package mcpserver

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"

	"kandev/backend/attach"
)

// observer records the evidence of one endpoint, in one order, in one
// goroutine (spec/attachment.md, "From the served list to evidence"). Adding
// never blocks: that is the promise to the request that is being answered.
type observer struct {
	o   Options
	log *slog.Logger

	mu     sync.Mutex
	queue  []observation
	order  uint64 // of the lists
	closed bool

	wake    chan struct{} // holds at most one
	done    chan struct{} // closed when the goroutine ended
	abandon atomic.Bool   // no more counting: Close ran out of time

	last parsed // touched by the goroutine only
}

// observation is one waiting piece: evidence, or a list that was written.
type observation struct {
	evidence attach.Evidence
	list     *written
}

func newObserver(o Options, log *slog.Logger) *observer {
	w := &observer{o: o, log: log, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go w.run()
	return w
}

// add queues evidence of the built-in server. Attempt, server and time are
// filled in here.
func (w *observer) add(ev attach.Evidence) { w.push(observation{evidence: ev}) }

// addList queues a list whose write succeeded. An older one that waits is
// replaced: the newer is complete.
func (w *observer) addList(l *written) {
	w.push(observation{evidence: attach.Evidence{Kind: attach.ToolsListObserved, Connection: l.connection}, list: l})
}

func (w *observer) push(next observation) {
	next.evidence.Attempt, next.evidence.Server, next.evidence.At = w.o.Attempt, attach.BuiltinServer, w.o.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	if next.list != nil {
		w.order++
		next.evidence.Order = w.order
	}
	if onlyNewestCounts(next.evidence.Kind) {
		w.queue = slices.DeleteFunc(w.queue, func(o observation) bool { return o.evidence.Kind == next.evidence.Kind })
	}
	if len(w.queue) >= maxQueue {
		w.squeeze()
	}
	w.queue = append(w.queue, next)
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// onlyNewestCounts: of these kinds a waiting one says nothing that a newer does
// not say.
func onlyNewestCounts(k attach.Kind) bool {
	return k == attach.ToolsListObserved || k == attach.ToolCallObserved || k == attach.ToolsChanged || k == attach.Failed
}

// squeeze makes room in a full queue, which only a client that connects over
// and over can fill: a connection that came and went within it is left out, but
// for the one whose list waits, which would open it again; and of clients without
// a connection all but what was said last. What is there, and a close whose
// handshake was recorded, always waits: without them a server would read as
// disconnected while a client is there, or as connected for ever. There are at
// most as many of either as connections.
func (w *observer) squeeze() {
	before, listed := len(w.queue), ""
	pieces := map[string]int{} // handshakes and closes, by connection: one of each
	for _, o := range w.queue {
		switch o.evidence.Kind {
		case attach.ToolsListObserved:
			listed = o.evidence.Connection
		case attach.HandshakeObserved, attach.ConnectionClosed:
			pieces[o.evidence.Connection]++
		}
	}
	w.queue = slices.DeleteFunc(w.queue, func(o observation) bool {
		connection := o.evidence.Connection
		switch {
		case o.evidence.Kind != attach.HandshakeObserved && o.evidence.Kind != attach.ConnectionClosed:
			return false
		case connection == "":
			pieces[""]--
			return pieces[""] > 0
		}
		return pieces[connection] == 2 && connection != listed
	})
	if left := before - len(w.queue); left > 0 {
		w.log.Warn("mcp evidence left out", "count", left)
	}
}

// next takes the oldest piece; ok is false when nothing waits.
func (w *observer) next() (o observation, ok, closed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.queue) == 0 {
		return o, false, w.closed
	}
	o, w.queue = w.queue[0], w.queue[1:]
	return o, true, false
}

// listWaits tells that a newer list waits, so that counting an older is in vain.
func (w *observer) listWaits() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.queue, func(o observation) bool { return o.list != nil })
}

func (w *observer) run() {
	defer close(w.done)
	for {
		o, ok, closed := w.next()
		switch {
		case ok:
			w.observe(o)
		case closed:
			return
		default:
			<-w.wake
		}
	}
}

// observe records one piece. A panic in what we were given costs that piece,
// not the observer.
func (w *observer) observe(o observation) {
	defer func() {
		if p := recover(); p != nil {
			w.log.Error("mcp observer panicked", "kind", fmt.Sprintf("%T", p), "evidence", string(o.evidence.Kind))
		}
	}()
	if o.list == nil {
		w.o.Record(o.evidence)
		return
	}
	w.observeList(o)
}

// close records what waits and ends the goroutine; with ctx over, counting is
// given up and the goroutine ends after the piece it is at.
func (w *observer) close(ctx context.Context) error {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default:
	}
	select {
	case <-w.done:
		return nil
	case <-ctx.Done():
		w.abandon.Store(true)
		return fmt.Errorf("mcpserver: evidence still waits: %w", ctx.Err())
	}
}

package mcpserver

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"kandev/backend/attach"
)

// heldAtAnEnd is an observer that stops at an end, which fills busy, until hold is closed.
func heldAtAnEnd() (w *observer, rec *recorder, busy, hold chan struct{}) {
	busy, hold, rec = make(chan struct{}, 1), make(chan struct{}), newRecorder()
	w = newObserver(Options{Attempt: "a", Now: time.Now, Record: func(e attach.Evidence) {
		if e.Kind == attach.ConnectionClosed {
			select {
			case busy <- struct{}{}:
			default:
			}
			<-hold
		}
		rec.record(e)
	}}, setupLog())
	return w, rec, busy, hold
}

// Who is there is told, however many ends wait before it.
func TestOpenConnectionIsNotLeftOut(t *testing.T) {
	w, rec, busy, hold := heldAtAnEnd()
	for n := range maxQueue + 2 {
		w.add(attach.Evidence{Kind: attach.HandshakeObserved, Connection: fmt.Sprint(n)})
		rec.await(t, attach.HandshakeObserved, n+1)
	}
	w.add(attach.Evidence{Kind: attach.ConnectionClosed, Connection: "0"})
	takes(t, busy)
	w.add(attach.Evidence{Kind: attach.HandshakeObserved, Connection: "stays"})
	for n := range maxQueue {
		w.add(attach.Evidence{Kind: attach.ConnectionClosed, Connection: fmt.Sprint(n + 1)})
	}
	close(hold)
	if err := w.close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := rec.count(attach.HandshakeObserved); n != maxQueue+3 {
		t.Errorf("%d handshakes of %d", n, maxQueue+3)
	}
}

// A queue that is full leaves out connections that came and went, never a
// close whose handshake was recorded.
func TestQueueIsBounded(t *testing.T) {
	release, busy := make(chan struct{}), make(chan struct{})
	var first atomic.Bool
	rec := newRecorder()
	w := newObserver(Options{Attempt: "a", Now: time.Now, Record: func(e attach.Evidence) {
		if first.CompareAndSwap(false, true) {
			close(busy)
			<-release
		}
		rec.record(e)
	}}, setupLog())
	w.add(attach.Evidence{Kind: attach.HandshakeObserved, Connection: "first"})
	takes(t, busy)
	for i := range 200 {
		id := fmt.Sprint(i)
		w.add(attach.Evidence{Kind: attach.HandshakeObserved, Connection: id})
		w.add(attach.Evidence{Kind: attach.ConnectionClosed, Connection: id})
	}
	w.add(attach.Evidence{Kind: attach.ConnectionClosed, Connection: "first"})
	w.mu.Lock()
	waiting := len(w.queue)
	w.mu.Unlock()
	if waiting > maxQueue {
		t.Errorf("%d wait", waiting)
	}
	close(release)
	if err := w.close(t.Context()); err != nil {
		t.Fatal(err)
	}
	open := map[string]bool{}
	all, _ := rec.snapshot()
	for _, e := range all {
		open[e.Connection] = e.Kind == attach.HandshakeObserved
	}
	for c, is := range open {
		if is {
			t.Errorf("connection %s stays open", c)
		}
	}
}

// What is left out leaves nothing open and nobody out: neither beside a list that
// waits, nor of clients that have no connection and so no name.
func TestWhatIsLeftOut(t *testing.T) {
	const came, listed, went = "came", "listed", "went"
	for name, row := range map[string]struct {
		connection string
		steps      []string
		times      int
		want       attach.Status
	}{
		"a list of one that went":        {"c1", []string{came, listed, went}, 1, attach.StatusDisconnected},
		"a list without a connection":    {"", []string{came, listed, went}, 1, attach.StatusDisconnected},
		"without a connection, again":    {"", []string{went, came}, 1, attach.StatusConnected},
		"without a connection, and over": {"", []string{went, came}, 4 * maxQueue, attach.StatusConnected},
	} {
		t.Run(name, func(t *testing.T) {
			w, rec, busy, hold := heldAtAnEnd()
			w.add(attach.Evidence{Kind: attach.ConnectionClosed, Connection: "0"})
			takes(t, busy)
			for range row.times {
				for _, step := range row.steps {
					switch step {
					case came:
						w.add(attach.Evidence{Kind: attach.HandshakeObserved, Connection: row.connection})
					case listed:
						tools := render(set(t, echo("a_kandev")), false)
						w.addList(&written{chunks: [][]byte{[]byte(`{"jsonrpc":"2.0","id":1,"result":`), tools.result, []byte("}}")}, tools: tools, connection: row.connection})
					case went:
						w.add(attach.Evidence{Kind: attach.ConnectionClosed, Connection: row.connection})
					}
				}
			}
			w.mu.Lock()
			if len(w.queue) > maxQueue {
				t.Errorf("%d wait", len(w.queue))
			}
			w.squeeze() // as when the queue was full of others
			w.mu.Unlock()
			close(hold)
			if err := w.close(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := rec.status(); got != row.want {
				t.Errorf("%s after %v", got, rec.kinds())
			}
		})
	}
}

// More connections than the queue is long end at once, as at an endpoint's
// close beside other evidence: each end is recorded, or the server would read as
// connected for ever.
func TestEveryCloseIsRecorded(t *testing.T) {
	w, rec, busy, hold := heldAtAnEnd()
	const many = 2*maxQueue + 5
	for n := range many {
		w.add(attach.Evidence{Kind: attach.HandshakeObserved, Connection: fmt.Sprint(n)})
		rec.await(t, attach.HandshakeObserved, n+1)
	}
	for n := range many {
		w.add(attach.Evidence{Kind: attach.ConnectionClosed, Connection: fmt.Sprint(n)})
	}
	takes(t, busy)
	close(hold)
	if err := w.close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := rec.count(attach.ConnectionClosed); n != many {
		t.Errorf("%d ends of %d", n, many)
	}
}

package mcpserver

import (
	"context"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kandev/backend/attach"
)

// follow keeps what is connected by what evidence says.
func follow(open map[string]bool, e attach.Evidence) {
	switch e.Kind {
	case attach.HandshakeObserved:
		open[e.Connection] = true
	case attach.ConnectionClosed:
		delete(open, e.Connection)
	}
}

// open is what the evidence says is connected. No more may be at any time.
func (r *rig) open() map[string]bool {
	r.t.Helper()
	open := map[string]bool{}
	all, _ := r.rec.snapshot()
	for _, e := range all {
		follow(open, e)
		if len(open) > attach.MaxConnections {
			r.t.Fatalf("%d connections are open", len(open))
		}
	}
	return open
}

// status is what becomes of the evidence.
func (r *rig) status() attach.Status {
	r.t.Helper()
	_ = r.open()
	return r.rec.status()
}

func (r *recorder) status() attach.Status {
	all, _ := r.snapshot()
	history, _ := attach.Reduce(attach.History{}, attach.Evidence{Kind: attach.Started, Attempt: all[0].Attempt})
	for _, e := range all {
		history, _ = attach.Reduce(history, e)
	}
	for _, server := range history.Current().Servers {
		return server.Status
	}
	return attach.StatusUnknown
}

// A client that makes session after session and ends none: its connections are
// bounded, and one that was taken for closed is there again with its next
// request, also when all others have ended.
func TestConnectionsAreBounded(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev"))).init()
	first := r.sid
	var others []string
	for range attach.MaxConnections + 3 {
		others = append(others, r.init().sid)
	}
	r.agree(false)
	for _, id := range others {
		r.send("DELETE", "", "Mcp-Session-Id", id)
	}
	r.agree(false)
	if got := r.status(); got != attach.StatusDisconnected {
		t.Errorf("%s with no connection open", got)
	}
	r.sid = first
	r.call("a_kandev", `{"q":"1"}`)
	r.rec.await(t, attach.ToolCallObserved, 1)
	if got := r.status(); got != attach.StatusConnected {
		t.Errorf("%s after a call", got)
	}
}

// Streams count for more than sessions that nobody uses; and of more streams
// than may be connections, one that had no room has it when another ends.
func TestStreamsStayConnected(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev"))).init()
	_, end := r.stream()
	defer end()
	for range attach.MaxConnections + 3 {
		r.init()
	}
	r.agree(true)
	all, _ := r.rec.snapshot()
	for _, e := range all {
		if e.Kind == attach.ConnectionClosed && e.Connection == "c1" {
			t.Error("a stream gave way to what is idle")
		}
	}

	r = setup(t, set(t, echo("a_kandev")))
	var ids []string
	for range attach.MaxConnections + 1 {
		ids = append(ids, r.init().sid)
		lines, end := r.stream()
		defer end()
		receive(t, lines, ": open")
	}
	for _, id := range ids[1:] {
		r.send("DELETE", "", "Mcp-Session-Id", id)
	}
	r.agree(true)
	if got := r.status(); got != attach.StatusConnected {
		t.Errorf("%s while a stream is open", got)
	}
}

// A stream of the newer era finds room among the sessions of the older.
func TestListensFindRoom(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev")))
	for range attach.MaxConnections {
		r.init()
	}
	lines, end := r.listen("1", `{}`)
	defer end()
	receive(t, lines, "acknowledged")
	r.agree(true)
	if got := r.status(); got != attach.StatusConnected {
		t.Error(got)
	}
}

// A list that is written while its session is ended is a list that was served,
// and no connection: nothing would ever close it.
func TestListOfAnEndedSession(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev"))).init()
	sess, _ := r.e.sessions.begin(r.sid)
	r.send("DELETE", "")
	request := &request{
		w: httptest.NewRecorder(), r: httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/", nil),
		msg: envelope{ID: []byte("1")}, sess: sess,
	}
	r.e.list(request)
	r.e.sessions.end(sess)
	r.rec.await(t, attach.ToolsListCounted, 1)
	r.rec.await(t, attach.ConnectionClosed, 2)
	if got := r.status(); got != attach.StatusDisconnected {
		t.Error(got)
	}
}

// A session that ends while its list is noted: the end comes behind the list,
// which would open the connection again.
func TestListBeforeItsEnd(t *testing.T) {
	var noting atomic.Pointer[func()]
	r := setup(t, set(t, echo("a_kandev")), func(o *Options, _ *limits) {
		o.Now = func() time.Time {
			if f := noting.Swap(nil); f != nil {
				(*f)()
			}
			return time.Now()
		}
	}).init()
	sess, _ := r.e.sessions.begin(r.sid)
	end := func() {
		if r.e.sessions.mu.TryLock() { // nobody sees to the order
			r.e.sessions.mu.Unlock()
			r.e.sessions.drop(sess)
		}
	}
	noting.Store(&end)
	r.e.list(&request{
		w: httptest.NewRecorder(), r: httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/", nil),
		msg: envelope{ID: []byte("1")}, sess: sess,
	})
	r.e.sessions.drop(sess)
	r.rec.await(t, attach.ToolsListCounted, 1)
	r.rec.await(t, attach.ConnectionClosed, 1)
	if got := r.status(); got != attach.StatusDisconnected {
		t.Error(got)
	}
}

// Whatever clients do: evidence and endpoint agree on what is open, never more
// than there may be, and with a stream open something is.
func TestConnectionsAtRandom(t *testing.T) {
	for seed := range uint64(3) {
		random := rand.New(rand.NewPCG(seed, 7))
		c := newClock()
		r := setup(t, set(t, echo("a_kandev")), clocked(c))
		go func() { // nobody waits for timers here
			for {
				select {
				case <-c.made:
				case <-t.Context().Done():
					return
				}
			}
		}()
		var ids []string
		streams := map[string]func(){}
		for range 150 {
			switch op := random.IntN(10); {
			case op < 4 || len(ids) == 0:
				ids = append(ids, r.init().sid)
			case op < 6:
				r.sid = ids[random.IntN(len(ids))]
				r.call("a_kandev", `{"q":"1"}`)
			case op == 6:
				r.sid = ids[random.IntN(len(ids))]
				if streams[r.sid] == nil {
					lines, end := r.stream()
					receive(t, lines, ": open")
					streams[r.sid] = func() {
						end()
						for range lines {
						}
					}
				}
			case op == 7 && len(streams) > 0:
				id := slices.Collect(maps.Keys(streams))[0]
				streams[id]()
				delete(streams, id)
			case op == 8:
				c.fire(false)
			default:
				n := random.IntN(len(ids))
				r.send("DELETE", "", "Mcp-Session-Id", ids[n])
				delete(streams, ids[n])
				ids = slices.Delete(ids, n, n+1)
			}
			r.agree(len(streams) > 0)
		}
		for _, end := range streams {
			end()
		}
	}
}

// streams are the connections of those of the newer era.
func (r *rig) streams() map[string]bool {
	r.e.stateless.mu.Lock()
	defer r.e.stateless.mu.Unlock()
	out := map[string]bool{}
	for _, l := range r.e.stateless.listens {
		out[l.connection] = true
	}
	return out
}

// listening waits until so many of them are there.
func (r *rig) listening(n int) {
	r.t.Helper()
	for began := time.Now(); len(r.streams()) != n; runtime.Gosched() {
		if time.Since(began) > patience {
			r.t.Fatalf("%d streams, not %d", len(r.streams()), n)
		}
	}
}

// agree waits until the observer has nothing left to tell, and compares.
func (r *rig) agree(streaming bool) {
	r.t.Helper()
	for began := time.Now(); ; runtime.Gosched() {
		r.e.sessions.mu.Lock()
		inside := r.streams()
		for _, s := range r.e.sessions.byID {
			if s.connection != "" {
				inside[s.connection] = true
			}
		}
		r.e.sessions.mu.Unlock()
		open := r.open()
		if maps.Equal(open, inside) && (len(inside) > 0 || !streaming) {
			return
		}
		if time.Since(began) > patience {
			r.t.Fatalf("evidence has %v, the endpoint %v, streaming %v", open, inside, streaming)
		}
	}
}

// Streams of the newer era have no end but their own: while they are all there may be, a client of the older one is
// served and no connection more is open. It has one when a stream ends.
func TestNoRoomAmongListens(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev"))).init()
	older, end := r.stream()
	defer end()
	receive(t, older, ": open")
	var ends []func()
	for range attach.MaxConnections {
		lines, end := r.listen("1", `{}`)
		receive(t, lines, "acknowledged")
		ends = append(ends, end)
	}
	r.call("a_kandev", `{"q":"1"}`)
	r.send("POST", listTools)
	r.rec.await(t, attach.ToolsListCounted, 1)
	if got := r.status(); got != attach.StatusActive {
		t.Error(got)
	}
	for _, end := range ends {
		end()
	}
	r.listening(0)
	r.agree(true)
	if got := r.status(); got != attach.StatusActive && got != attach.StatusConnected {
		t.Errorf("%s while a stream is open", got)
	}
}

// Streams that begin at the same moment count each other.
func TestListensAtOnce(t *testing.T) {
	r := setup(t, set(t, echo("a_kandev")))
	for range attach.MaxConnections - 1 {
		r.init()
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			lines, end := r.listen("1", `{}`)
			receive(t, lines, "acknowledged")
			t.Cleanup(end)
		})
	}
	all.Wait()
	r.agree(true)
	if got := r.status(); got != attach.StatusConnected {
		t.Error(got)
	}
}

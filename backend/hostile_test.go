//go:build linux || darwin

package backend

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"kandev/backend/session"
)

// TestHostileAgents: agents that write, ask and start without measure and never
// read an answer. The window is answered meanwhile, memory is bounded, another
// session works, and a stop ends it all.
// Case 78.
func TestHostileAgents(t *testing.T) {
	for _, what := range []string{"stdout", "stderr", "updates", "permissions", "terminals", "requests"} {
		t.Run(what, func(t *testing.T) {
			a := fakeApp(t)
			other := a.begin(mannerPlain, "")
			id := a.begin(mannerPlain, "")
			a.inState(id, session.Ready)
			a.inState(other, session.Ready)
			a.say(id, "flood "+what)
			a.until("the flood", func() bool { return exists(a.folder(id) + "/flooding") })
			end := time.Now().Add(300 * time.Millisecond)
			for time.Now().Before(end) {
				since := time.Now()
				a.Snapshot()
				_ = a.items(id)
				if took := time.Since(since); took > 2*time.Second {
					t.Errorf("the window waited %v", took)
				}
				<-time.After(50 * time.Millisecond) // a pace: the flood goes on meanwhile
			}
			a.say(other, "hello")
			a.said(other, "you said hello")
			var mem runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&mem)
			if mem.HeapInuse > 600<<20 {
				t.Errorf("%d MiB of memory", mem.HeapInuse>>20)
			}
			since := time.Now()
			if err := a.StopSession(t.Context(), id); err != nil {
				t.Error(err)
			}
			if took := time.Since(since); took > 9*time.Second {
				t.Errorf("the stop took %v", took)
			}
			if n := a.row(id).Waiting; n != 0 {
				t.Errorf("%d wait", n)
			}
			t.Logf("%d MiB, %d items, stop %v, %q", mem.HeapInuse>>20, len(a.items(id)), time.Since(since), lastLine(a.notes(id)))
			if n := a.guarded(); n != 1 {
				t.Errorf("%d processes beside the other session's", n-1)
			}
		})
	}
}

func lastLine(s string) string {
	lines := strings.Split(s, "\n")
	last := lines[len(lines)-1]
	return last[:min(len(last), 200)]
}

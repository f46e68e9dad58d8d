package backend

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kandev/backend/acp"
	"kandev/backend/event"
	"kandev/backend/project"
	"kandev/backend/session"
)

// window is the state a window builds: the reducer of frontend/src/state in
// small.
type window struct {
	seq         uint64
	projects    map[string]event.Project
	tasks       map[string]event.Task
	sessions    map[string]event.Session
	attachments map[string]event.Attachment
	questions   map[string]event.Question
	permissions map[string]event.Permission
	notices     map[string]event.Notice
}

func keyed[T any](list []T, key func(T) string) map[string]T {
	out := map[string]T{}
	for _, v := range list {
		out[key(v)] = v
	}
	return out
}

func openWindow(s event.Snapshot) *window {
	return &window{
		s.Seq,
		keyed(s.Projects, func(v event.Project) string { return v.ID }),
		keyed(s.Tasks, func(v event.Task) string { return v.ID }),
		keyed(s.Sessions, func(v event.Session) string { return v.ID }),
		keyed(s.Attachments, func(v event.Attachment) string { return v.Session }),
		keyed(s.Questions, func(v event.Question) string { return v.ID }),
		keyed(s.Permissions, func(v event.Permission) string { return v.ID }),
		keyed(s.Notices, func(v event.Notice) string { return v.ID }),
	}
}

// apply takes one event; those a snapshot holds already are passed over.
func (w *window) apply(t *testing.T, e event.Event) {
	t.Helper()
	if e.Seq <= w.seq {
		return
	}
	if e.Prev != w.seq {
		t.Fatalf("a gap: event %d follows %d, the window has %d", e.Seq, e.Prev, w.seq)
	}
	w.seq = e.Seq
	v := e.View
	switch {
	case v.Project != nil:
		w.projects[v.Project.ID] = *v.Project
	case v.ProjectGone != "":
		delete(w.projects, v.ProjectGone)
	case v.Task != nil:
		w.tasks[v.Task.ID] = *v.Task
	case v.Session != nil:
		w.sessions[v.Session.ID] = *v.Session
	case v.TaskGone != "":
		delete(w.tasks, v.TaskGone)
	case v.SessionGone != "":
		w.forget(v.SessionGone)
	case v.Attachment != nil:
		w.attachments[v.Attachment.Session] = *v.Attachment
	case v.Transcript != nil:
		if s, ok := w.sessions[v.Transcript.Session]; ok {
			s.Revision = max(s.Revision, v.Transcript.Revision)
			w.sessions[s.ID] = s
		}
	case v.Question != nil:
		w.questions[v.Question.ID] = *v.Question
	case v.Permission != nil:
		w.permissions[v.Permission.ID] = *v.Permission
	case v.Notice != nil:
		w.notices[v.Notice.ID] = *v.Notice
	case v.NoticeGone != "":
		delete(w.notices, v.NoticeGone)
	}
}

func (w *window) forget(id string) {
	delete(w.sessions, id)
	delete(w.attachments, id)
	maps.DeleteFunc(w.questions, func(_ string, q event.Question) bool { return q.Session == id })
}

// shown is the state as text, without what has ended: a snapshot holds only
// what waits for the person, and a removed project's tasks not at all.
func (w *window) shown() string {
	maps.DeleteFunc(w.questions, func(_ string, q event.Question) bool { return q.State != "open" && q.State != "detached" })
	maps.DeleteFunc(w.permissions, func(_ string, p event.Permission) bool { return p.State != "open" })
	maps.DeleteFunc(w.tasks, func(_ string, k event.Task) bool { _, ok := w.projects[k.Project]; return !ok })
	b, _ := json.MarshalIndent([]any{w.projects, w.tasks, w.sessions, w.attachments, w.questions, w.permissions, w.notices}, "", " ")
	return string(b)
}

// TestEveryWindowAgrees: whatever happens, and whenever a window asks for its
// snapshot, with the events after it it shows what a fresh snapshot shows.
func TestEveryWindowAgrees(t *testing.T) {
	for seed := range uint64(4) {
		a := fakeApp(t)
		random := rand.New(rand.NewPCG(seed, 1))
		p := a.project()
		var mu sync.Mutex
		var windows []*window
		look := func() {
			mu.Lock()
			defer mu.Unlock()
			windows = append(windows, openWindow(a.Snapshot()))
		}
		look()
		var wg sync.WaitGroup
		for n := range 3 {
			prompts := []string{"hello", "list20", "ask", "drop", "call create_task {\"title\":\"T\"}", "call set_task_title {\"title\":\"U\"}", "exit 3"}
			random.Shuffle(len(prompts), func(i, j int) { prompts[i], prompts[j] = prompts[j], prompts[i] })
			wg.Go(func() { a.play(p.ID, prompts, look, n == 0) })
		}
		wg.Wait()
		now, events := a.calm()
		for i, e := range events {
			if e.Seq != uint64(i+1) || e.Prev != uint64(i) || e.Epoch != events[0].Epoch || sizeOf(e.View) > event.MaxView {
				t.Fatalf("event %d: %+v", i+1, e)
			}
		}
		want := openWindow(now).shown()
		for n, w := range windows {
			for _, e := range events {
				w.apply(t, e)
			}
			if got := w.shown(); got != want {
				t.Fatalf("seed %d, window %d of %d shows\n%s", seed, n, len(windows), difference(got, want))
			}
		}
	}
}

// play lives through a session, with a look of a new window after each step.
func (a *testApp) play(in project.ID, prompts []string, look func(), deleted bool) {
	id, err := a.NewSession(a.t.Context(), NewSession{Project: in, Agent: "fake-" + mannerPlain})
	if err != nil {
		a.t.Error(err)
		return
	}
	for _, prompt := range prompts {
		a.until("a session that can go on", func() bool {
			s := session.State(a.row(id).State)
			if s == session.Failed {
				_ = a.StartSession(a.t.Context(), id)
			}
			return s == session.Ready
		})
		look()
		a.say(id, prompt)
		look()
		a.until("the end of the turn", func() bool {
			for _, q := range a.Snapshot().Questions {
				if q.Session == string(id) && prompt == "ask" {
					_ = a.Answer(q.ID, blue)
				}
			}
			s := session.State(a.row(id).State)
			return s == session.Ready || s == session.Failed
		})
		look()
	}
	if !deleted {
		a.update(id)
		return
	}
	if err := a.DeleteSession(a.t.Context(), id); err != nil {
		a.t.Error(err)
	}
}

// update has the agent say one thing more, after which only the transcript changes.
func (a *testApp) update(id session.ID) {
	c, err := a.find(id)
	if err != nil {
		a.t.Error(err)
		return
	}
	c.update(acp.Update{Kind: acp.KindMessageChunk, Chunk: &acp.Chunk{Text: "one thing more"}})
}

// calm waits until every event was sent.
func (a *testApp) calm() (now event.Snapshot, events []event.Event) {
	a.t.Helper()
	a.until("every event sent", func() bool {
		for _, c := range a.all() { // none is between what a snapshot holds and the event that tells it
			c.mu.Lock()
			defer c.mu.Unlock()
		}
		a.out.mu.Lock() // nothing is published between the snapshot and the events
		defer a.out.mu.Unlock()
		_, next := a.out.stream.Take(time.Time{}) // nothing is due then
		now, events = a.out.stream.Snapshot(), a.seen()
		return next.IsZero() && (len(events) == 0 || events[len(events)-1].Seq == now.Seq)
	})
	return now, events
}

func (a *testApp) seen() []event.Event {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.events)
}

// difference is the lines that only one of two texts has.
func difference(a, b string) string {
	var out []string
	for _, pair := range []struct{ mark, from, other string }{{"+", a, b}, {"-", b, a}} {
		for line := range strings.Lines(pair.from) {
			if !strings.Contains(pair.other, line) {
				out = append(out, pair.mark+" "+strings.TrimSpace(line))
			}
		}
	}
	return strings.Join(out, "\n")
}

func sizeOf(v any) int {
	b, _ := json.Marshal(v)
	return len(b)
}

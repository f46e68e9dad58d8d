//go:build linux

package agents

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"kandev/backend"
	"kandev/backend/attach"
	"kandev/backend/session"
	"kandev/e2e/agents/provider"
)

// world is one agent with everything around it, inside its namespace.
type world struct {
	rig
	t        *testing.T
	provider *provider.Provider
	env      []string // of the app, with what points the agent at the provider
	home     string   // the app's data folder
	folder   string   // the project's folder
	tee      string   // what the app and the agent said to each other
	own      *own     // the person's own servers
	app      *app
	id       session.ID
	count    int // directives so far
	facts    *facts
}

// TestInside is everything about one agent, in an order in which each step
// finds what the one before it left. Each step has a verdict of its own.
func TestInside(t *testing.T) {
	id := os.Getenv(envInside)
	if id == "" {
		t.Skip("TestAgents runs this in a network namespace of its own")
	}
	w := newWorld(t, rigOf(t, id))
	steps := []struct {
		name string
		run  func(*world, *testing.T)
	}{
		{"start", (*world).start},
		{"own servers", (*world).ownServers},
		{"turn with a tool call", (*world).turn},
		{"question answered", (*world).answered},
		{"names and definitions", (*world).definitions},
		{"cancel during a question", (*world).cancelled},
		{"bearer", (*world).bearer},
		{"canonical names", (*world).canonical},
		{"list_changed", (*world).listChanged},
		{"load", (*world).load},
		{"reset", (*world).reset},
		{"end", (*world).end},
		{"kill -9 of the app", (*world).killed},
		{"long question", (*world).long},
	}
	for _, step := range steps {
		ok := t.Run(step.name, func(t *testing.T) {
			w.t = t
			if w.app != nil {
				w.app.t = t
			}
			step.run(w, t)
		})
		if !ok && step.name == "start" {
			break // nothing after it means anything
		}
	}
	w.t = t
	w.facts.write(t, os.Getenv(envFacts))
}

func newWorld(t *testing.T, r rig) *world {
	t.Helper()
	p, err := provider.Listen()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	w := &world{rig: r, t: t, provider: p, home: filepath.Join(t.TempDir(), oddFolder), folder: filepath.Join(t.TempDir(), oddFolder), facts: &facts{Agent: r.id}}
	if err := os.Mkdir(w.folder, 0o700); err != nil {
		t.Fatal(err)
	}
	w.env = r.environ(t, p.URL())
	w.own = newOwn(t)
	if r.npm != "" {
		w.tee = filepath.Join(t.TempDir(), "frames")
		w.env = append(withoutPath(w.env), "PATH="+teeFolder(t, r, w.tee)+":"+os.Getenv("PATH"))
	}
	w.facts.Version = r.version(t)
	t.Cleanup(func() {
		if t.Failed() || os.Getenv(envTrace) != "" {
			w.report(t)
		}
		if w.app != nil {
			w.app.quit()
		}
	})
	return w
}

// start opens the app, gives the agent the person's servers and starts a
// session. The agent was found by the backend.
func (w *world) start(t *testing.T) {
	w.app = openApp(t, w.home, w.env)
	w.own.save(w.app, w.rig.id)
	p, err := w.app.AddProject(t.Context(), w.folder)
	if err != nil {
		t.Fatal(err)
	}
	if requests := w.own.seen(); len(requests) > 0 {
		t.Errorf("own server asked before a start: %q", requests)
	}
	if w.id, err = w.app.NewSession(t.Context(), backend.NewSession{Project: p.ID, Agent: w.rig.id}); err != nil {
		t.Fatal(err)
	}
	w.app.inState(w.id, session.Ready)
	w.listed()
}

// listed waits until the agent has asked for our tools: some do after
// session/new, and a model that is asked sooner has none.
func (w *world) listed() {
	w.t.Helper()
	w.app.until("our tools listed", func() bool { return w.app.server(w.id, attach.BuiltinServer).Status == string(attach.StatusActive) })
}

// end stops the session and the app: after that the person's servers hear nothing.
func (w *world) end(t *testing.T) {
	if err := w.app.StopSession(t.Context(), w.id); err != nil {
		t.Error(err)
	}
	w.app.quit()
	w.app = nil
	if left := inNamespace(); len(left) > 0 {
		t.Errorf("left after an orderly end: %v", left)
	}
	w.own.checkLogs(t, w)
	w.doubled(t)
}

// directive makes the next one.
func (w *world) directive(tool, arguments string) provider.Directive {
	w.count++
	d := provider.Directive{ID: "t" + strconv.Itoa(w.count), Tool: tool}
	if arguments != "" {
		d.Arguments = []byte(arguments)
	}
	return d
}

// say sends a directive as a prompt.
func (w *world) say(d provider.Directive) {
	w.t.Helper()
	text := d.Prompt()
	if w.noModel {
		text = d.Tool + " " + string(d.Arguments)
		if d.Tool == "" {
			text = "tools"
		}
	}
	if err := w.app.Prompt(w.t.Context(), w.id, text); err != nil {
		w.t.Fatalf("prompt: %v", err)
	}
}

// finished waits for the end of a directive's turn and reads its last words.
func (w *world) finished(d provider.Directive) {
	w.t.Helper()
	w.app.inState(w.id, session.Ready)
	if w.noModel {
		return
	}
	if m := w.app.last(w.id, session.ItemMessage); !contains(m.Text, d.Final()) {
		w.t.Errorf("the agent's last words are %q, not %q", m.Text, d.Final())
	}
}

package backend

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kandev/backend/attach"
	"kandev/backend/event"
	"kandev/backend/plugin"
	"kandev/backend/session"
	"kandev/backend/wasm/guests"
)

// spinning is a plugin whose calls do not end by themselves.
func spinning() []byte { return guests.Hostile()["call-loop"].Wasm() }

// ready is a session with a client of the test's own.
func (a *testApp) ready() (session.ID, *mcpSession) {
	a.t.Helper()
	id := a.begin(mannerPlain, "")
	a.inState(id, session.Ready)
	return id, a.client(id)
}

type called struct {
	text   string
	failed bool
}

// running starts a call and comes back when the plugin has it.
func (a *testApp) running(c *mcpSession, id, tool string) chan called {
	a.t.Helper()
	out := make(chan called, 1)
	go func() {
		text, failed := c.call(tool, nil)
		out <- called{text, failed}
	}()
	a.until("the call runs", func() bool {
		a.plugins.mu.Lock()
		defer a.plugins.mu.Unlock()
		return a.plugins.all[id].run.Running() > 0
	})
	return out
}

// ends waits for the answer of a call.
func ends(t *testing.T, out chan called) called {
	t.Helper()
	select {
	case r := <-out:
		return r
	case <-time.After(20 * time.Second):
		t.Fatal("the call does not end")
	}
	return called{}
}

// TestPluginStorm is case 52: many changes are few notifications, none where
// nothing changed, and what is served at the end is what is enabled.
func TestPluginStorm(t *testing.T) {
	a := fakeApp(t)
	id, c := a.ready()
	name := a.install(moduleFile(t, "storm", echoModule()))
	c.names()
	began := time.Now()
	for range 100 {
		a.enable(name)
		a.enable(name) // changes nothing
		a.disable(name)
		a.disable(name)
	}
	a.enable(name)
	took := time.Since(began)
	a.until("told of it", func() bool { return c.told() > 0 })
	if got := c.names(); !slices.Equal(got, []string{"kandev_storm_echo"}) {
		t.Fatalf("%q", got)
	}
	if most := 2 + int(took/(250*time.Millisecond)); c.told() > most {
		t.Errorf("told %d times within %s, at most %d", c.told(), took, most)
	}
	a.mu.Lock()
	shown := 0
	for _, e := range a.events {
		if e.View.Plugins != nil {
			shown++
		}
	}
	a.mu.Unlock()
	if most := 3 + int(time.Since(began)/event.PacePlugins); shown > most {
		t.Errorf("the window was told %d times, at most %d", shown, most)
	}
	told := c.told()
	a.enable(name)
	if err := a.ConfigurePlugin(t.Context(), name, []PluginValue{{Key: "extra", Value: "x"}}); err != nil {
		t.Fatal(err)
	}
	c.healthy(a, id)
	if c.told() != told {
		t.Error("told although nothing changed")
	}
	if n := len(a.history(id).Current().Evidence); n > 64 {
		t.Errorf("%d pieces of evidence", n)
	}
}

// TestPluginOffDuringCall is case 118: whoever takes a plugin away ends its
// running calls with a clear error, and no server turns red.
func TestPluginOffDuringCall(t *testing.T) {
	a := fakeApp(t)
	id, c := a.ready()
	name := a.install(moduleFile(t, "spin", spinning()))
	for what, take := range map[string]func(){
		"disable": func() { a.disable(name) },
		"remove": func() {
			if err := a.RemovePlugin(t.Context(), name); err != nil {
				t.Error(err)
			}
		},
	} {
		if a.plugin(name).Manifest.ID == "" {
			name = a.install(moduleFile(t, "spin", spinning()))
		}
		a.enable(name)
		c.names()
		out := a.running(c, name, "kandev_spin_echo")
		take()
		if r := ends(t, out); !r.failed || !strings.Contains(r.text, "switched off, updated or removed while it ran") {
			t.Errorf("%s: %+v", what, r)
		}
		if text, failed := c.call("kandev_spin_echo", nil); !failed || !strings.Contains(text, "not found") {
			t.Errorf("%s, and a later call: %s", what, text)
		}
		c.healthy(a, id)
	}
	if s := a.builtin(id); s.Status == string(attach.StatusFailed) {
		t.Errorf("%+v", s)
	}
}

// TestToggleBeside is case 68: what is switched during a call ends no other.
func TestToggleBeside(t *testing.T) {
	a := fakeApp(t)
	id, c := a.ready()
	slow, other := a.install(packageFile(t, "slow", spinning(), limited(3*time.Second))), a.install(moduleFile(t, "other", echoModule()))
	a.enable(slow)
	c.names()
	out := a.running(c, slow, "kandev_slow_echo")
	asked := make(chan called, 1)
	go func() {
		text, failed := c.call("ask_user_question_kandev", map[string]any{"questions": []any{map[string]any{"prompt": "Which?"}}})
		asked <- called{text, failed}
	}()
	a.until("an open question", func() bool { return len(a.Snapshot().Questions) == 1 })
	for range 5 {
		a.enable(other)
		a.disable(other)
	}
	if err := a.RemovePlugin(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	if r := ends(t, out); !strings.Contains(r.text, "did not finish within 3s") {
		t.Errorf("the running call: %+v", r)
	}
	if err := a.RejectQuestion(a.Snapshot().Questions[0].ID, "no"); err != nil {
		t.Fatal(err)
	}
	if r := ends(t, asked); !strings.Contains(r.text, "no") {
		t.Errorf("the question: %+v", r)
	}
	c.healthy(a, id)
}

// TestSlowPlugin is case 54: a plugin that takes long to be ready is listed at
// once, and its first call waits for it.
func TestSlowPlugin(t *testing.T) {
	a := fakeApp(t)
	id, c := a.ready()
	slow := guests.Of("describe", "call", guests.Echo()).Initialising(guests.Sleeping(700 * time.Millisecond))
	name := a.install(packageFile(t, "slow.start", slow.Wasm(), nil))
	began := time.Now()
	a.enable(name)
	if got := c.names(); !slices.Equal(got, []string{"kandev_slow_start_echo"}) || time.Since(began) > 600*time.Millisecond {
		t.Errorf("%q after %s", got, time.Since(began))
	}
	if text, failed := c.call("kandev_slow_start_echo", map[string]any{"text": "hi"}); failed || !strings.Contains(text, "hi") || time.Since(began) < 700*time.Millisecond {
		t.Errorf("%s after %s", text, time.Since(began))
	}
	c.healthy(a, id)
}

// TestCrashLoop: five failures in a minute switch a plugin off, in every
// session and for good, with the reason.
func TestCrashLoop(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	id, c := a.ready()
	name := a.install(moduleFile(t, "trap", guests.Hostile()["trap"].Wasm()))
	a.enable(name)
	c.names()
	for range plugin.LoopFailures {
		if text, failed := c.call("kandev_trap_echo", nil); !failed || !strings.Contains(text, "it crashed: unreachable") {
			t.Fatalf("%s", text)
		}
	}
	a.until("switched off", func() bool { return a.plugin(name).Status.Reason == plugin.CrashLoop })
	a.until("gone from the list", func() bool { return len(c.names()) == 0 })
	c.healthy(a, id)
	a.quit()
	a = openApp(t, home, fakes)
	p := a.plugin(name)
	if p.Status.State != plugin.Disabled || p.Status.Reason != plugin.CrashLoop || !strings.Contains(p.Status.Detail, "5 failures") || !strings.Contains(p.Status.Detail, "unreachable") {
		t.Errorf("%+v", p.Status)
	}
	a.enable(name) // a person may try again
	if p := a.plugin(name); p.Status.State != plugin.Enabled {
		t.Errorf("%+v", p.Status)
	}
}

// TestPluginsSideBySide: changes, lists and calls at once, from everywhere.
func TestPluginsSideBySide(t *testing.T) {
	a := fakeApp(t)
	id, c := a.ready()
	second, d := a.ready()
	names := []string{a.install(moduleFile(t, "one", echoModule())), a.install(moduleFile(t, "two", echoModule()))}
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Go(func() {
			for range 15 {
				if err := a.EnablePlugin(t.Context(), name, a.plugin(name).Manifest.Permissions.Granted()); err != nil {
					t.Error(err)
				}
				if err := a.DisablePlugin(t.Context(), name); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for _, client := range []*mcpSession{c, d} {
		wg.Go(func() {
			for range 20 {
				client.names()
				for _, name := range names {
					text, failed := client.call("kandev_"+name+"_echo", map[string]any{"text": "mine"})
					if !failed && !strings.Contains(text, "mine") {
						t.Errorf("%s", text)
					}
				}
			}
		})
	}
	wg.Go(func() {
		for range 10 {
			if err := a.ConfigurePlugin(t.Context(), names[0], []PluginValue{{Key: "k", Value: "v"}}); err != nil {
				t.Error(err)
			}
		}
	})
	wg.Wait()
	for _, name := range names {
		a.enable(name)
	}
	want := []string{"kandev_one_echo", "kandev_two_echo"}
	for _, client := range []*mcpSession{c, d} {
		if got := client.names(); !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
	}
	c.healthy(a, id)
	d.healthy(a, second)
	if err := a.EnablePlugin(t.Context(), "nobody", plugin.Grant{}); !errors.Is(err, ErrPluginNotFound) {
		t.Error(err)
	}
}

// TestLoadedBound: what stays loaded between calls is bounded; what was called
// last stays longest, and what was unloaded answers all the same.
func TestLoadedBound(t *testing.T) {
	a := fakeApp(t)
	_, c := a.ready()
	large := guests.Of("describe", "call", guests.Echo()).With(make([]byte, 4<<20)).Wasm()
	ids := []string{"first", "second", "third"}
	for _, id := range ids {
		a.enable(a.install(packageFile(t, id, large, nil)))
	}
	loaded := func() (out []string) {
		a.plugins.mu.Lock()
		defer a.plugins.mu.Unlock()
		for _, id := range ids {
			if a.plugins.all[id].run.Loaded() {
				out = append(out, id)
			}
		}
		return out
	}
	a.until("made ready in the background, within the bound", func() bool { return len(loaded()) == 2 })
	for _, id := range append(slices.Clone(ids), "second", "first") {
		if text, failed := c.call("kandev_"+id+"_echo", map[string]any{"text": id}); failed || !strings.Contains(text, id) {
			t.Errorf("%s: %s", id, text)
		}
	}
	a.until("the last two stay", func() bool { return slices.Equal(loaded(), []string{"first", "second"}) })
}

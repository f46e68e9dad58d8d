package backend

import (
	"strings"
	"sync"
	"testing"
	"time"

	"kandev/backend/plugin"
	"kandev/backend/wasm"
	"kandev/backend/wasm/guests"
)

// TestHostileSession is cases 115 and 116: in one session, plugins that loop,
// trap, flood, want all memory, answer with 10 MB or with what is no text, in
// a call, at their start and when they describe themselves. Each call ends with
// one line that names the plugin; other tools, lists and the endpoint go on.
func TestHostileSession(t *testing.T) {
	a := fakeApp(t)
	a.plugins.o.warm = false // each call loads for itself
	id, c := a.ready()
	set := guests.Hostile()
	endless := []string{ // ended by their time limit; describe-loop's load goes on for longer
		"call-loop", "call-tree", "start-loop", "init-loop", "describe-loop", "sleep", "random-flood", "memory-grow", "log-flood", "stdout-flood",
	}
	says := map[string]string{
		"trap": "it crashed: unreachable", "exit": "ended itself with code 3", "recursion": "stack overflow",
		"memory-4g": "out of bounds", "alloc-bomb": "16 MiB", "output-10m": "10485760 bytes", "output-oob": "outside of the memory",
		"invalid-utf8": "a\ufffdb", "answer-deep": "not the JSON", "describe-17": "17 tools", "describe-text": "not the JSON", "describe-twice": "{",
	}
	for _, name := range endless {
		a.enable(a.install(packageFile(t, name, set[name].Wasm(), limited(400*time.Millisecond))))
	}
	for name := range says {
		a.enable(a.install(packageFile(t, name, set[name].Wasm(), limited(30*time.Second))))
	}
	if got := c.names(); len(got) != len(endless)+len(says) {
		t.Fatalf("%d tools of %d", len(got), len(endless)+len(says))
	}
	call := func(name, want string) {
		text, failed := c.call("kandev_"+plugin.Slug(name)+"_echo", map[string]any{"text": "x"})
		fine := name == "invalid-utf8" || name == "describe-twice"
		if !strings.Contains(text, want) || failed == fine || failed && !strings.Contains(text, "Plugin "+name) {
			t.Errorf("%s: %.200q", name, text)
		}
	}
	for name, want := range says {
		call(name, want)
	}
	var wg sync.WaitGroup
	for _, name := range endless {
		wg.Go(func() { call(name, "did not finish within 400ms") })
	}
	for range 5 {
		c.healthy(a, id)
	}
	wg.Wait()
	c.healthy(a, id)
}

// TestUnusable: what cannot be loaded is switched off by itself, with the
// reason. One that only takes too long may be better another time: that counts
// as one failure.
func TestUnusable(t *testing.T) {
	a := fakeApp(t)
	id, c := a.ready()
	a.enable(a.install(packageFile(t, "many", guests.Hostile()["describe-17"].Wasm(), nil)))
	a.until("switched off", func() bool {
		p := a.plugin("many")
		return p.Status.Reason == plugin.Unusable && strings.Contains(p.Status.Detail, "17 tools") && len(p.Runs) == 1 && p.Runs[0].Tool == ""
	})
	a.until("gone from the list", func() bool { return len(c.names()) == 0 })
	a.enable(a.install(packageFile(t, "loops", guests.Hostile()["describe-loop"].Wasm(), nil)))
	a.until("noted", func() bool {
		p := a.plugin("loops")
		return len(p.Runs) == 1 && p.Runs[0].Outcome == wasm.Timeout && strings.Contains(p.Runs[0].Line, "does not describe its tools")
	})
	if s := a.plugin("loops").Status; s.State != plugin.Enabled {
		t.Errorf("%+v", s)
	}
	c.healthy(a, id)
}

// TestOneLoadIsOneFailure: however many calls wait for a load that takes too
// long, that is one failure; a plugin is not switched off by its first use.
func TestOneLoadIsOneFailure(t *testing.T) {
	a := fakeApp(t)
	a.plugins.o.warm = false
	id, c := a.ready()
	a.enable(a.install(packageFile(t, "loops", guests.Hostile()["describe-loop"].Wasm(), limited(300*time.Millisecond))))
	c.names()
	var wg sync.WaitGroup
	for range 2 * plugin.LoopFailures {
		wg.Go(func() {
			if text, failed := c.call("kandev_loops_echo", nil); !failed || !strings.Contains(text, "did not finish within 300ms") {
				t.Error(text)
			}
		})
	}
	wg.Wait()
	a.plugins.mu.Lock()
	n := len(a.plugins.all["loops"].failures)
	a.plugins.mu.Unlock()
	if s := a.plugin("loops").Status; s.State != plugin.Enabled || n < 1 || n > 2 { // a busy machine may come too late for the first
		t.Errorf("%d failures, %+v", n, s)
	}
	c.healthy(a, id)
}

// TestHostileFiles: what a person is told of a file that cannot be installed,
// and that nothing of it is kept.
func TestHostileFiles(t *testing.T) {
	a := fakeApp(t)
	set := guests.Hostile()
	for name, want := range map[string]string{
		"describe-loop": "2s", "start-loop": "2s", "start-trap": "unreachable", "describe-17": "17 tools",
		"describe-twice": `two tools are named "echo"`, "describe-schema": "has to be an object", "describe-none": "0 tools",
	} {
		path := moduleFile(t, name, set[name].Wasm())
		seen, err := a.InspectPlugin(t.Context(), path)
		if err != nil || !seen.RanCode || len(seen.Problems) == 0 || !strings.Contains(strings.Join(seen.Problems, " "), want) {
			t.Errorf("%s: %v %q", name, err, seen.Problems)
		}
		if _, err := a.InstallPlugin(t.Context(), path, seen.Digest); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, data := range map[string]string{"empty": "", "text": "hello", "component": "\x00asm\x0d\x00\x01\x00", "cut": "PK\x03\x04"} {
		seen, err := a.InspectPlugin(t.Context(), moduleFile(t, name, []byte(data)))
		if err == nil && len(seen.Problems) == 0 {
			t.Errorf("%s is fine", name)
		}
	}
	if _, err := a.InspectPlugin(t.Context(), t.TempDir()); err == nil {
		t.Error("a folder is fine")
	}
	if all, _, err := a.Plugins(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("%+v %v", all, err)
	}
}

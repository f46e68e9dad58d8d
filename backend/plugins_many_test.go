package backend

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kandev/backend/catalog"
	"kandev/backend/plugin"
	"kandev/backend/session"
	"kandev/backend/wasm/guests"
)

// wide are 16 tools, each with a schema of about so many bytes.
func wide(bytes int) []any {
	var tools []any
	for n := range plugin.MaxTools {
		name := fmt.Sprintf("t%02d", n)
		if n == 0 {
			name = "echo" // the only one that the module has
		}
		tools = append(tools, map[string]any{"name": name, "description": "d", "input_schema": map[string]any{
			"type": "object", "description": strings.Repeat("x", bytes),
		}})
	}
	return tools
}

// TestPluginsBeyondTheCatalog: plugins with more tools and larger schemas than
// a catalog keeps are all served and counted; what is kept says that it is a
// part, and taking them away leaves nothing.
func TestPluginsBeyondTheCatalog(t *testing.T) {
	a := fakeApp(t)
	id, c := a.ready()
	const plugins = 9
	for n := range plugins {
		a.enable(a.install(packageFile(t, fmt.Sprintf("wide%d", n), echoModule(), map[string]any{"tools": wide(4 << 10)})))
	}
	names := c.names()
	if len(names) != plugins*plugin.MaxTools || len(slices.Compact(slices.Sorted(slices.Values(names)))) != len(names) {
		t.Fatalf("%d tools", len(names))
	}
	var kept *catalog.Catalog
	a.until("the catalog", func() bool {
		h := a.history(id)
		kept = h.Current().Servers[0].Catalog
		return kept != nil && kept.Total > plugins*plugin.MaxTools
	})
	if len(kept.Entries) > catalog.MaxTools || !kept.Truncated {
		t.Errorf("%d entries of %d, truncated %v", len(kept.Entries), kept.Total, kept.Truncated)
	}
	if text, failed := c.call("kandev_wide8_t15", nil); !failed || !strings.Contains(text, "does not have it") {
		t.Error(text)
	}
	for n := range plugins {
		if err := a.RemovePlugin(t.Context(), fmt.Sprintf("wide%d", n)); err != nil {
			t.Fatal(err)
		}
	}
	if got := c.names(); len(got) > 0 {
		t.Errorf("%q", got)
	}
	c.healthy(a, id)
}

// TestOneLongRun is case 41: three tools whose schemas are one run of 48 KB that
// a tokenizer finds no word in. The list is answered at once, and the figures
// follow.
func TestOneLongRun(t *testing.T) {
	a := fakeApp(t)
	id, c := a.ready()
	var tools []any
	for _, name := range []string{"echo", "second", "third"} {
		tools = append(tools, map[string]any{"name": name, "description": "d", "input_schema": map[string]any{
			"type": "object", "description": strings.Repeat("漢", 16<<10),
		}})
	}
	a.enable(a.install(packageFile(t, "acme.run", echoModule(), map[string]any{"tools": tools})))
	a.until("the window's estimate", func() bool { return a.plugin("acme.run").Total != nil })
	best := time.Hour // of several: this machine may be busy with something else
	for range 3 {
		began := time.Now()
		if got := c.names(); len(got) != 3 {
			t.Fatalf("%q", got)
		}
		best = min(best, time.Since(began))
	}
	if best > time.Second {
		t.Errorf("a list took %s", best)
	}
	a.until("the figures", func() bool {
		h := a.history(id)
		n := 0
		for _, e := range h.Current().Servers[0].Catalog.Entries {
			if e.Source.Plugin == "acme.run" && e.Estimate != nil && *e.Estimate > 10_000 {
				n++
			}
		}
		return n == 3
	})
	c.healthy(a, id)
}

// TestSessionsStartMeanwhile: whatever changes while sessions start, each is
// served in the end what is enabled, no more and no less, and is told at most
// as often as it changed.
func TestSessionsStartMeanwhile(t *testing.T) {
	a := fakeApp(t)
	var ids []string
	for n := range 4 {
		ids = append(ids, a.install(packageFile(t, fmt.Sprintf("p%d", n), echoModule(), nil)))
	}
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for _, id := range ids {
		wg.Go(func() {
			grant := a.plugin(id).Manifest.Permissions.Granted()
			for n := 0; ctx.Err() == nil; n++ {
				var err error
				if n%2 == 0 {
					err = a.EnablePlugin(t.Context(), id, grant)
				} else {
					err = a.DisablePlugin(t.Context(), id)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	var sessions []session.ID
	for range 4 {
		id := a.begin(mannerPlain, "")
		a.inState(id, session.Ready)
		sessions = append(sessions, id)
	}
	stop()
	wg.Wait()
	a.enable("p1")
	a.enable("p3")
	a.disable("p0")
	a.disable("p2")
	for _, id := range sessions {
		c := a.client(id)
		if got := c.names(); !slices.Equal(got, []string{"kandev_p1_echo", "kandev_p3_echo"}) {
			t.Errorf("%q", got)
		}
		c.healthy(a, id)
	}
}

// TestEverybodyAtOnce: two windows and sessions that call at the same time as
// plugins are changed, updated, configured and removed: nothing hangs, and what
// is stored is what is in memory.
func TestEverybodyAtOnce(t *testing.T) {
	home := t.TempDir()
	a := openApp(t, home, fakes)
	_, c := a.ready()
	config := map[string]any{"config": map[string]any{"token": map[string]any{"secret": true}}}
	files := []string{
		packageFile(t, "acme.busy", echoModule(), config),
		packageFile(t, "acme.busy", guests.Saying(saying("second")).Wasm(), map[string]any{"version": "2.0.0"}),
	}
	grant := plugin.Request{MemoryMB: plugin.DefaultMemoryMB, TimeoutMS: plugin.DefaultTimeoutMS}.Granted()
	var wg sync.WaitGroup
	for window := range 2 {
		wg.Go(func() {
			for n := range 12 {
				path := files[(n+window)%2]
				seen, err := a.InspectPlugin(t.Context(), path)
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := a.InstallPlugin(t.Context(), path, seen.Digest); err != nil {
					t.Error(err)
				}
				known := func(err error) {
					if err != nil && !errors.Is(err, ErrPluginNotFound) && !errors.Is(err, ErrPluginValue) {
						t.Error(err)
					}
				}
				known(a.EnablePlugin(t.Context(), "acme.busy", grant))
				known(a.ConfigurePlugin(t.Context(), "acme.busy", []PluginValue{{Key: "token", Value: "x"}}))
				c.call("kandev_acme_busy_echo", nil)
				if n%4 == 3 {
					known(a.RemovePlugin(t.Context(), "acme.busy"))
				}
			}
		})
	}
	wg.Wait()
	a.install(files[0])
	a.enable("acme.busy")
	now := a.plugin("acme.busy").Status.State
	a.quit()
	all, err := ListPlugins(t.Context(), home)
	if err != nil || len(all) != 1 || all[0].Status.State != now || now != plugin.Enabled {
		t.Errorf("%+v %v", all, err)
	}
	swept(t, home)
	whole(t, home)
}

// TestPluginsComeAndGo: plugins that are enabled, called and removed again and
// again leave no goroutine behind and no memory.
func TestPluginsComeAndGo(t *testing.T) {
	a := fakeApp(t)
	_, c := a.ready()
	path := packageFile(t, "acme.round", echoModule(), nil)
	round := func() {
		for range 20 {
			a.enable(a.install(path))
			if text, failed := c.call("kandev_acme_round_echo", nil); failed {
				t.Fatal(text)
			}
			if err := a.RemovePlugin(t.Context(), "acme.round"); err != nil {
				t.Fatal(err)
			}
		}
	}
	measure := func() (goroutines int, heap uint64) {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return runtime.NumGoroutine(), m.HeapInuse
	}
	round()
	_, before := measure()
	a.until("the warming goroutines end", func() bool { g, _ := measure(); return g < 100 })
	first, _ := measure()
	round()
	round()
	a.until("no more goroutines than before", func() bool { g, _ := measure(); return g <= first+2 })
	if _, after := measure(); after > before+(8<<20) {
		t.Errorf("%d MiB became %d", before>>20, after>>20)
	}
}

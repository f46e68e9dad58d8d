package backend

import (
	"slices"
	"strings"
	"testing"

	"kandev/backend/catalog"
	"kandev/backend/plugin"
	"kandev/backend/session"
	"kandev/backend/wasm/guests"
)

// TestForeignConventions: a module as others ship it, without a manifest of
// ours, in each of the two conventions: what it asks for is shown, it answers
// in a session that runs, and the catalog has its schema and estimate as soon
// as the client listed again.
func TestForeignConventions(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "")
	a.inState(id, session.Ready)
	c := a.client(id)
	c.names() // a client that never listed and whose stream is late is told nothing
	for n, m := range []struct{ name, list, call string }{
		{"servlet", "describe", "call"},
		{"hyper", "list_tools", "call_tool"},
	} {
		path := moduleFile(t, m.name, guests.Of(m.list, m.call, guests.Echo()).Wasm())
		seen, err := a.InspectPlugin(t.Context(), path)
		if err != nil || !seen.RanCode || !seen.Manifest.Bare || len(seen.Manifest.Permissions.Hosts) > 0 || seen.Manifest.Permissions.PrivateNetwork {
			t.Fatalf("%s: %+v %v", m.name, seen, err)
		}
		name := a.install(path)
		if got := a.plugin(name).Status.State; got != plugin.Installed {
			t.Fatalf("%s is %s before anybody granted anything", m.name, got)
		}
		a.enable(name)
		a.until("one list_changed each", func() bool { return c.told() == n+1 })
		served := "kandev_" + m.name + "_echo"
		if !slices.Contains(c.names(), served) {
			t.Fatalf("%s is not served: %q", served, c.names())
		}
		if text, failed := c.call(served, map[string]any{"text": "hi from " + m.name}); failed || !strings.Contains(text, "hi from "+m.name) {
			t.Errorf("%s answers %q", served, text)
		}
		a.until("its definition in the catalog", func() bool {
			return slices.ContainsFunc(a.history(id).Current().Servers[0].Catalog.Entries, func(e catalog.Entry) bool {
				return e.Served == served && e.Source.Plugin == name && e.Source.Tool == "echo" && e.InputSchema != "" && e.Estimate != nil
			})
		})
	}
	c.healthy(a, id)
}

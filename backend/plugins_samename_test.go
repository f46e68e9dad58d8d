package backend

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"kandev/backend/plugin"
	"kandev/backend/wasm/guests"
)

// describing is a servlet whose one tool has a name of its own.
func describing(tool string) []byte {
	return guests.Describing(`{"tools":[{"name":"` + tool + `","description":"d","inputSchema":{"type":"object"}}]}`).Wasm()
}

// TestSameFileName: what is granted to one module is not another's because its
// file has the same name. It is refused with a sentence, and the first stays.
func TestSameFileName(t *testing.T) {
	a := fakeApp(t)
	name := a.install(moduleFile(t, "plugin", echoModule()))
	grant := a.plugin(name).Manifest.Permissions.Granted()
	grant.Hosts, grant.PrivateNetwork = []string{"api.example.com"}, true
	if err := a.EnablePlugin(t.Context(), name, grant); err != nil {
		t.Fatal(err)
	}
	a.enable(a.install(packageFile(t, "acme", echoModule(), map[string]any{"permissions": map[string]any{"hosts": []string{"*"}}})))
	before := []plugin.Installation{a.plugin(name).Installation, a.plugin("acme").Installation}
	for path, want := range map[string]string{
		moduleFile(t, "plugin", describing("other")): `none of its tools (echo)`,
		moduleFile(t, "acme", echoModule()):          `came with a plugin.json`,
		packageFile(t, "plugin", describing("other"), map[string]any{"tools": []any{map[string]any{
			"name": "other", "description": "d", "input_schema": map[string]any{"type": "object"},
		}}}): `none of its tools (echo)`,
	} {
		seen, err := a.InspectPlugin(t.Context(), path)
		if err != nil || len(seen.Problems) != 1 || !strings.Contains(seen.Problems[0], want) || seen.Update != nil {
			t.Errorf("%q %v, want %q", seen.Problems, err, want)
		}
		if _, err := a.InstallPlugin(t.Context(), path, seen.Digest); !errors.Is(err, ErrPluginRefused) {
			t.Error(err)
		}
	}
	for i, id := range []string{name, "acme"} {
		if p := a.plugin(id); !p.Same(before[i].Manifest) || p.Status.State != plugin.Enabled {
			t.Errorf("%s is another one: %+v", id, p.Installation)
		}
	}
	newer := guests.Saying(saying("newer")).Wasm() // has the tool echo as well
	path := moduleFile(t, "plugin", newer)
	seen, err := a.InspectPlugin(t.Context(), path)
	if err != nil || seen.Update == nil || seen.Update.Same || len(seen.Problems) > 0 {
		t.Fatalf("%+v %v", seen, err)
	}
	a.install(path)
	if p := a.plugin(name); p.Status.State != plugin.Enabled || !slices.Equal(p.Grant.Hosts, []string{"api.example.com"}) {
		t.Errorf("%+v", p.Installation)
	}
}

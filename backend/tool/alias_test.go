package tool

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"kandev/backend/catalog"
)

func TestAlias(t *testing.T) {
	plug := func(name string) Definition {
		d := def(name, `{"type":"object"}`)
		d.Source = plugin
		return d
	}
	set, refused := NewSet(1,
		def("create_task_kandev", `{"type":"object"}`), def("both_kandev", `{"type":"object"}`),
		def("_kandev", `{"type":"object"}`), def("twice_kandev_kandev", `{"type":"object"}`),
		plug("both"), plug("plug_kandev"))
	if len(refused) != 0 {
		t.Fatal(refused)
	}
	var served []string
	for _, p := range set.Present(true) {
		served = append(served, p.Served)
	}
	if got, want := strings.Join(served, " "), "_kandev both_kandev create_task twice_kandev both plug_kandev"; got != want {
		t.Errorf("served %s, want %s", got, want)
	}
	for sent, want := range map[string]string{
		"create_task":        "create_task_kandev",
		"create_task_kandev": "create_task_kandev",
		"both":               "both", // an exact name wins
		"both_kandev":        "both_kandev",
		"plug_kandev":        "plug_kandev",
		"plug":               "", // plugin tools are never aliased
		"twice_kandev":       "twice_kandev_kandev",
		"_kandev":            "_kandev",
		"nope":               "",
		"":                   "",
	} {
		d, ok := set.Resolve(sent, true)
		if got := nameOf(d, ok); got != want {
			t.Errorf("Resolve(%q) = %q, want %q", sent, got, want)
		}
	}
	if _, ok := set.Resolve("create_task", false); ok {
		t.Error("an alias on an endpoint without the capability")
	}
}

func nameOf(d *Definition, ok bool) string {
	if !ok {
		return ""
	}
	return d.Name
}

// spec/names.md: list and client presentation composed. A namespacing client
// shows <tool>_<server>; the model then sees the canonical name.
func TestPresentationComposes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	words := []string{"a", "b", "a_kandev", "b_kandev", "list", "list_kandev", "kandev", "_kandev", "x_y"}
	for range 500 {
		var defs []Definition
		for i := range 1 + rng.IntN(8) {
			d := def(words[rng.IntN(len(words))], `{"type":"object"}`)
			if rng.IntN(2) == 0 {
				d.Name += "_kandev"
			}
			if !strings.HasSuffix(d.Name, "_kandev") || rng.IntN(3) == 0 {
				d.Source = catalog.Source{Kind: catalog.KindPlugin, Plugin: fmt.Sprint(i)}
			}
			defs = append(defs, d)
		}
		set, _ := NewSet(1, defs...)
		seen := map[string]bool{}
		for i, p := range set.Present(true) {
			if seen[p.Served] {
				t.Fatalf("%q is served twice", p.Served)
			}
			seen[p.Served] = true
			if d, ok := set.Resolve(p.Served, true); !ok || d != p.Def {
				t.Fatalf("served %q does not come back to %q", p.Served, p.Def.Name)
			}
			if d, ok := set.Resolve(p.Def.Name, true); !ok || d != p.Def {
				t.Fatalf("canonical %q is not callable", p.Def.Name)
			}
			if plain := set.Present(false)[i]; plain.Served != plain.Def.Name {
				t.Fatalf("%q served without the capability", plain.Served)
			}
			short, _ := strings.CutSuffix(p.Def.Name, "_kandev")
			_, taken := set.Lookup(short)
			free := short != "" && !taken
			switch {
			case p.Def.Source.Kind == catalog.KindPlugin || !free:
				if p.Served != p.Def.Name {
					t.Fatalf("%q became %q", p.Def.Name, p.Served)
				}
			case p.Served+"_"+"kandev" != p.Def.Name:
				t.Fatalf("the model sees %q for %q", p.Served+"_kandev", p.Def.Name)
			}
		}
	}
}

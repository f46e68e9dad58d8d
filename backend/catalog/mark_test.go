package catalog

import (
	"crypto/sha256"
	"testing"
)

func TestMark(t *testing.T) {
	before := mustParse(t, served(`{"name":"same","x":1}`, `{"name":"other","x":1}`, `{"name":"gone"}`, `{"name":"twice","x":1}`, `{"name":"twice"}`), nil)
	after := mustParse(t, served(`{"name":"new"}`, `{ "name" : "same", "x":1 }`, `{"name":"other","x":2}`, `{"name":"twice","x":2}`, `{"name":"twice"}`), nil)
	c := Mark(after.Catalog(), Digests(before), Digests(after))
	want := map[string]string{"new": MarkNew, "same": "", "other": MarkChanged, "twice": MarkChanged}
	for _, e := range c.Entries {
		if e.Mark != want[e.Served] {
			t.Errorf("%s: %q, not %q", e.Served, e.Mark, want[e.Served])
		}
	}
	if !c.Compared {
		t.Error("not marked as compared")
	}
}

func TestMarkWithoutAPreviousList(t *testing.T) {
	l := mustParse(t, served(`{"name":"a"}`), nil)
	if c := Mark(l.Catalog(), nil, Digests(l)); c.Compared || c.Entries[0].Mark != "" {
		t.Errorf("nothing to compare with: %+v", c)
	}
	empty := Digests(mustParse(t, served(), nil))
	if c := Mark(l.Catalog(), empty, Digests(l)); !c.Compared || c.Entries[0].Mark != MarkNew {
		t.Errorf("a list without tools before: %+v", c)
	}
}

// The digests cover what is not stored, and hold nothing but digests.
func TestDigests(t *testing.T) {
	definition := `{"name":"a","_meta":{"x":1}}`
	d := Digests(mustParse(t, served(definition, `{"name":""}`), nil))
	if len(d) != 1 || d[sha256.Sum256([]byte("a"))] != sha256.Sum256([]byte(definition)) {
		t.Errorf("%x", d)
	}
}

package plugin

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
)

// TestCompare: what an update would change is told tool by tool; blanks in a
// schema and what a person added are no change.
func TestCompare(t *testing.T) {
	tool := func(name, description, schema string) Tool {
		return Tool{Name: name, Description: description, InputSchema: json.RawMessage(schema)}
	}
	yes := true
	have := FirstInstalled(Manifest{
		ID: "a", Version: "1", Wasm: Module{SHA256: "x"},
		Tools: []Tool{tool("stays", "d", `{"type":"object"}`), tool("goes", "d", `{}`), tool("text", "d", `{}`), tool("schema", "d", `{}`), tool("hint", "d", `{}`)},
	}, installedAt)
	next := have.Manifest
	next.Tools = slices.Clone(next.Tools)
	next.Tools[0] = tool("stays", "d", `{ "type" : "object" }`)
	if d := have.Compare(next, installedAt); !d.Same || d.Added != nil || d.Changed != nil || d.Removed != nil || d.After != have.Status {
		t.Errorf("blanks: %+v", d)
	}
	next.Tools = []Tool{next.Tools[0], tool("text", "e", `{}`), tool("schema", "d", `{"a":1}`), tool("hint", "d", `{}`), tool("new", "d", `{}`)}
	next.Tools[3].Annotations.ReadOnly = &yes
	d := have.Compare(next, installedAt)
	if d.Same || !reflect.DeepEqual([][]string{d.Added, d.Changed, d.Removed}, [][]string{{"new"}, {"text", "schema", "hint"}, {"goes"}}) {
		t.Errorf("%+v", d)
	}
	next = have.Manifest
	next.Wasm.SHA256 = "y"
	if have.Same(next) {
		t.Error("another module is the same")
	}
}

// TestCompareAsks: what is asked beyond the grant, and the state that follows.
func TestCompareAsks(t *testing.T) {
	on, err := FirstInstalled(asking("a.example"), installedAt).Enable(asking("a.example").Permissions.Granted(), installedAt)
	if err != nil {
		t.Fatal(err)
	}
	more := asking("a.example", "b.example")
	more.Version = "2"
	d := on.Compare(more, installedAt)
	if d.After.Reason != AsksMore || !reflect.DeepEqual(d.Asks.Hosts, []string{"b.example"}) {
		t.Errorf("%+v", d)
	}
	if !on.SameGrant(on.Disable(ByPerson, "", installedAt)) || on.SameGrant(FirstInstalled(more, installedAt)) {
		t.Error("grants")
	}
	bare := asking()
	bare.Bare, bare.Config = true, nil
	with, err := bare.WithConfig(Field{Key: "added", Type: FieldString})
	if err != nil {
		t.Fatal(err)
	}
	row := FirstInstalled(with, installedAt)
	row.Added = []Field{{Key: "added", Type: FieldString}}
	if !row.Same(bare) {
		t.Error("what a person added is a change")
	}
}

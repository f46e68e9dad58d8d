package plugin

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"
)

var installedAt = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

func asking(hosts ...string) Manifest {
	return Manifest{
		ID: "a", Version: "1", Tools: []Tool{{Name: "t", Description: "d", InputSchema: json.RawMessage(`{"type":"object","x":"<&>"}`)}},
		Permissions: Request{Hosts: hosts, MemoryMB: DefaultMemoryMB, TimeoutMS: DefaultTimeoutMS},
		Config:      []Field{{Key: "k", Type: FieldInteger}, {Key: "s", Type: FieldString, Secret: true, Required: true}},
	}
}

func TestInstallation(t *testing.T) {
	first := FirstInstalled(asking("a.example"), installedAt)
	if first.Status.State != Installed || first.Asks().Nothing() || !reflect.DeepEqual(first.Missing(), []string{"s"}) {
		t.Fatalf("%+v", first)
	}
	if _, err := first.Enable(Grant{MemoryMB: 64, TimeoutMS: 30000}, installedAt); !errors.Is(err, ErrNotGranted) {
		t.Errorf("too little: %v", err)
	}
	wide := Grant{Hosts: []string{"*", "b.example"}, PrivateNetwork: true, MemoryMB: MaxMemoryMB, TimeoutMS: MaxTimeoutMS}
	on, err := first.Enable(wide, installedAt)
	if err != nil || on.Status.State != Enabled || !reflect.DeepEqual(*on.Grant, asking("a.example").Permissions.Granted()) || first.Grant != nil {
		t.Errorf("%+v %v", on, err)
	}
	bare := FirstInstalled(asking(), installedAt)
	bare.Manifest.Bare = true
	if given, err := bare.Enable(wide, installedAt); err != nil || !given.RunsWith().PrivateNetwork || given.RunsWith().MemoryMB != MaxMemoryMB {
		t.Errorf("%+v %v", given, err)
	}
	less, err := on.Update(asking(), installedAt.Add(time.Hour))
	if err != nil || less.Status.State != Enabled || len(less.RunsWith().Hosts) != 0 || less.InstalledAt != installedAt || less.UpdatedAt == installedAt {
		t.Errorf("an update that asks for less: %+v %v", less, err)
	}
	more, err := on.Update(asking("a.example", "b.example"), installedAt)
	if err != nil || more.Status.Reason != AsksMore || !reflect.DeepEqual(more.Asks().Hosts, []string{"b.example"}) {
		t.Errorf("one that asks for more: %+v %v", more, err)
	}
}

// Values stay at an update where the new version declares them in the same way.
func TestUpdateValues(t *testing.T) {
	i := FirstInstalled(asking(), installedAt).Clone()
	i.Values["k"], i.Secrets["s"] = "7", "p-a/v_1"
	for name, c := range map[string]struct {
		config          []Field
		values, secrets int
	}{
		"the same":       {asking().Config, 1, 1},
		"gone":           {nil, 0, 0},
		"another type":   {[]Field{{Key: "k", Type: FieldBoolean}, {Key: "s", Type: FieldString, Secret: true}}, 0, 1},
		"other secrecy":  {[]Field{{Key: "k", Type: FieldString, Secret: true}, {Key: "s", Type: FieldString}}, 0, 0},
		"a wider string": {[]Field{{Key: "k", Type: FieldString}}, 1, 0},
	} {
		m := asking()
		m.Config = c.config
		next, err := i.Update(m, installedAt)
		if err != nil || len(next.Values) != c.values || len(next.Secrets) != c.secrets {
			t.Errorf("%s: %+v %v", name, next, err)
		}
	}
}

// What a person added to a bare module stays at an update, until it is taken
// away.
func TestAdded(t *testing.T) {
	i := FirstInstalled(Manifest{ID: "a", Bare: true}, installedAt)
	i.Added = []Field{{Key: "x", Type: FieldString}, {Key: "y", Type: FieldString}}
	next, err := i.Update(Manifest{ID: "a", Bare: true, Version: "2"}, installedAt)
	if _, ok := next.Manifest.Field("x"); err != nil || !ok || len(next.Added) != 2 {
		t.Fatalf("%+v %v", next, err)
	}
	gone := next.WithoutAdded("x").WithoutAdded("nobody")
	if _, ok := gone.Manifest.Field("x"); ok || len(gone.Added) != 1 || len(next.Added) != 2 {
		t.Errorf("%+v", gone)
	}
}

// An installation is kept as JSON and comes back as it was.
func TestInstallationJSON(t *testing.T) {
	i, err := FirstInstalled(asking("a.example"), installedAt).Enable(asking("a.example").Permissions.Granted(), installedAt)
	if err != nil {
		t.Fatal(err)
	}
	i = i.Clone()
	i.Values["k"], i.Secrets["s"] = "7", "p-a/v_1"
	i.Manifest.Tools[0].Annotations = Hints{ReadOnly: new(true)}
	i.Manifest.Warnings, i.Manifest.Bare = []string{"w"}, true
	i.Added = []Field{{Key: "x", Type: FieldString}}
	b, err := json.Marshal(i)
	if err != nil {
		t.Fatal(err)
	}
	var back Installation
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	back.Manifest.Tools[0].InputSchema = i.Manifest.Tools[0].InputSchema // escaped by this encoder, not by the one that stores
	if !reflect.DeepEqual(back, i) {
		t.Errorf("got  %+v\nwant %+v", back, i)
	}
}

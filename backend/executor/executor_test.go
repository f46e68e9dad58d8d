package executor

import (
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"kandev/backend/agentctl"
	"kandev/backend/project"
	"kandev/backend/session"
)

// fill gives every value below v one of its own.
func fill(t *testing.T, v reflect.Value, n *int) {
	t.Helper()
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString(strings.Repeat("x", *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(t, v.Index(0), n)
		fill(t, v.Index(1), n)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(t, key, n)
		fill(t, value, n)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() { // a time's inside is its own
				fill(t, v.Field(i), n)
			}
		}
	default:
		t.Fatalf("no filler for %s: add one", v.Type())
	}
}

// TestEveryFieldArrives fills every field of a spec and finds each one that
// belongs to the request on the other side of its JSON; create and resume are
// the same way.
func TestEveryFieldArrives(t *testing.T) {
	var s Spec
	n := 0
	fill(t, reflect.ValueOf(&s).Elem(), &n)
	for _, name := range []string{Local, Worktree} {
		t.Run(name, func(t *testing.T) { s.Session.Executor = name; arrives(t, s) })
	}
}

func arrives(t *testing.T, s Spec) {
	b, err := build(s, s.Project.Path).Encode()
	if err != nil {
		t.Fatal(err)
	}
	r, err := agentctl.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	want := agentctl.CreateInstanceRequest{
		Session: s.Session.ID, Task: s.Session.Task, Execution: s.Session.Execution, WorkDir: s.Project.Path,
		Command: s.Command, Environment: s.Environment, Capabilities: s.Agent.Capabilities, Servers: s.Servers,
		Profile: s.Profile, Limits: s.Limits,
	}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("sent %+v\ngot  %+v", want, r)
	}
	for v, i := reflect.ValueOf(r), 0; i < v.NumField(); i++ {
		if v.Field(i).IsZero() {
			t.Errorf("the builder leaves %s out", v.Type().Field(i).Name)
		}
	}
	for v, i := reflect.ValueOf(r.Capabilities), 0; i < v.NumField(); i++ {
		if v.Field(i).IsZero() {
			t.Errorf("the capability %s is lost", v.Type().Field(i).Name)
		}
	}
}

// TestRefused: an executor that does not exist and a folder that vanished, each
// with the thing's name.
func TestRefused(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	for _, c := range []struct {
		executor, folder, names string
		want                    error
	}{
		{"worktrees", t.TempDir(), "worktrees", ErrUnknown},
		{Worktree, gone, gone, ErrFolder},
		{"Local", t.TempDir(), "Local", ErrUnknown},
		{Local, gone, gone, ErrFolder},
		{"", gone, gone, ErrFolder},
	} {
		i, err := Create(t.Context(), Spec{
			Session: session.Session{ID: "s", Execution: "x", Executor: c.executor}, Project: project.Project{Path: c.folder}, Command: []string{"none"},
		}, agentctl.Host{})
		if i != nil || !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.names) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

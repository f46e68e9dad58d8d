package backend

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"kandev/backend/agent"
	"kandev/backend/builtin"
	"kandev/backend/session"
	"kandev/backend/task"
	"kandev/backend/tool"
)

// TestTitleOnce: set_task_title is served while the title is provisional, sets
// it once, and is not served any more; a second call is refused.
func TestTitleOnce(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "names")
	a.said(id, "set_task_title_kandev")
	a.inState(id, session.Ready)
	a.say(id, `call set_task_title {"title":"  One   title "}`)
	a.said(id, "The title is set.")
	a.inState(id, session.Ready)
	a.until("tools_changed", func() bool { return a.builtin(id).ToolsChanged })
	a.say(id, `call set_task_title {"title":"Another"}`)
	a.said(id, "not found")
	a.inState(id, session.Ready)
	a.say(id, "names")
	a.until("a list without it", func() bool {
		i, _ := a.last(id, session.ItemMessage)
		return strings.Contains(i.Text, "get_task_kandev") && !strings.Contains(i.Text, "set_task_title")
	})
	a.until("no change since", func() bool { s := a.builtin(id); return !s.ToolsChanged && *s.ToolCount == 5 })
	for _, k := range a.Snapshot().Tasks {
		if k.ID == a.row(id).Task && k.Title != "One title" {
			t.Errorf("the title is %q", k.Title)
		}
	}
}

// TestCanonicalForTheModel: on the endpoint of an agent whose client namespaces
// by server, the model of every such agent sees each built-in tool of every
// profile by its canonical name.
// spec/names.md.
func TestCanonicalForTheModel(t *testing.T) {
	namespaced := 0
	for _, d := range agent.Known() {
		if !d.Capabilities.NamespacesToolsByServer {
			continue
		}
		namespaced++
		for _, p := range []builtin.Profile{{}, {Provisional: true}} {
			set, refused := tool.NewSet(1, builtin.Tools(p, builtin.Host{})...)
			if len(refused) > 0 || set.Len() < 5 {
				t.Fatalf("%d tools, refused %v", set.Len(), refused)
			}
			for _, served := range set.Present(true) {
				if got := d.Capabilities.ToolName("kandev", served.Served); got != served.Def.Name {
					t.Errorf("%s: its model sees %q for %s", d.Name, got, served.Def.Name)
				}
			}
		}
	}
	if namespaced == 0 {
		t.Error("no agent opted in")
	}
}

// TestTitleOfAll: whoever ends the provisional title, every session of the task
// stops serving the tool.
func TestTitleOfAll(t *testing.T) {
	a := fakeApp(t)
	for _, name := range []func(session.ID){
		func(id session.ID) {
			if err := a.RenameSession(id, "Mine"); err != nil {
				t.Fatal(err)
			}
		},
		func(id session.ID) {
			a.say(id, `call update_task {"title":"Its own"}`)
			a.said(id, "updated")
			a.inState(id, session.Ready)
		},
	} {
		id := a.begin(mannerPlain, "")
		a.inState(id, session.Ready)
		a.counted(id)
		name(id)
		a.say(id, "names")
		a.until("a list without it", func() bool {
			i, _ := a.last(id, session.ItemMessage)
			return strings.Contains(i.Text, "get_task_kandev") && !strings.Contains(i.Text, "set_task_title")
		})
	}
}

// bound is the tool host of a session, without an agent.
func (a *testApp) bound(id session.ID) builtin.Host {
	a.t.Helper()
	c := a.conversation(id)
	return c.toolHost()
}

// TestExternalID: the same key at the same moment from everywhere makes one task.
func TestExternalID(t *testing.T) {
	a := fakeApp(t)
	h := a.bound(a.begin(mannerPlain, ""))
	var mu sync.Mutex
	ids, made := map[task.ID]bool{}, 0
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			k, created, err := h.Create(t.Context(), builtin.NewTask{Title: "T", ExternalID: "key"})
			mu.Lock()
			defer mu.Unlock()
			if ids[k.ID] = true; err != nil {
				t.Error(err)
			}
			if created {
				made++
			}
		})
	}
	wg.Wait()
	if len(ids) != 1 || made != 1 {
		t.Errorf("%d tasks, %d made", len(ids), made)
	}
}

// TestReach: a session changes its own task and those below it, sees its own
// project, and an explicit id is honoured or refused.
func TestReach(t *testing.T) {
	a := fakeApp(t)
	id, other := a.begin(mannerPlain, ""), a.begin(mannerPlain, "")
	h, far := a.bound(id), a.bound(other)
	ctx := t.Context()
	child, _, err := h.Create(ctx, builtin.NewTask{Title: "child", Parent: "self"})
	if err != nil {
		t.Fatal(err)
	}
	grandchild, _, err := h.Create(ctx, builtin.NewTask{Title: "grandchild", Parent: child.ID})
	if err != nil {
		t.Fatal(err)
	}
	sibling, _, err := h.Create(ctx, builtin.NewTask{Title: "sibling"})
	if err != nil {
		t.Fatal(err)
	}
	title, long := "new", strings.Repeat("x", task.MaxDescription+1)
	for _, c := range []struct {
		name string
		host builtin.Host
		do   builtin.Change
		want error
	}{
		{"own", h, builtin.Change{Title: &title}, nil},
		{"child", h, builtin.Change{Task: child.ID, Title: &title}, nil},
		{"grandchild", h, builtin.Change{Task: grandchild.ID, Description: &title}, nil},
		{"sibling", h, builtin.Change{Task: sibling.ID, Title: &title}, builtin.ErrReach},
		{"another project", far, builtin.Change{Task: child.ID, Title: &title}, task.ErrNotFound},
		{"unknown", h, builtin.Change{Task: "t_none", Title: &title}, task.ErrNotFound},
		{"too long", h, builtin.Change{Description: &long}, task.ErrDescription},
	} {
		if err := c.host.Update(ctx, c.do); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	if _, err := far.Task(ctx, child.ID); !errors.Is(err, task.ErrNotFound) {
		t.Errorf("another project's task: %v", err)
	}
	if _, _, err := far.Create(ctx, builtin.NewTask{Title: "x", Parent: child.ID}); !errors.Is(err, task.ErrNotFound) {
		t.Errorf("another project's parent: %v", err)
	}
	if d, err := h.Task(ctx, grandchild.ID); err != nil || d.Task.Description != "new" || d.Task.Title != "grandchild" {
		t.Errorf("%+v (%v)", d, err)
	}
}

// TestLostUpdate: changes of title and description from both sides at once all
// stay.
func TestLostUpdate(t *testing.T) {
	a := fakeApp(t)
	id := a.begin(mannerPlain, "")
	h := a.bound(id)
	var wg sync.WaitGroup
	description := "described"
	for range 20 {
		wg.Go(func() { _ = h.Update(t.Context(), builtin.Change{Description: &description}) })
		wg.Go(func() { _ = a.RenameSession(id, "renamed") })
	}
	wg.Wait()
	if d, err := h.Task(t.Context(), ""); err != nil || d.Task.Title != "renamed" || d.Task.Description != description {
		t.Errorf("%+v (%v)", d, err)
	}
}

// TestPages: every task once, in the board's order, although one comes in
// between; a cursor nobody made is refused.
func TestPages(t *testing.T) {
	a := fakeApp(t)
	h := a.bound(a.begin(mannerPlain, ""))
	for n := range 7 {
		if _, _, err := h.Create(t.Context(), builtin.NewTask{Title: fmt.Sprint("task ", n)}); err != nil {
			t.Fatal(err)
		}
	}
	var titles []string
	f := builtin.Filter{Limit: 3}
	for {
		page, err := h.Tasks(t.Context(), f)
		if err != nil || len(page.Tasks) > 3 {
			t.Fatalf("%+v (%v)", page, err)
		}
		for _, k := range page.Tasks {
			titles = append(titles, k.Title)
		}
		if f.Cursor = page.Cursor; f.Cursor == "" {
			break
		}
		if len(titles) == 3 {
			if _, _, err := h.Create(t.Context(), builtin.NewTask{Title: "late"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := strings.Join(titles, ","); got != "task 0,task 1,task 2,task 3,task 4,task 5,task 6,late,New session" {
		t.Error(got)
	}
	for _, cursor := range []string{"x", "-1", "1", "1.2.3", "01.2", " 1.2"} {
		if _, err := h.Tasks(t.Context(), builtin.Filter{Limit: 3, Cursor: cursor}); !errors.Is(err, builtin.ErrCursor) {
			t.Errorf("cursor %q: %v", cursor, err)
		}
	}
}

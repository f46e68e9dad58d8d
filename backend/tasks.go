package backend

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"kandev/backend/builtin"
	"kandev/backend/event"
	"kandev/backend/project"
	"kandev/backend/session"
	"kandev/backend/sqlite"
	"kandev/backend/task"
)

// putTask keeps, tells and stores a task. b.mu held.
func (b *Backend) putTask(t task.Task) {
	t.UpdatedAt = b.o.Now()
	b.tasks[t.ID] = t
	b.out.publish(event.View{Task: taskView(t)})
	b.writer.Now("task/"+string(t.ID), func() sqlite.Change {
		b.mu.Lock()
		defer b.mu.Unlock()
		now, ok := b.tasks[t.ID]
		if !ok {
			return sqlite.Change{}
		}
		ch := sqlite.Change{Task: &now}
		if p, ok := b.projects[now.Project]; ok {
			ch.Project = &p
		}
		return ch
	})
}

// newTask makes a task in the first step. b.mu held.
func (b *Backend) newTask(p project.ID, title string, provisional bool) task.Task {
	b.seq++
	now := b.o.Now()
	return task.Task{
		ID: task.ID(newID("t")), Project: p, Title: title, Provisional: provisional,
		Step: task.Plan, Seq: b.seq, CreatedAt: now, UpdatedAt: now,
	}
}

func (b *Backend) title(id task.ID) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.tasks[id].Title
}

// RenameSession names the task of a session; a title set by a person stays.
func (b *Backend) RenameSession(id session.ID, title string) error {
	title, err := task.CleanTitle(title)
	if err != nil {
		return err
	}
	c, err := b.find(id)
	if err != nil {
		return err
	}
	return c.setTitle(title, true)
}

// setTitle names the task: a person always may, an agent once.
func (c *conversation) setTitle(title string, person bool) error {
	c.mu.Lock()
	id, i := c.row.Task, c.instance
	c.mu.Unlock()
	c.b.mu.Lock()
	t, ok := c.b.tasks[id]
	if !ok {
		c.b.mu.Unlock()
		return task.ErrNotFound
	}
	if !t.Provisional && !person {
		c.b.mu.Unlock()
		return task.ErrTitleKept
	}
	was := t.Provisional
	t.Title, t.Provisional = title, false
	c.b.putTask(t)
	c.b.mu.Unlock()
	if was && i != nil { // set_task_title is not served any more
		c.b.wg.Go(func() { i.SetProvisional(false) })
	}
	return nil
}

// page lists tasks of a project in the order of the board.
func (b *Backend) page(p project.ID, f builtin.Filter) (builtin.Page, error) {
	from := 0
	if f.Cursor != "" {
		n, err := strconv.Atoi(f.Cursor)
		if err != nil || n <= 0 {
			return builtin.Page{}, builtin.ErrCursor
		}
		from = n
	}
	b.mu.Lock()
	var all []task.Task
	for _, t := range b.tasks {
		if t.Project == p && !t.Archived && (f.Step == "" || t.Step == f.Step) {
			all = append(all, t)
		}
	}
	b.mu.Unlock()
	slices.SortFunc(all, func(x, y task.Task) int {
		return cmp.Or(cmp.Compare(slices.Index(task.Steps, x.Step), slices.Index(task.Steps, y.Step)), cmp.Compare(x.Seq, y.Seq))
	})
	if from >= len(all) {
		return builtin.Page{}, nil
	}
	to := min(from+max(f.Limit, 1), len(all))
	page := builtin.Page{Tasks: all[from:to]}
	if to < len(all) {
		page.Cursor = strconv.Itoa(to)
	}
	return page, nil
}

// toolHost binds the built-in tools to this session. A call's workspace is the
// project of its session.
func (c *conversation) toolHost() builtin.Host {
	b := c.b
	c.mu.Lock()
	own, in := c.row.Task, c.row.Project
	c.mu.Unlock()
	return builtin.Host{
		Ask:      c.ask,
		SetTitle: func(_ context.Context, title string) error { return c.agentTitles(title) },
		Tasks:    func(_ context.Context, f builtin.Filter) (builtin.Page, error) { return b.page(in, f) },
		Task: func(_ context.Context, id task.ID) (builtin.Detail, error) {
			t, err := b.task(in, cmp.Or(id, own))
			if err != nil {
				return builtin.Detail{}, err
			}
			return builtin.Detail{Task: t, Sessions: b.rowsOf(func(s session.Session) bool { return s.Task == t.ID })}, nil
		},
		Create: func(_ context.Context, n builtin.NewTask) (task.Task, bool, error) { return b.createTask(in, own, n) },
		Update: func(_ context.Context, ch builtin.Change) error { return b.updateTask(in, own, ch) },
	}
}

func (c *conversation) agentTitles(title string) error {
	title, err := task.CleanTitle(title)
	if err != nil {
		return err
	}
	return c.setTitle(title, false)
}

// task finds a task of a project. An explicit id is honoured or refused, never
// replaced.
func (b *Backend) task(in project.ID, id task.ID) (task.Task, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t, ok := b.tasks[id]
	if !ok || t.Project != in {
		return task.Task{}, fmt.Errorf("%w in this project: %s", task.ErrNotFound, id)
	}
	return t, nil
}

func (b *Backend) createTask(in project.ID, own task.ID, n builtin.NewTask) (task.Task, bool, error) {
	title, err := task.CleanTitle(n.Title)
	if err != nil {
		return task.Task{}, false, err
	}
	if len(n.Prompt) > task.MaxDescription {
		return task.Task{}, false, task.ErrDescription
	}
	parent := n.Parent
	if parent == "self" {
		parent = own
	}
	if parent != "" {
		if _, err := b.task(in, parent); err != nil {
			return task.Task{}, false, err
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.tasks {
		if n.ExternalID != "" && t.Project == in && t.ExternalID == n.ExternalID {
			return t, false, nil
		}
	}
	t := b.newTask(in, title, false)
	t.Step, t.Parent, t.Description, t.ExternalID = task.Backlog, parent, n.Prompt, n.ExternalID
	b.putTask(t)
	return t, true, nil
}

func (b *Backend) updateTask(in project.ID, own task.ID, ch builtin.Change) error {
	id := cmp.Or(ch.Task, own)
	t, err := b.task(in, id)
	if err != nil {
		return err
	}
	if !b.below(id, own) {
		return builtin.ErrReach
	}
	if ch.Title != nil {
		if t.Title, err = task.CleanTitle(*ch.Title); err != nil {
			return err
		}
		t.Provisional = false
	}
	if ch.Description != nil {
		if len(*ch.Description) > task.MaxDescription {
			return task.ErrDescription
		}
		t.Description = *ch.Description
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.putTask(t)
	return nil
}

// below reports whether a task is another one or lies under it.
func (b *Backend) below(id, top task.ID) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for range 64 { // a chain of parents has no cycle; the bound is a second net
		if id == top {
			return true
		}
		if id = b.tasks[id].Parent; id == "" {
			return false
		}
	}
	return false
}

package backend

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"kandev/backend/builtin"
	"kandev/backend/project"
	"kandev/backend/session"
	"kandev/backend/task"
)

// toolHost binds the built-in tools to this session. A call's workspace is the
// project of its session.
func (c *conversation) toolHost() builtin.Host {
	b := c.b
	own, in := c.row.Task, c.row.Project
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
	if _, ok := b.projects[in]; !ok {
		return task.Task{}, false, project.ErrNotFound
	}
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
	if _, err := b.task(in, id); err != nil {
		return err
	}
	if !b.below(id, own) {
		return builtin.ErrReach
	}
	if ch.Description != nil && len(*ch.Description) > task.MaxDescription {
		return task.ErrDescription
	}
	return b.changeTask(id, func(t *task.Task) (err error) {
		if ch.Title != nil {
			t.Title, err = task.CleanTitle(*ch.Title)
			t.Provisional = false
		}
		if ch.Description != nil {
			t.Description = strings.ToValidUTF8(*ch.Description, "\uFFFD")
		}
		return err
	})
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

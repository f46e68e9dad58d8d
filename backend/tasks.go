package backend

import (
	"cmp"
	"fmt"
	"slices"

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
	c, err := b.find(id)
	if err != nil {
		return err
	}
	return b.changeTask(c.row.Task, func(t *task.Task) (err error) {
		t.Title, err = task.CleanTitle(title)
		t.Provisional = false
		return err
	})
}

// agentTitles names the task of this session, once.
func (c *conversation) agentTitles(title string) error {
	return c.b.changeTask(c.row.Task, func(t *task.Task) (err error) {
		if !t.Provisional {
			return task.ErrTitleKept
		}
		t.Title, err = task.CleanTitle(title)
		t.Provisional = false
		return err
	})
}

// changeTask changes one task under the lock, so that no other change is lost.
// When its title stops being provisional, set_task_title is not served any
// more to the sessions that work on it.
func (b *Backend) changeTask(id task.ID, change func(*task.Task) error) error {
	b.mu.Lock()
	t, ok := b.tasks[id]
	if !ok {
		b.mu.Unlock()
		return fmt.Errorf("%w: %s", task.ErrNotFound, id)
	}
	was := t.Provisional
	err := change(&t)
	if err == nil {
		b.putTask(t)
	}
	b.mu.Unlock()
	if err != nil || !was || t.Provisional {
		return err
	}
	for _, c := range b.sessionsOf(func(s session.Session) bool { return s.Task == id }) {
		c.mu.Lock()
		i := c.instance
		c.mu.Unlock()
		if i != nil {
			i.SetProvisional(false)
		}
	}
	return nil
}

// page lists tasks of a project in the order of the board. The cursor names the
// last task of the page before by its place, so that a task which comes or goes
// meanwhile neither hides another nor shows it twice.
func (b *Backend) page(p project.ID, f builtin.Filter) (builtin.Page, error) {
	var after place
	if f.Cursor != "" {
		if n, err := fmt.Sscanf(f.Cursor, "%d.%d", &after.step, &after.seq); err != nil || n != 2 || after.String() != f.Cursor {
			return builtin.Page{}, builtin.ErrCursor
		}
	}
	b.mu.Lock()
	var all []task.Task
	for _, t := range b.tasks {
		if t.Project == p && !t.Archived && (f.Step == "" || t.Step == f.Step) && (f.Cursor == "" || placeOf(t).compare(after) > 0) {
			all = append(all, t)
		}
	}
	b.mu.Unlock()
	slices.SortFunc(all, func(x, y task.Task) int { return placeOf(x).compare(placeOf(y)) })
	page := builtin.Page{Tasks: all}
	if limit := max(f.Limit, 1); len(all) > limit {
		page.Tasks = all[:limit]
		page.Cursor = placeOf(all[limit-1]).String()
	}
	return page, nil
}

// place is where a task stands on the board.
type place struct {
	step int
	seq  int64
}

func placeOf(t task.Task) place { return place{slices.Index(task.Steps, t.Step), t.Seq} }

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.step, q.step), cmp.Compare(p.seq, q.seq))
}

func (p place) String() string { return fmt.Sprintf("%d.%d", p.step, p.seq) }

package backend

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"kandev/backend/agent"
	"kandev/backend/event"
	"kandev/backend/executor"
	"kandev/backend/project"
	"kandev/backend/session"
	"kandev/backend/task"
)

// NewSession is what a person asks for. Title and Prompt may be empty.
type NewSession struct {
	Project project.ID
	Agent   string
	Title   string
	Prompt  string
	// Executor says where the agent works, executor.Local or executor.Worktree;
	// "" is Local.
	Executor string
}

// NewSession makes a task with a session and starts its agent.
func (b *Backend) NewSession(ctx context.Context, n NewSession) (session.ID, error) {
	if _, ok := b.o.agents(n.Agent); !ok {
		return "", agent.ErrUnknown
	}
	if err := executor.Check(n.Executor); err != nil {
		return "", err
	}
	title, provisional := provisionalTitle(n.Prompt), true
	if strings.TrimSpace(n.Title) != "" {
		clean, err := task.CleanTitle(n.Title)
		if err != nil {
			return "", err
		}
		title, provisional = clean, false
	}
	if len(n.Prompt) > MaxPrompt {
		return "", ErrPrompt
	}
	c, err := b.create(n, title, provisional)
	if err != nil {
		return "", err
	}
	return c.row.ID, b.start(ctx, c.row.ID, beginning{prompt: strings.TrimSpace(n.Prompt)})
}

// create puts a task and its session into memory and up to be stored.
func (b *Backend) create(n NewSession, title string, provisional bool) (*conversation, error) {
	if err := b.lookForFolder(n.Project); err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	p, ok := b.projects[n.Project]
	if !ok {
		return nil, project.ErrNotFound
	}
	now := b.o.Now()
	p.Agent, p.UsedAt = n.Agent, b.useTime()
	b.putProject(p)
	t := b.newTask(p.ID, title, provisional)
	b.putTask(t)
	b.seq++
	c := b.newConversation(session.Session{
		ID: session.ID(newID("s")), Project: p.ID, Task: t.ID, Agent: n.Agent, Executor: cmp.Or(n.Executor, executor.Local),
		State: session.Stopped, Seq: b.seq, CreatedAt: now, UpdatedAt: now,
	})
	c.items, c.loaded = newTranscript(nil, 0), true
	b.sessions[c.row.ID] = c
	c.mu.Lock() // nobody can have it yet: it is not found without b.mu
	defer c.mu.Unlock()
	c.publishRow()
	c.changed(true)
	return c, nil
}

// lookForFolder is project.ErrFolder for a project whose folder is not there. A
// folder on a share may take long to look at: no lock is held meanwhile.
func (b *Backend) lookForFolder(id project.ID) error {
	b.mu.Lock()
	p, ok := b.projects[id]
	b.mu.Unlock()
	switch {
	case !ok:
		return project.ErrNotFound
	case !isFolder(p.Path):
		b.tellFolder(id, p.Path, true)
		return project.ErrFolder
	}
	return nil
}

// provisionalTitle is the first line of the prompt, shortened; set_task_title
// may replace it once.
func provisionalTitle(prompt string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(prompt), "\n")
	line, cut := bounded(line, 60, false)
	if line = strings.TrimSpace(line); line == "" {
		return "New session"
	}
	if cut {
		line += "…"
	}
	if clean, err := task.CleanTitle(line); err == nil {
		return clean
	}
	return "New session"
}

// ArchiveSession hides a session, or shows it again.
func (b *Backend) ArchiveSession(id session.ID, archived bool) error {
	c, err := b.find(id)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if archived && c.row.State.Live() {
		return session.ErrLive
	}
	c.row.Archived = archived
	c.publishRow()
	c.changed(true)
	return nil
}

// DeleteSession stops a session and removes it with its transcript, attachment,
// questions and permissions in one transaction; then the log of the database
// is emptied, so that deleted means gone.
func (b *Backend) DeleteSession(ctx context.Context, id session.ID) error {
	c, err := b.find(id)
	if err != nil {
		return err
	}
	if !c.remove(true) {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.goneError()
	}
	if err := c.stop(ctx, "Deleted by you."); err != nil {
		c.remove(false)
		return err
	}
	c.cancelAll("The session was deleted.")
	b.nameKept(ctx, c)
	b.drop(c)
	b.archiveEmptyTask(c.row.Task)
	b.tidy()
	return nil
}

// remove says that the session is about to go, so that nothing starts in it,
// or that it stays after all. false: somebody else removes it.
func (c *conversation) remove(removing bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.deleted || removing && c.removing {
		return false
	}
	c.removing = removing
	return true
}

// drop takes a session that has no agent out of the database, out of memory and
// off the window; from then on nothing of it is told or stored.
func (b *Backend) drop(c *conversation) {
	c.mu.Lock()
	c.changed(true)
	c.deleted = true
	b.out.forget(string(c.row.ID))
	b.out.publish(event.View{SessionGone: string(c.row.ID)})
	c.mu.Unlock()
	b.mu.Lock()
	delete(b.sessions, c.row.ID)
	b.mu.Unlock()
}

// archiveEmptyTask hides a task that no session works on any more. A title that
// we made of a deleted prompt goes with it.
func (b *Backend) archiveEmptyTask(id task.ID) {
	if len(b.rowsOf(func(s session.Session) bool { return s.Task == id })) > 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if t, ok := b.tasks[id]; ok {
		t.Archived = true
		if t.Provisional {
			t.Title, t.Provisional = "Deleted session", false
		}
		b.putTask(t)
	}
}

// all returns every conversation, in no order.
func (b *Backend) all() []*conversation {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := make([]*conversation, 0, len(b.sessions))
	for _, c := range b.sessions {
		out = append(out, c)
	}
	return out
}

func (b *Backend) sessionsOf(match func(session.Session) bool) []*conversation {
	return slices.DeleteFunc(b.all(), func(c *conversation) bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return !match(c.row)
	})
}

func (b *Backend) rowsOf(match func(session.Session) bool) []session.Session {
	var out []session.Session
	for _, c := range b.sessionsOf(match) {
		c.mu.Lock()
		out = append(out, c.row)
		c.mu.Unlock()
	}
	slices.SortFunc(out, func(x, y session.Session) int { return cmp.Compare(x.Seq, y.Seq) })
	return out
}

// Transcript returns the items newer than a revision, at most about half a
// MiB of text at a time.
func (b *Backend) Transcript(ctx context.Context, id session.ID, after int64) (items []session.Item, more bool, err error) {
	c, err := b.find(id)
	if err != nil {
		return nil, false, err
	}
	if err := c.load(ctx); err != nil {
		return nil, false, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	items, more = c.items.after(after, pageBytes)
	return items, more, nil
}

const pageBytes = 512 << 10

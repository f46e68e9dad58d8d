package backend

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"kandev/backend/executor"
	"kandev/backend/project"
	"kandev/backend/session"
)

// place is the part of a spec that says where a session works.
func (b *Backend) place(row session.Session, p project.Project) executor.Spec {
	return executor.Spec{Session: row, Project: p, Environment: b.environNames(), Worktrees: b.path("worktrees")}
}

func (c *conversation) place() executor.Spec {
	c.mu.Lock()
	row := c.row
	c.mu.Unlock()
	c.b.mu.Lock()
	p := c.b.projects[row.Project]
	c.b.mu.Unlock()
	return c.b.place(row, p)
}

// Place says where a session works, and what is there that no commit holds.
func (b *Backend) Place(ctx context.Context, id session.ID) (executor.Place, error) {
	c, err := b.find(id)
	if err != nil {
		return executor.Place{}, err
	}
	if !b.enter() {
		return executor.Place{}, errClosing
	}
	defer b.wg.Done()
	ctx, done := b.untilEnd(ctx, 0)
	defer done()
	return executor.Where(ctx, c.place(), c.host())
}

// removeMoment is how long a removal may go on when the app ends: half of a
// worktree reads as one with work in it.
const removeMoment = 5 * time.Second

// RemovePlace removes the folder that is a session's alone, when it is clean;
// else executor.ErrDirty, and nothing is touched. ErrLive while its agent runs;
// none starts meanwhile. The next start makes it again.
func (b *Backend) RemovePlace(ctx context.Context, id session.ID) error {
	c, err := b.find(id)
	if err != nil {
		return err
	}
	if !b.enter() {
		return errClosing
	}
	defer b.wg.Done()
	if err := c.holdIdle(); err != nil {
		return err
	}
	defer c.remove(false)
	ctx, done := b.untilEnd(ctx, removeMoment)
	defer done()
	return executor.Remove(ctx, c.place(), c.host())
}

// goneError says that a session is gone, or about to go. Lock held.
func (c *conversation) goneError() error {
	if c.deleted {
		return fmt.Errorf("%w: %s", session.ErrNotFound, c.row.ID)
	}
	return fmt.Errorf("%w: %s", session.ErrRemoving, c.row.ID)
}

// holdIdle keeps a session without an agent from being started or removed until
// remove(false).
func (c *conversation) holdIdle() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.idle(); err != nil {
		return err
	}
	c.removing = true
	return nil
}

// idle is nil for a session without an agent that nobody removes. Lock held.
func (c *conversation) idle() error {
	switch {
	case c.removing || c.deleted:
		return c.goneError()
	case c.row.State.Live():
		return session.ErrLive
	}
	return nil
}

// keptNotice begins the ids of notices that name what was kept. The person closes
// them.
const keptNotice = "kept-"

// nameKept says where the work of a deleted session still is: its own folder is
// named, never removed with it.
func (b *Backend) nameKept(ctx context.Context, c *conversation) {
	if p, own := b.ownTree(ctx, c); own {
		b.notice(keptNotice+string(c.row.ID), "info", fmt.Sprintf("The session is deleted. Its worktree was kept: %s, branch %s.", p.Folder, p.Branch), dismissed)
	}
}

// nameAllKept is nameKept for the sessions of a project that is about to go.
func (b *Backend) nameAllKept(ctx context.Context, id project.ID) (say func()) {
	ctx, cancel := context.WithTimeout(ctx, removeLimit)
	defer cancel()
	ctx, done := b.untilEnd(ctx, 0)
	defer done()
	b.mu.Lock()
	name := b.projects[id].Name
	b.mu.Unlock()
	var kept []string
	for _, c := range b.sessionsOf(func(s session.Session) bool { return s.Project == id }) {
		if p, own := b.ownTree(ctx, c); own {
			kept = append(kept, fmt.Sprintf("%s (branch %s)", p.Folder, p.Branch))
		}
	}
	if len(kept) == 0 {
		return func() {}
	}
	slices.Sort(kept)
	return func() {
		b.notice(keptNotice+string(id), "info", fmt.Sprintf("The project %s is removed. Worktrees of its sessions were kept: %s.", name, strings.Join(kept, ", ")), dismissed)
	}
}

// ownTree is the worktree of a session, while it has one. One that git says nothing
// about, as after its repository has vanished, is one all the same.
func (b *Backend) ownTree(ctx context.Context, c *conversation) (executor.Place, bool) {
	if c.row.Executor != executor.Worktree {
		return executor.Place{}, false
	}
	p, _ := executor.Where(ctx, c.place(), c.host())
	return p, p.Own && p.Exists
}

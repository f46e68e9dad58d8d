package backend

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"kandev/backend/event"
	"kandev/backend/project"
	"kandev/backend/session"
)

// ErrProjectLive says that a project with running agents cannot be removed.
var ErrProjectLive = errors.New("agents are still running in this project: stop them first, nothing was removed")

// errProjectBusy says that a session goes just now, or its worktree.
var errProjectBusy = fmt.Errorf("%w just now. Try again in a moment; nothing of the project was removed", session.ErrRemoving)

// removeLimit bounds the wait for the database when a project is removed.
const removeLimit = 10 * time.Second

// RemoveProject takes a project off the list, with its tasks and sessions. The
// folder itself is never touched.
func (b *Backend) RemoveProject(ctx context.Context, id project.ID) error {
	nameKept := b.nameAllKept(ctx, id)
	mine, err := b.leaveProject(id)
	if err != nil {
		return err
	}
	for _, c := range mine {
		b.drop(c)
	}
	b.forgetProject(id)
	nameKept()
	ctx, cancel := context.WithTimeout(ctx, removeLimit)
	defer cancel()
	if err := b.deleteProject(ctx, id); err != nil {
		b.log.Error("project not deleted from the database", "project", id, "err", err)
		return fmt.Errorf("the project is off the list, but it could not be deleted from the database: %w", err)
	}
	if _, err := b.db.Checkpoint(ctx); err != nil {
		b.log.Info("no checkpoint yet after a project was deleted", "err", err)
	}
	b.tidy() // plans another one
	return nil
}

// deleteProject deletes the rows of a project that memory has no more. Twice: its
// folder may be another project already, whose row has no room beside the old one,
// and what was being written meanwhile may have brought the old one back.
func (b *Backend) deleteProject(ctx context.Context, id project.ID) error {
	if err := b.db.DeleteProject(ctx, id); err != nil {
		return err
	}
	flushing, cancel := context.WithTimeout(ctx, removeLimit/2)
	defer cancel()
	if err := b.writer.Flush(flushing); err != nil {
		b.log.Warn("not everything stored before a project was deleted", "project", id, "err", err)
	}
	return b.db.DeleteProject(ctx, id)
}

// tidy empties the log of the database and gives the room of what was deleted
// back to the disk, behind the back of whoever deleted it.
func (b *Backend) tidy() {
	if !b.enter() {
		return
	}
	go func() {
		defer b.wg.Done()
		ctx, cancel := context.WithTimeout(b.ctx, removeLimit)
		defer cancel()
		err := b.writer.Flush(ctx) // what goes with it first
		if err == nil {
			err = b.db.Shrink(b.ctx)
		}
		if err != nil && b.ctx.Err() == nil {
			b.log.Warn("the database was not made smaller", "err", err)
		}
		b.writer.Checkpoint()
	}()
}

// leaveProject takes a project out of memory, so that nothing new begins in it,
// and returns its sessions; none of them can start any more. With a running agent
// in it, the project stays as it was.
func (b *Backend) leaveProject(id project.ID) (mine []*conversation, err error) {
	defer func() {
		if err == nil {
			return
		}
		for _, c := range mine {
			c.remove(false)
		}
		mine = nil
	}()
	for {
		for _, c := range b.sessionsOf(func(s session.Session) bool { return s.Project == id }) {
			if slices.Contains(mine, c) {
				continue
			}
			if err := c.holdIdle(); errors.Is(err, session.ErrLive) {
				return mine, ErrProjectLive
			} else if err != nil {
				return mine, errProjectBusy
			}
			mine = append(mine, c)
		}
		if gone, err := b.takeProject(id, len(mine)); gone || err != nil {
			return mine, err
		}
	}
}

// takeProject takes a project off the list when it has just so many sessions: a new
// one may have begun meanwhile.
func (b *Backend) takeProject(id project.ID, sessions int) (gone bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.projects[id]; !ok {
		return false, project.ErrNotFound
	}
	for _, c := range b.sessions {
		if c.row.Project == id {
			sessions--
		}
	}
	if sessions != 0 {
		return false, nil
	}
	delete(b.projects, id)
	return true, nil
}

// forgetProject drops the tasks of a project that is gone.
func (b *Backend) forgetProject(id project.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for tid, t := range b.tasks {
		if t.Project == id {
			delete(b.tasks, tid)
			b.out.publish(event.View{TaskGone: string(t.ID)})
		}
	}
	b.out.publish(event.View{ProjectGone: string(id)})
}

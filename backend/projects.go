package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"kandev/backend/event"
	"kandev/backend/project"
	"kandev/backend/session"
	"kandev/backend/sqlite"
)

// ErrProjectLive says that a project with running agents cannot be removed.
var ErrProjectLive = errors.New("agents are still running in this project")

// AddProject makes a folder a project, or returns the one it is already:
// projects are unique by real path.
func (b *Backend) AddProject(_ context.Context, path string) (project.Project, error) {
	real, err := realFolder(path)
	if err != nil {
		return project.Project{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.projects {
		if p.Path == real {
			return p, nil
		}
	}
	p := project.Project{ID: project.ID(newID("p")), Name: project.NameOf(real), Path: real, UsedAt: b.o.Now()}
	b.putProject(p)
	return p, nil
}

// realFolder resolves a typed or chosen path: ~ is the home folder.
func realFolder(path string) (string, error) {
	if path == "~" || len(path) > 1 && path[0] == '~' && (path[1] == '/' || path[1] == filepath.Separator) {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, path[1:])
		}
	}
	if path == "" || !filepath.IsAbs(path) {
		return "", fmt.Errorf("%w: give the whole path", project.ErrFolder)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", fmt.Errorf("%w: %s", project.ErrFolder, path)
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return "", fmt.Errorf("%w: %s", project.ErrFolder, path)
	}
	return filepath.Clean(real), nil
}

// putProject keeps, tells and stores a project. b.mu held.
func (b *Backend) putProject(p project.Project) {
	b.projects[p.ID] = p
	b.out.publish(event.View{Project: projectView(p, !isFolder(p.Path))})
	b.writer.Now("project/"+string(p.ID), func() sqlite.Change {
		b.mu.Lock()
		defer b.mu.Unlock()
		if now, ok := b.projects[p.ID]; ok {
			return sqlite.Change{Project: &now}
		}
		return sqlite.Change{}
	})
}

// RemoveProject takes a project off the list, with its tasks and sessions. The
// folder itself is never touched.
func (b *Backend) RemoveProject(ctx context.Context, id project.ID) error {
	b.mu.Lock()
	if _, ok := b.projects[id]; !ok {
		b.mu.Unlock()
		return project.ErrNotFound
	}
	b.mu.Unlock()
	mine := b.sessionsOf(func(s session.Session) bool { return s.Project == id })
	for _, c := range mine {
		if c.state().Live() {
			return ErrProjectLive
		}
	}
	if err := b.writer.Flush(ctx); err != nil {
		return err
	}
	if err := b.db.DeleteProject(ctx, id); err != nil {
		return err
	}
	for _, c := range mine {
		b.drop(c)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.projects, id)
	for tid, t := range b.tasks {
		if t.Project == id {
			delete(b.tasks, tid)
			v := taskView(t)
			v.Archived = true
			b.out.publish(event.View{Task: v})
		}
	}
	b.out.publish(event.View{ProjectGone: string(id)})
	return nil
}

// CheckProjects looks again which folders are there.
func (b *Backend) CheckProjects() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.projects {
		b.out.publish(event.View{Project: projectView(p, !isFolder(p.Path))})
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

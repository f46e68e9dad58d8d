package backend

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"kandev/backend/event"
	"kandev/backend/project"
	"kandev/backend/sqlite"
)

// AddProject makes a folder a project, or returns the one it is already:
// projects are unique by real path.
func (b *Backend) AddProject(_ context.Context, path string) (project.Project, error) {
	real, err := realFolder(path)
	if err != nil {
		return project.Project{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	p, known := b.projectAt(real)
	if !known {
		p = project.Project{ID: project.ID(newID("p")), Name: project.NameOf(real), Path: real}
	}
	p.UsedAt = b.useTime()
	b.putProject(p)
	return p, nil
}

// MoveProject gives a project another folder, after its own was moved or is not
// found any more: its tasks and sessions go with it, and the next start of an
// agent is in the new one. A folder that is another project is refused.
func (b *Backend) MoveProject(id project.ID, path string) (project.Project, error) {
	real, err := realFolder(path)
	if err != nil {
		return project.Project{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	p, ok := b.projects[id]
	if !ok {
		return project.Project{}, project.ErrNotFound
	}
	if other, taken := b.projectAt(real); taken && other.ID != id {
		return project.Project{}, fmt.Errorf("%w: %s", project.ErrTaken, other.Name)
	}
	if p.Name == project.NameOf(p.Path) {
		p.Name = project.NameOf(real)
	}
	p.Path, p.UsedAt = real, b.useTime()
	b.putProject(p)
	return p, nil
}

// projectAt finds the project of a folder, by its real path. b.mu held.
func (b *Backend) projectAt(real string) (project.Project, bool) {
	for _, p := range b.projects {
		if p.Path == real {
			return p, true
		}
	}
	return project.Project{}, false
}

// useTime is the time of a use now, later than that of every use before: what
// was used last stands first, whatever the clock did meanwhile. b.mu held.
func (b *Backend) useTime() time.Time {
	now := b.o.Now()
	for _, p := range b.projects {
		if p.UsedAt.UnixMilli() >= now.UnixMilli() { // as the window compares them
			now = p.UsedAt.Add(time.Millisecond)
		}
	}
	return now
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

// putProject keeps, tells and stores a project whose folder is there. b.mu held.
func (b *Backend) putProject(p project.Project) {
	b.projects[p.ID] = p
	b.out.publish(event.View{Project: ProjectView(p, false)})
	b.writer.Now("project/"+string(p.ID), func() sqlite.Change {
		b.mu.Lock()
		defer b.mu.Unlock()
		if now, ok := b.projects[p.ID]; ok {
			return sqlite.Change{Project: &now}
		}
		return sqlite.Change{}
	})
}

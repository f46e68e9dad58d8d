package backend

import (
	"maps"
	"os"
	"slices"
	"time"

	"kandev/backend/event"
	"kandev/backend/project"
)

// lookLimit is how long folders are waited for that are looked at.
const lookLimit = 2 * time.Second

// CheckProjects looks again which folders are there, and tells of those that
// answer. No lock is held meanwhile.
func (b *Backend) CheckProjects() {
	b.mu.Lock()
	paths := make(map[project.ID]string, len(b.projects))
	for id, p := range b.projects {
		paths[id] = p.Path
	}
	b.mu.Unlock()
	there := lookAt(slices.Collect(maps.Values(paths)), lookLimit, isFolder)
	for id, path := range paths {
		if is, answered := there[path]; answered {
			b.tellFolder(id, path, !is)
		}
	}
}

// tellFolder tells whether a project's folder is missing, unless it has another
// one by now.
func (b *Backend) tellFolder(id project.ID, path string, missing bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p, ok := b.projects[id]; ok && p.Path == path {
		b.out.publish(event.View{Project: ProjectView(p, missing)})
	}
}

// tellFolder tells whether the folder of a session's project is missing.
func (c *conversation) tellFolder() {
	c.b.mu.Lock()
	p := c.b.projects[c.row.Project]
	c.b.mu.Unlock()
	c.b.tellFolder(p.ID, p.Path, !isFolder(p.Path))
}

// lookAt looks at folders side by side and says which are there. One that does
// not answer within the limit, as on a share that is away, is left out: the system
// does not take a look back, which ends by itself or with the process.
func lookAt(paths []string, limit time.Duration, look func(string) bool) (there map[string]bool) {
	type answer struct {
		path string
		is   bool
	}
	answers := make(chan answer, len(paths))
	for _, path := range paths {
		go func() { answers <- answer{path, look(path)} }()
	}
	there, end := map[string]bool{}, time.After(limit)
	for range paths {
		select {
		case a := <-answers:
			there[a.path] = a.is
		case <-end:
			return there
		}
	}
	return there
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

package backend

import (
	"maps"
	"os"
	"slices"
	"sync"
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
	there := b.looks.at(slices.Collect(maps.Values(paths)), lookLimit, isFolder)
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

// looks are the looks at folders that have not come back.
type looks struct {
	mu  sync.Mutex
	out map[string]bool // by path
}

// at looks at folders side by side and says which are there. One that does not
// answer within the limit, as on a share that is away, is left out: the system
// does not take a look back, which ends by itself or with the process. Until then
// nobody looks there again, so that no more than one waits for each.
func (l *looks) at(paths []string, limit time.Duration, look func(string) bool) (there map[string]bool) {
	type answer struct {
		path string
		is   bool
	}
	answers, begun := make(chan answer, len(paths)), 0
	for _, path := range paths {
		if !l.begin(path) {
			continue
		}
		begun++
		go func() {
			is := look(path)
			l.end(path)
			answers <- answer{path, is}
		}()
	}
	there = map[string]bool{}
	end := time.After(limit)
	for range begun {
		select {
		case a := <-answers:
			there[a.path] = a.is
		case <-end:
			return there
		}
	}
	return there
}

// begin notes a look, unless one is out.
func (l *looks) begin(path string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.out[path] {
		return false
	}
	if l.out == nil {
		l.out = map[string]bool{}
	}
	l.out[path] = true
	return true
}

func (l *looks) end(path string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.out, path)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

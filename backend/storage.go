package backend

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"kandev/backend/event"
	"kandev/backend/project"
	"kandev/backend/sqlite"
)

// dismissed is the action of a notice that the person closes.
const dismissed = "dismiss"

// Storage says where the data is and how large. All sizes are bytes.
type Storage struct {
	Folder    string
	Bytes     int64 // of all files
	Worktrees int64 // of them, in worktrees of sessions
	Memory    bool  // nothing is saved
	Projects  []ProjectSize
	Broken    []string // names of databases that were set aside
	Aside     int64    // of their files
}

// ProjectSize is what of a project is stored: it goes when the project is removed.
type ProjectSize struct {
	ID       project.ID
	Bytes    int64
	Sessions int
}

// Storage looks at the data folder.
func (b *Backend) Storage(ctx context.Context) (Storage, error) {
	s := Storage{Folder: b.o.Home, Memory: b.memory.Load(), Broken: []string{}}
	sizes, err := b.db.Sizes(ctx)
	if err != nil {
		return s, err
	}
	s.Projects = b.projectSizes(sizes)
	aside := map[string]bool{}
	for _, path := range sqlite.Asides(b.path(sqlite.FileName)) {
		s.Broken = append(s.Broken, filepath.Base(path))
		for _, file := range sqlite.FilesOf(path) {
			aside[file] = true
		}
	}
	trees := b.path("worktrees") + string(filepath.Separator)
	_ = filepath.WalkDir(b.o.Home, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // what cannot be read is not counted
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() {
			return nil
		}
		s.Bytes += info.Size()
		switch {
		case strings.HasPrefix(path, trees):
			s.Worktrees += info.Size()
		case aside[path]:
			s.Aside += info.Size()
		}
		return nil
	})
	return s, nil
}

// projectSizes adds to the sizes of projects how many sessions they have.
func (b *Backend) projectSizes(sizes map[project.ID]int64) []ProjectSize {
	b.mu.Lock()
	defer b.mu.Unlock()
	count := map[project.ID]int{}
	for _, c := range b.sessions {
		count[c.row.Project]++
	}
	out := make([]ProjectSize, 0, len(b.projects))
	for id := range b.projects {
		out = append(out, ProjectSize{ID: id, Bytes: sizes[id], Sessions: count[id]})
	}
	return out
}

// DeleteBroken deletes the databases that were set aside, at this start or an
// earlier one.
func (b *Backend) DeleteBroken() error {
	var errs []error
	for _, path := range sqlite.Asides(b.path(sqlite.FileName)) {
		if err := sqlite.DeleteAside(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	b.out.publish(event.View{NoticeGone: noticeBroken})
	return nil
}

// DismissNotice closes a notice that only told what was kept.
func (b *Backend) DismissNotice(id string) {
	if strings.HasPrefix(id, keptNotice) {
		b.out.publish(event.View{NoticeGone: id})
	}
}

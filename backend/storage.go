package backend

import (
	"errors"
	"io/fs"
	"path/filepath"

	"kandev/backend/event"
	"kandev/backend/sqlite"
)

// Storage says where the data is and how large.
type Storage struct {
	Folder string
	Bytes  int64
	Memory bool   // nothing is saved
	Broken string // name of a database that was set aside, "" = none
}

// Storage looks at the data folder.
func (b *Backend) Storage() Storage {
	s := Storage{Folder: b.o.Home, Memory: b.memory.Load()}
	_ = filepath.WalkDir(b.o.Home, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // what cannot be read is not counted
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			s.Bytes += info.Size()
		}
		return nil
	})
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.aside != "" {
		s.Broken = filepath.Base(b.aside)
	}
	return s
}

// DeleteBroken deletes the database that was set aside at this start.
func (b *Backend) DeleteBroken() error {
	b.mu.Lock()
	aside := b.aside
	b.mu.Unlock()
	if aside == "" {
		return nil
	}
	if err := sqlite.DeleteAside(aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	b.mu.Lock()
	b.aside = ""
	b.mu.Unlock()
	b.out.publish(event.View{NoticeGone: noticeBroken})
	return nil
}

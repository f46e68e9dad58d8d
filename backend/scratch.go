package backend

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// scratchName is the folder in the data folder that holds those of scratch.
const scratchName = "scratch"

// scratch lends an empty folder to a program that is run beside every project: an
// agent of a login, or one that is asked for its version. Agents look at their
// working folder: they read its settings and rules, and some index what lies
// there, which in the data folder would be the database and the private file of
// secrets. Some also remember each folder they ran in, so one name is one folder.
// done removes it, with what was left there. Where none can be made, on a full
// disk, it is the folder of pid files: nothing else is in there.
func (b *Backend) scratch(name string) (folder string, done func(), err error) {
	if folder, done, err = b.newScratch(filepath.Join(scratchName, name)); err != nil && isFolder(b.path("run")) {
		b.log.Warn("no folder of its own for a program", "err", err)
		return b.path("run"), func() {}, nil
	}
	return folder, done, err
}

func (b *Backend) newScratch(name string) (folder string, done func(), err error) {
	home, err := os.OpenRoot(b.o.Home) // never behind a link that leads out of it
	if err != nil {
		return "", nil, fmt.Errorf("a folder to run it in: %w", err)
	}
	if err := errors.Join(home.RemoveAll(name), home.MkdirAll(name, 0o700)); err != nil {
		return "", nil, fmt.Errorf("a folder to run it in: %w", errors.Join(err, home.Close()))
	}
	return b.path(name), func() {
		if err := errors.Join(home.RemoveAll(name), home.Close()); err != nil {
			b.log.Warn("a folder was not removed", "folder", name, "err", err)
		}
	}, nil
}

// sweepScratch removes what an app left that was killed.
func (b *Backend) sweepScratch() {
	home, err := os.OpenRoot(b.o.Home)
	if err != nil {
		return // there is nothing of ours then
	}
	if err := errors.Join(home.RemoveAll(scratchName), home.Close()); err != nil {
		b.log.Warn("folders of an earlier run were not removed", "err", err)
	}
}

//go:build linux || darwin

package proc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Sweep ends what the pid files in dir still name and removes the files. It is the second net, for a guard that was killed with its app.
// Call it before the first Start and after the lock on the folder is held, since it ends running trees as well.
// Only processes whose pid and start time match are touched, and what descends from them. A file that cannot be read as one of ours is
// removed and becomes part of the error. A missing folder is no error. killed counts processes, guards included.
func Sweep(dir string) (killed int, err error) {
	files, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("sweep: %w", err)
	}
	boot := bootID()
	var failures []error
	for _, file := range files {
		if ours, _ := filepath.Match("guard-*.json*", file.Name()); !ours {
			continue
		}
		path := filepath.Join(dir, file.Name())
		if filepath.Ext(path) == ".json" {
			n, err := sweepFile(path, boot)
			killed += n
			if err != nil {
				failures = append(failures, fmt.Errorf("sweep %s: %w", path, err))
			}
			if errors.Is(err, ErrLeft) {
				continue // the next start tries again
			}
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failures = append(failures, fmt.Errorf("sweep: %w", err))
		}
	}
	return killed, errors.Join(failures...)
}

func sweepFile(path, boot string) (int, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil // its guard has just finished
	}
	if err != nil {
		return 0, err
	}
	r, err := parseRecord(content)
	if err != nil {
		return 0, err
	}
	if r.Boot != boot {
		return 0, nil
	}
	// The guard goes last: while it lives, orphans stay below it and are found.
	named := map[ident]bool{r.Guard: true}
	for _, id := range r.Tree {
		named[id] = true
	}
	killed, left := killAll(KillLimit, func() []entry {
		return without(r.Guard, remember(named, closure(processTable(), func(e entry) bool { return named[e.ident] })))
	})
	guards, guardLeft := killAll(KillLimit, func() []entry {
		return closure(processTable(), func(e entry) bool { return e.ident == r.Guard })
	})
	if left+guardLeft > 0 {
		err = ErrLeft
	}
	return len(killed) + len(guards), err
}

// remember adds the members, so that those that lose their parent between two looks stay known.
func remember(known map[ident]bool, members []entry) []entry {
	for _, e := range members {
		known[e.ident] = true
	}
	return members
}

// without leaves out one process, and the caller itself whatever a file says.
func without(id ident, members []entry) []entry {
	var out []entry
	for _, e := range members {
		if e.ident != id && e.PID != os.Getpid() {
			out = append(out, e)
		}
	}
	return out
}

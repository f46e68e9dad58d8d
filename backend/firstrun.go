package backend

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"kandev/backend/agent"
	"kandev/backend/proc"
	"kandev/backend/project"
)

// sweep ends what a crashed app left running; the second net after the guard.
func (b *Backend) sweep() {
	killed, err := proc.Sweep(b.path("run"))
	if killed > 0 || err != nil {
		b.log.Warn("swept processes of an earlier run", "killed", killed, "err", err)
	}
	b.sweepScratch()
	for _, dir := range []string{b.o.Home, b.path("run")} { // of a run that was killed while it tried the disk
		entries, _ := os.ReadDir(dir) // one that cannot be read holds nothing of ours
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), probePrefix) {
				_ = os.Remove(filepath.Join(dir, e.Name()))
			}
		}
	}
}

// firstRun opens a sample project with the embedded agent when there is neither
// a project nor a session: at the very first start, and after everything was
// removed.
func (b *Backend) firstRun() error {
	if len(b.projects) > 0 || len(b.sessions) > 0 {
		return nil
	}
	folder := b.path("sample")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		b.log.Warn("no sample folder", "err", err)
		return nil // the window opens without it
	}
	readme := filepath.Join(folder, "README.md")
	if _, err := os.Stat(readme); errors.Is(err, os.ErrNotExist) {
		if err := os.WriteFile(readme, []byte(sampleText), 0o600); err != nil {
			b.log.Warn("no sample file", "err", err)
		}
	}
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		b.log.Warn("no sample folder", "err", err)
		return nil // the window opens without it
	}
	b.mu.Lock()
	p := project.Project{ID: project.ID(newID("p")), Name: "sample", Path: real, Agent: agent.Toolbench, UsedAt: b.useTime(), Sample: true}
	b.putProject(p)
	b.mu.Unlock()
	c, err := b.create(NewSession{Project: p.ID, Agent: agent.Toolbench}, "Look around", false)
	if err != nil {
		return err
	}
	b.mu.Lock()
	b.first = c.row.ID
	b.mu.Unlock()
	return b.start(context.Background(), c.row.ID, beginning{})
}

const sampleText = `# Sample

This folder belongs to Kandev Desktop. Agents can read and write in it; you can
delete it at any time, or remove the project in the project menu.
`

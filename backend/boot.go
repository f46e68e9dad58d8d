package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"kandev/backend/agent"
	"kandev/backend/event"
	"kandev/backend/proc"
	"kandev/backend/project"
	"kandev/backend/question"
	"kandev/backend/session"
	"kandev/backend/sqlite"
)

// endedWithApp is what a question shows that was open when the app ended.
const endedWithApp = "Kandev ended while this was open."

// load brings back what was stored: rows and summaries only. Transcripts and
// catalogs come when a session is opened.
func (b *Backend) load(ctx context.Context) error {
	if err := b.loadRows(ctx); err != nil {
		return err
	}
	attachments, err := b.db.LoadAttachmentSummaries(ctx)
	if err != nil && !errors.Is(err, sqlite.ErrRow) {
		return fmt.Errorf("read attachments: %w", err)
	}
	for id, c := range b.sessions {
		c.history = attachments[id]
		b.out.keep(event.View{Session: b.sessionView(c.row, 0)})
		if c.history.Current() != nil {
			b.out.keep(event.View{Attachment: c.attachmentView()})
		}
	}
	return b.closeOpen(ctx)
}

func (b *Backend) loadRows(ctx context.Context) error {
	var errs []error
	note := func(err error) {
		if err != nil && !errors.Is(err, sqlite.ErrRow) {
			errs = append(errs, err)
		}
	}
	var err error
	b.settings, err = b.db.Settings(ctx)
	note(err)
	b.setLevel(b.settings.LogLevel)
	projects, err := b.db.Projects(ctx)
	note(err)
	for _, p := range projects {
		b.projects[p.ID] = p
		b.out.keep(event.View{Project: projectView(p, !isFolder(p.Path))})
		tasks, err := b.db.Tasks(ctx, p.ID)
		note(err)
		for _, t := range tasks {
			b.tasks[t.ID], b.seq = t, max(b.seq, t.Seq)
			b.out.keep(event.View{Task: taskView(t)})
		}
	}
	rows, err := b.db.Sessions(ctx)
	note(err)
	for _, row := range rows {
		c := b.newConversation(row.AfterBoot())
		c.dirty.row = c.row != row
		b.sessions[row.ID], b.seq = c, max(b.seq, row.Seq)
		if c.dirty.row {
			c.changed(true)
		}
	}
	return errors.Join(errs...)
}

// closeOpen cancels what waited for the person when the app ended: its agent is
// gone, and nobody would hear the answer.
func (b *Backend) closeOpen(ctx context.Context) error {
	questions, err := b.db.OpenQuestions(ctx)
	if err != nil && !errors.Is(err, sqlite.ErrRow) {
		return fmt.Errorf("read open questions: %w", err)
	}
	permissions, err := b.db.OpenPermissions(ctx)
	if err != nil && !errors.Is(err, sqlite.ErrRow) {
		return fmt.Errorf("read open permission requests: %w", err)
	}
	now := b.o.Now()
	for _, q := range questions {
		if c := b.sessions[q.Session]; c != nil {
			if next, ok := q.End(question.Cancelled, endedWithApp, now); ok {
				c.dirty.questions[q.ID] = next
				c.changed(true)
			}
		}
	}
	for _, p := range permissions {
		if c := b.sessions[p.Session]; c != nil {
			if next, ok := p.Cancel(endedWithApp, now); ok {
				c.dirty.permissions[p.ID] = next
				c.changed(true)
			}
		}
	}
	return nil
}

// sweep ends what a crashed app left running; the second net after the guard.
func (b *Backend) sweep() {
	killed, err := proc.Sweep(b.path("run"))
	if killed > 0 || err != nil {
		b.log.Warn("swept processes of an earlier run", "killed", killed, "err", err)
	}
}

// firstRun opens a sample project with the embedded agent when there is
// nothing at all yet.
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
		return nil
	}
	p := project.Project{ID: project.ID(newID("p")), Name: "sample", Path: real, Agent: agent.Toolbench, UsedAt: b.o.Now(), Sample: true}
	b.mu.Lock()
	b.putProject(p)
	b.mu.Unlock()
	c, err := b.create(NewSession{Project: p.ID, Agent: agent.Toolbench}, "Look around", false)
	if err != nil {
		return err
	}
	b.mu.Lock()
	b.first = c.row.ID
	b.mu.Unlock()
	return b.start(context.Background(), session.ID(c.row.ID), "")
}

const sampleText = `# Sample

This folder belongs to Kandev Desktop. Agents can read and write in it; you can
delete it at any time, or remove the project in the project menu.
`

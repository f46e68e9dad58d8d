package backend

import (
	"context"
	"errors"
	"fmt"

	"kandev/backend/agent"
	"kandev/backend/attach"
	"kandev/backend/event"
	"kandev/backend/permission"
	"kandev/backend/plugin"
	"kandev/backend/project"
	"kandev/backend/question"
	"kandev/backend/session"
	"kandev/backend/settings"
	"kandev/backend/sqlite"
	"kandev/backend/task"
)

// endedWithApp is what a question shows that was open when the app ended.
const endedWithApp = "Kandev ended while this was open."

// openStored opens the database and brings back what was stored: rows and
// summaries only; transcripts and catalogs come when a session is opened. A
// database that opens and cannot be read is treated as one that cannot be
// opened.
func (b *Backend) openStored(ctx context.Context) error {
	if err := b.openStore(ctx); err != nil {
		return err
	}
	stored, err := readStored(ctx, b.db)
	if err != nil {
		if err := b.replaceStore(ctx, err); err != nil {
			return err
		}
		stored = &storedRows{} // a new one, or none
	}
	b.openPlugins(stored)
	b.adoptStored(stored)
	return nil
}

// storedRows is what the database holds, read and not yet acted on.
type storedRows struct {
	settings    settings.Settings
	projects    []project.Project
	tasks       []task.Task
	sessions    []session.Session
	attachments map[session.ID]attach.History
	questions   []question.Bundle
	permissions []permission.Request
	plugins     []plugin.Installation
	pluginsLost bool // a row of a plugin could not be read
	customs     []agent.Custom
}

// readStored reads it all. A row that cannot be read costs itself.
func readStored(ctx context.Context, db *sqlite.DB) (*storedRows, error) {
	var s storedRows
	var errs []error
	note := func(err error) {
		if err != nil && !errors.Is(err, sqlite.ErrRow) {
			errs = append(errs, err)
		}
	}
	var err error
	s.settings, err = db.Settings(ctx)
	note(err)
	s.projects, err = db.Projects(ctx)
	note(err)
	for _, p := range s.projects {
		tasks, err := db.Tasks(ctx, p.ID)
		note(err)
		s.tasks = append(s.tasks, tasks...)
	}
	s.sessions, err = db.Sessions(ctx)
	note(err)
	s.attachments, err = db.LoadAttachmentSummaries(ctx)
	note(err)
	s.questions, err = db.OpenQuestions(ctx)
	note(err)
	s.permissions, err = db.OpenPermissions(ctx)
	note(err)
	s.plugins, err = db.Plugins(ctx)
	s.pluginsLost = err != nil
	note(err)
	s.customs, err = readCustoms(ctx, db)
	note(err)
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("read what is stored: %w", err)
	}
	return &s, nil
}

// adoptStored puts what was read into memory and before the window. Nothing
// else runs yet but the writer, which calls back as soon as something changed:
// so that comes last.
func (b *Backend) adoptStored(s *storedRows) {
	b.settings = s.settings
	b.customs.set(s.customs)
	b.setLevel(s.settings.LogLevel)
	paths := make([]string, len(s.projects))
	for n, p := range s.projects {
		paths[n] = p.Path
	}
	there := b.looks.at(paths, lookLimit, isFolder)
	for _, p := range s.projects {
		b.projects[p.ID] = p
		is, answered := there[p.Path]
		b.out.keep(event.View{Project: ProjectView(p, answered && !is)})
	}
	for _, t := range s.tasks {
		b.tasks[t.ID], b.seq = t, max(b.seq, t.Seq)
		b.out.keep(event.View{Task: taskView(t)})
	}
	for _, row := range s.sessions {
		c := b.newConversation(row.AfterBoot())
		c.dirty.row = c.row != row
		c.history = s.attachments[row.ID].AfterBoot()
		b.sessions[row.ID], b.seq = c, max(b.seq, row.Seq)
		b.out.keep(event.View{Session: b.sessionView(c.row, 0)})
		if c.history.Current() != nil {
			b.out.keep(event.View{Attachment: c.attachmentView()})
		}
	}
	b.closeOpen(s)
	for _, c := range b.sessions {
		c.mu.Lock()
		if c.dirty.row || len(c.dirty.questions)+len(c.dirty.permissions) > 0 {
			c.changed(true)
		}
		c.mu.Unlock()
	}
}

// closeOpen cancels what waited for the person when the app ended: its agent is
// gone, and nobody would hear the answer.
func (b *Backend) closeOpen(s *storedRows) {
	now := b.o.Now()
	for _, q := range s.questions {
		if c := b.sessions[q.Session]; c != nil {
			if next, ok := q.End(question.Cancelled, endedWithApp, now); ok {
				c.dirty.questions[q.ID] = next
			}
		}
	}
	for _, p := range s.permissions {
		if c := b.sessions[p.Session]; c != nil {
			if next, ok := p.Cancel(endedWithApp, now); ok {
				c.dirty.permissions[p.ID] = next
			}
		}
	}
}

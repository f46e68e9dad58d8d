package app

import (
	"context"
	"runtime"

	"kandev/backend"
	"kandev/backend/event"
	"kandev/backend/project"
	"kandev/backend/session"
	"kandev/backend/settings"
)

// API is what the page may call. Every exported method is public API of the
// page: the first argument is the session token, the body goes through the
// door. Methods answer quickly; what takes long is told by events.
type API struct{ w *window }

// Snapshot answers everything the window needs to draw its frame.
func (a *API) Snapshot(token string) (Snapshot, error) {
	return enter(a.w.door, token, "Snapshot", func() (Snapshot, error) { return a.w.snapshot(), nil })
}

// Transcript answers the items of a session that are newer than a revision.
func (a *API) Transcript(token, id string, after int64) (Transcript, error) {
	return enter(a.w.door, token, "Transcript", func() (Transcript, error) {
		items, more, err := a.w.backend.Transcript(a.w.ctx, session.ID(id), after)
		return transcriptView(id, after, items, more), err
	})
}

// Attachment answers what was last observed of a session, with definitions.
func (a *API) Attachment(token, id string) (Attachment, error) {
	return enter(a.w.door, token, "Attachment", func() (Attachment, error) {
		h, def, live, err := a.w.backend.Attachment(a.w.ctx, session.ID(id))
		return attachmentView(id, h, def, live), err
	})
}

// Question answers one bundle with its content.
func (a *API) Question(token, id string) (Question, error) {
	return enter(a.w.door, token, "Question", func() (Question, error) {
		q, revision, err := a.w.backend.Question(a.w.ctx, id)
		return questionView(q, revision), err
	})
}

// Permission answers one permission request with its content.
func (a *API) Permission(token, id string) (Permission, error) {
	return enter(a.w.door, token, "Permission", func() (Permission, error) {
		r, revision, err := a.w.backend.Permission(a.w.ctx, id)
		return permissionView(r, revision), err
	})
}

// Agents answers the known agents and which are installed here.
func (a *API) Agents(token string) ([]Agent, error) {
	return enter(a.w.door, token, "Agents", func() ([]Agent, error) { return agentViews(a.w.backend.Agents(a.w.ctx)), nil })
}

// AddProject makes a folder a project, or answers the one it is already.
func (a *API) AddProject(token, path string) (event.Project, error) {
	return enter(a.w.door, token, "AddProject", func() (event.Project, error) {
		p, err := a.w.backend.AddProject(a.w.ctx, path)
		return *backend.ProjectView(p, false), err
	})
}

// MoveProject gives a project another folder, with all its sessions.
func (a *API) MoveProject(token, id, path string) (event.Project, error) {
	return enter(a.w.door, token, "MoveProject", func() (event.Project, error) {
		p, err := a.w.backend.MoveProject(project.ID(id), path)
		return *backend.ProjectView(p, false), err
	})
}

// RemoveProject takes a project off the list; its folder is not touched.
func (a *API) RemoveProject(token, id string) error {
	return a.do(token, "RemoveProject", func(ctx context.Context) error { return a.w.backend.RemoveProject(ctx, project.ID(id)) })
}

// CheckProjects looks again which folders are there.
func (a *API) CheckProjects(token string) error {
	return a.do(token, "CheckProjects", func(context.Context) error { a.w.backend.CheckProjects(); return nil })
}

// NewSession starts a session and answers its id.
func (a *API) NewSession(token string, n NewSession) (string, error) {
	return enter(a.w.door, token, "NewSession", func() (string, error) {
		id, err := a.w.backend.NewSession(a.w.ctx, backend.NewSession{Project: project.ID(n.Project), Agent: n.Agent, Title: n.Title, Prompt: n.Prompt, Executor: n.Executor})
		return string(id), err
	})
}

// Prompt sends a prompt to a session's agent.
func (a *API) Prompt(token, id, text string) error {
	return a.do(token, "Prompt", func(ctx context.Context) error { return a.w.backend.Prompt(ctx, session.ID(id), text) })
}

// CancelTurn stops the running turn; the agent lives on.
func (a *API) CancelTurn(token, id string) error {
	return a.do(token, "CancelTurn", func(context.Context) error { return a.w.backend.CancelTurn(session.ID(id)) })
}

// StartSession starts the agent of a stopped session: a new attempt.
func (a *API) StartSession(token, id string) error {
	return a.do(token, "StartSession", func(ctx context.Context) error { return a.w.backend.StartSession(ctx, session.ID(id)) })
}

// StopSession ends the agent of a session.
func (a *API) StopSession(token, id string) error {
	return a.do(token, "StopSession", func(ctx context.Context) error { return a.w.backend.StopSession(ctx, session.ID(id)) })
}

// RenameSession names the task of a session.
func (a *API) RenameSession(token, id, title string) error {
	return a.do(token, "RenameSession", func(context.Context) error { return a.w.backend.RenameSession(session.ID(id), title) })
}

// ArchiveSession hides a session or shows it again.
func (a *API) ArchiveSession(token, id string, archived bool) error {
	return a.do(token, "ArchiveSession", func(context.Context) error { return a.w.backend.ArchiveSession(session.ID(id), archived) })
}

// DeleteSession stops a session and removes all that is stored of it.
func (a *API) DeleteSession(token, id string) error {
	return a.do(token, "DeleteSession", func(ctx context.Context) error { return a.w.backend.DeleteSession(ctx, session.ID(id)) })
}

// Answer answers a question; the first answer wins.
func (a *API) Answer(token, id string, answers []Answer) error {
	return a.do(token, "Answer", func(context.Context) error { return a.w.backend.Answer(id, answersOf(answers)) })
}

// RejectQuestion ends a question without an answer.
func (a *API) RejectQuestion(token, id, reason string) error {
	return a.do(token, "RejectQuestion", func(context.Context) error { return a.w.backend.RejectQuestion(id, reason) })
}

// Permit answers a permission request with one of its options.
func (a *API) Permit(token, id, option string) error {
	return a.do(token, "Permit", func(context.Context) error { return a.w.backend.Permit(id, option) })
}

// SaveSettings keeps the person's choices.
func (a *API) SaveSettings(token string, s Settings) error {
	return a.do(token, "SaveSettings", func(context.Context) error {
		a.w.backend.SaveSettings(s.over(a.w.backend.Settings()))
		return nil
	})
}

// do is enter for methods that answer nothing but an error.
func (a *API) do(token, name string, body func(context.Context) error) error {
	_, err := enter(a.w.door, token, name, func() (struct{}, error) { return struct{}{}, body(a.w.ctx) })
	return err
}

func (w *window) snapshot() Snapshot {
	s := w.backend.Snapshot()
	w.pageUp.Store(true)
	w.first.Do(func() { w.backend.Log().Info("first call answered", "sessions", len(s.Sessions)) })
	return Snapshot{
		Epoch: s.Epoch, Seq: s.Seq, Version: w.version, Platform: runtime.GOOS, FirstRun: string(w.backend.FirstRun()),
		Projects: s.Projects, Tasks: s.Tasks, Sessions: s.Sessions, Attachments: s.Attachments,
		Questions: s.Questions, Permissions: s.Permissions, Notices: s.Notices, Quit: s.Quit, Settings: settingsView(w.backend.Settings()),
		PluginsRev: s.PluginsRev,
	}
}

// over puts what the page shows into settings that hold more.
func (s Settings) over(all settings.Settings) settings.Settings {
	all.Theme, all.LogLevel, all.LettersOff, all.ContextWindow = s.Theme, s.LogLevel, s.LettersOff, s.ContextWindow
	all.AskOwnTools, all.PreambleOff = s.AskOwnTools, s.PreambleOff
	return all
}

func settingsView(s settings.Settings) Settings {
	return Settings{
		Theme: s.Theme, LogLevel: s.LogLevel, LettersOff: s.LettersOff, ContextWindow: s.ContextWindow,
		AskOwnTools: s.AskOwnTools, PreambleOff: append([]string{}, s.PreambleOff...),
	}
}

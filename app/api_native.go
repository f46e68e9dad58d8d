package app

import (
	"context"

	"kandev/backend/session"
)

// ChooseFolder shows the native folder dialog; "" = the person cancelled.
func (a *API) ChooseFolder(token string) (string, error) {
	return enter(a.w.door, token, "ChooseFolder", func() (string, error) {
		return a.w.dialogs.chooseFolder(a.w.shell(), "Choose a project folder", "")
	})
}

// SaveFile shows the native save dialog and writes content there; the answer
// is the path, "" = the person cancelled.
func (a *API) SaveFile(token, name, content string) (string, error) {
	return enter(a.w.door, token, "SaveFile", func() (string, error) { return a.w.saveFile(name, []byte(content)) })
}

// OpenURL opens an http or https link in the person's browser.
func (a *API) OpenURL(token, url string) error {
	return a.do(token, "OpenURL", func(context.Context) error { return a.w.opener.open(url) })
}

// OpenFolder shows a folder of ours in the file manager: "data" or "logs".
func (a *API) OpenFolder(token, which string) error {
	return a.do(token, "OpenFolder", func(context.Context) error { return a.w.openFolder(which) })
}

// Storage answers where the data is and how large, in all and by project.
func (a *API) Storage(token string) (Storage, error) {
	return enter(a.w.door, token, "Storage", func() (Storage, error) {
		s, err := a.w.backend.Storage(a.w.ctx)
		return storageView(s), err
	})
}

// DismissNotice closes a notice that only told what was kept.
func (a *API) DismissNotice(token, id string) error {
	return a.do(token, "DismissNotice", func(context.Context) error { a.w.backend.DismissNotice(id); return nil })
}

// DeleteBroken deletes the databases that were set aside because they were damaged.
func (a *API) DeleteBroken(token string) error {
	return a.do(token, "DeleteBroken", func(context.Context) error { return a.w.backend.DeleteBroken() })
}

// UncleanReport answers a redacted text about a last run that did not end in
// order; "" = it did, or the report was dismissed.
func (a *API) UncleanReport(token string) (string, error) {
	return enter(a.w.door, token, "UncleanReport", func() (string, error) { return a.w.backend.UncleanReport(), nil })
}

// DismissUnclean forgets that report.
func (a *API) DismissUnclean(token string) error {
	return a.do(token, "DismissUnclean", func(context.Context) error { a.w.backend.DismissUnclean(); return nil })
}

// Diagnostics answers a sanitised text about one session to copy: statuses,
// evidence and counts; no secrets, no agent output.
func (a *API) Diagnostics(token, id string) (string, error) {
	return enter(a.w.door, token, "Diagnostics", func() (string, error) { return a.w.diagnostics(session.ID(id)) })
}

// Quit ends the app after the person agreed.
func (a *API) Quit(token string) error {
	return a.do(token, "Quit", func(context.Context) error { a.w.quit(); return nil })
}

// KeepRunning says that the person does not want to quit after all.
func (a *API) KeepRunning(token string) error {
	return a.do(token, "KeepRunning", func(context.Context) error { a.w.backend.KeepRunning(); return nil })
}

package app

import (
	"context"

	"kandev/backend/session"
)

// Place is where a session works.
type Place struct {
	Folder  string `json:"folder"`
	Exists  bool   `json:"exists"`
	Own     bool   `json:"own"`     // the session's alone; RemovePlace removes it when it is clean
	Branch  string `json:"branch"`  // of a worktree
	Dirty   bool   `json:"dirty"`   // it holds work that is in no commit
	Commits int    `json:"commits"` // that the project has not checked out
	Merge   string `json:"merge"`   // a command to copy; "" = nothing to merge
}

// ResetSession makes a session's agent forget what was said: a new attempt.
func (a *API) ResetSession(token, id string) error {
	return a.do(token, "ResetSession", func(ctx context.Context) error { return a.w.backend.ResetSession(ctx, session.ID(id)) })
}

// Place says where a session works.
func (a *API) Place(token, id string) (Place, error) {
	return enter(a.w.door, token, "Place", func() (Place, error) {
		p, err := a.w.backend.Place(a.w.ctx, session.ID(id))
		return Place(p), err
	})
}

// OpenPlace shows the folder in which a session works in the file manager.
func (a *API) OpenPlace(token, id string) error {
	return a.do(token, "OpenPlace", func(ctx context.Context) error { return a.w.openPlace(ctx, session.ID(id)) })
}

// RemovePlace removes a session's own folder when it is clean.
func (a *API) RemovePlace(token, id string) error {
	return a.do(token, "RemovePlace", func(ctx context.Context) error { return a.w.backend.RemovePlace(ctx, session.ID(id)) })
}

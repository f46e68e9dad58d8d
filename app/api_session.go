package app

import (
	"context"

	"kandev/backend/session"
)

// LoginMethod is one way to log in that a session's agent offered. Command is
// to be copied and run in a terminal; "" = Authenticate does it.
type LoginMethod struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Command     string `json:"command"`
}

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

// LoginMethods lists what the agent of a session offered to log in by.
func (a *API) LoginMethods(token, id string) ([]LoginMethod, error) {
	return enter(a.w.door, token, "LoginMethods", func() ([]LoginMethod, error) {
		methods, err := a.w.backend.LoginMethods(session.ID(id))
		out := []LoginMethod{}
		for _, m := range methods {
			out = append(out, LoginMethod(m))
		}
		return out, err
	})
}

// Authenticate starts a session's agent and logs in by one of its methods.
func (a *API) Authenticate(token, id, method string) error {
	return a.do(token, "Authenticate", func(ctx context.Context) error { return a.w.backend.Authenticate(ctx, session.ID(id), method) })
}

// Place says where a session works.
func (a *API) Place(token, id string) (Place, error) {
	return enter(a.w.door, token, "Place", func() (Place, error) {
		p, err := a.w.backend.Place(a.w.ctx, session.ID(id))
		return Place(p), err
	})
}

// RemovePlace removes a session's own folder when it is clean.
func (a *API) RemovePlace(token, id string) error {
	return a.do(token, "RemovePlace", func(ctx context.Context) error { return a.w.backend.RemovePlace(ctx, session.ID(id)) })
}

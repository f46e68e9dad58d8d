// Package executor decides where an instance runs. There is one builder of
// instance requests for every executor, so that none can forget a field; what
// runs where is known to nobody else.
//
// local: in the project's folder. worktree: in a git worktree and branch of the
// session's own, so that agents do not meet; it is made at the first start,
// found again at the next ones, and removed only when it is clean. Nothing is
// merged here.
package executor

import (
	"context"
	"errors"
	"fmt"

	"kandev/backend/agent"
	"kandev/backend/agentctl"
	"kandev/backend/project"
	"kandev/backend/session"
)

// Names of executors. "" is Local.
const (
	Local    = "local"    // in the project's own folder
	Worktree = "worktree" // in a worktree of the project's repository
)

// Errors of executors.
var (
	ErrUnknown = errors.New("unknown executor")
	ErrFolder  = errors.New("the project's folder is not there")
)

// Check refuses the name of an executor that does not exist.
func Check(name string) error {
	switch name {
	case "", Local, Worktree:
		return nil
	}
	return fmt.Errorf("%w: %q", ErrUnknown, name)
}

// Spec is what a request is built from.
type Spec struct {
	Session     session.Session
	Project     project.Project
	Agent       agent.Definition
	Command     []string // argv with an absolute path
	Environment []string // names
	Servers     []agent.Server
	Profile     agentctl.Profile
	Limits      agentctl.Limits
	Worktrees   string // the folder that worktrees are made in, absolute
}

// Create starts an instance where the session's executor says. Create and
// resume go the same way.
func Create(ctx context.Context, s Spec, host agentctl.Host) (*agentctl.Instance, error) {
	folder, err := workDir(ctx, s, host)
	if err != nil {
		return nil, err
	}
	request, err := build(s, folder).Encode()
	if err != nil {
		return nil, fmt.Errorf("session %s: encode the instance request: %w", s.Session.ID, err)
	}
	return agentctl.Create(ctx, request, host)
}

// workDir is the only thing executors differ in.
func workDir(ctx context.Context, s Spec, host agentctl.Host) (string, error) {
	switch s.Session.Executor {
	case Local, "":
		if !isFolder(s.Project.Path) {
			return "", fmt.Errorf("%w: %s", ErrFolder, s.Project.Path)
		}
		return s.Project.Path, nil
	case Worktree:
		return worktree(ctx, s, host)
	}
	return "", Check(s.Session.Executor)
}

// Place is where a session works, as a person is shown it.
type Place struct {
	Folder  string
	Exists  bool
	Own     bool   // the session's alone: Remove may remove it
	Branch  string // of a worktree: what it has checked out
	Dirty   bool   // it has changes, or new files, that are in no commit, or commits that are on no branch
	Commits int    // commits that the project has not checked out
	Merge   string // a command to copy; "" = nothing to merge
}

// Where describes where a session works. Of the spec it reads Session, Project,
// Environment and Worktrees.
func Where(ctx context.Context, s Spec, host agentctl.Host) (Place, error) {
	if s.Session.Executor != Worktree {
		return Place{Folder: s.Project.Path, Exists: isFolder(s.Project.Path)}, Check(s.Session.Executor)
	}
	return inspect(ctx, s, host)
}

// Remove removes a place that is the session's own and clean; else ErrDirty,
// and all stays. Files that git ignores go with it. The caller sees to it that
// no agent runs there.
func Remove(ctx context.Context, s Spec, host agentctl.Host) error {
	if s.Session.Executor != Worktree {
		return Check(s.Session.Executor)
	}
	return removeTree(ctx, s, host)
}

// build is the one builder; a reflection test fills every field of the result.
func build(s Spec, folder string) agentctl.CreateInstanceRequest {
	return agentctl.CreateInstanceRequest{
		Session:      s.Session.ID,
		Task:         s.Session.Task,
		Execution:    s.Session.Execution,
		WorkDir:      folder,
		Command:      s.Command,
		Environment:  s.Environment,
		Capabilities: s.Agent.Capabilities,
		Servers:      s.Servers,
		Profile:      s.Profile,
		Limits:       s.Limits,
	}
}

// Package executor decides where an instance runs. There is one builder of
// instance requests for every executor, so that none can forget a field; what
// runs where is known to nobody else.
//
// local: in the project's folder. Worktrees come with a later issue.
package executor

import (
	"context"
	"errors"
	"fmt"
	"os"

	"kandev/backend/agent"
	"kandev/backend/agentctl"
	"kandev/backend/project"
	"kandev/backend/session"
)

// Local is the name of the executor that works in the project's own folder.
const Local = "local"

// Errors of executors.
var (
	ErrUnknown = errors.New("unknown executor")
	ErrFolder  = errors.New("the project's folder is not there")
)

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
}

// Create starts an instance where the session's executor says. Create and
// resume go the same way.
func Create(ctx context.Context, s Spec, host agentctl.Host) (*agentctl.Instance, error) {
	folder, err := workDir(s)
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
func workDir(s Spec) (string, error) {
	switch s.Session.Executor {
	case Local, "":
		if info, err := os.Stat(s.Project.Path); err != nil || !info.IsDir() {
			return "", fmt.Errorf("%w: %s", ErrFolder, s.Project.Path)
		}
		return s.Project.Path, nil
	}
	return "", fmt.Errorf("%w: %q", ErrUnknown, s.Session.Executor)
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

package agentctl

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kandev/backend/acp"
	"kandev/backend/agent"
	"kandev/backend/attach"
	"kandev/backend/mcpserver"
)

// errSuperseded is the cause that calls of an older attempt end with: its
// endpoint is closed right behind them.
var errSuperseded = fmt.Errorf("a new attempt began: %w", mcpserver.ErrSuperseded)

// Attempt delivers the MCP configuration to the agent anew, with session/new:
// after it the agent knows nothing of an earlier session. ErrRestart says that
// this process has had its only attempt; nothing was recorded then.
func (i *Instance) Attempt(ctx context.Context, reason string) error {
	return i.begin(ctx, reason, "")
}

// Load is Attempt with session/load of a session that the agent made before.
// The updates it repeats are dropped. Ask CanLoad first.
func (i *Instance) Load(ctx context.Context, session string) error {
	return i.begin(ctx, attach.StartLoad, session)
}

// begin is the one code path of spec/attachment.md, "When an attempt starts":
// `started` is recorded → the new address is live → calls of the old attempt
// are cancelled, its streams closed and its terminals ended → the ACP request,
// no lock held → accepted or failed.
func (i *Instance) begin(ctx context.Context, reason, load string) error {
	bearer, err := i.takeBearer()
	if err != nil {
		return err
	}
	id := i.host.NewID("a")
	if !i.enter(id) {
		return ErrEnded
	}
	defer i.attempts.Done()
	i.record(id, attach.Evidence{Kind: attach.Started, Execution: i.request.Execution, Reason: reason})
	endpoint, old, err := i.open(id, bearer)
	if errors.Is(err, ErrEnded) {
		i.closeEndpoint(endpoint)
		return err
	}
	if err != nil {
		i.record(id, attach.Evidence{Kind: attach.Configured, Server: attach.BuiltinServer, Source: attach.SourceBuiltin, Transport: "http"})
		i.record(id, attach.Evidence{Kind: attach.Failed, Server: attach.BuiltinServer, Reason: "endpoint_failed", Summary: err.Error()})
		return fmt.Errorf("open the MCP endpoint: %w", err)
	}
	if old != nil {
		old.CancelCalls(errSuperseded)
		i.closeEndpoint(old)
	}
	i.terminals.endAttempt()
	servers := i.deliver(id, endpoint)
	result, err := i.ask(ctx, load, servers)
	if err != nil {
		if isRefusal(err) {
			i.refused(id, servers, err)
		}
		return err
	}
	i.mu.Lock()
	current := i.attempt == id && !i.ended
	if current {
		i.session = result.SessionID
	}
	i.mu.Unlock()
	if !current {
		return ErrEnded
	}
	for _, s := range servers {
		i.record(id, attach.Evidence{Kind: attach.Accepted, Server: s.Name})
	}
	return nil
}

// ask sends the ACP request of an attempt.
func (i *Instance) ask(ctx context.Context, load string, servers []agent.Server) (acp.NewSessionResult, error) {
	if load == "" {
		return i.conn.NewSession(ctx, acp.NewSession{Cwd: i.request.WorkDir, Servers: servers})
	}
	return i.conn.LoadSession(ctx, acp.LoadSession{SessionID: load, Cwd: i.request.WorkDir, Servers: servers})
}

// enter makes the attempt the current one, so that Close knows whose end to
// record. false: the instance has ended.
func (i *Instance) enter(id string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.ended {
		return false
	}
	i.attempts.Add(1)
	i.attempt, i.session = id, ""
	return true
}

// open makes the endpoint of an attempt and puts it in the place of the one
// before, which is returned. No change of the tools slips in between: a refresh
// waits, and then meets the new endpoint. With ErrEnded the new endpoint is the
// caller's to close.
func (i *Instance) open(id, bearer string) (endpoint, old *mcpserver.Endpoint, err error) {
	i.setting.Lock()
	defer i.setting.Unlock()
	i.mu.Lock()
	profile := i.profile
	i.mu.Unlock()
	instructions := ""
	if !profile.NoPreamble {
		instructions = i.host.Preamble(profile)
	}
	endpoint, err = i.host.Endpoint(mcpserver.Options{
		Attempt: id, Version: i.host.Version, Instructions: instructions,
		Bearer:       bearer,
		Namespaced:   i.request.Capabilities.NamespacesToolsByServer,
		BearerInPath: i.request.Capabilities.BearerFrom == agent.BearerPath,
		Tools:        i.host.Tools(profile),
		Record:       i.host.Record,
		Used: func(name string, known, failed bool, at time.Time) {
			i.host.Used(id, name, known, failed, at)
		},
		Estimate: i.host.Estimate, Count: i.host.Count,
		CallLimit: ms(i.request.Limits.Tool),
		Now:       i.host.Now, Log: i.host.Log,
	})
	if err != nil {
		return nil, nil, err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.ended {
		return endpoint, nil, ErrEnded
	}
	old, i.endpoint = i.endpoint, endpoint
	return endpoint, old, nil
}

// deliver decides each server's transport, once and before any evidence of it,
// and returns what session/new carries. The built-in server goes first,
// whatever the agent advertises.
func (i *Instance) deliver(id string, endpoint *mcpserver.Endpoint) []agent.Server {
	builtin := i.builtin(endpoint)
	i.record(id, attach.Evidence{Kind: attach.Configured, Server: builtin.Name, Source: attach.SourceBuiltin, Transport: builtin.Transport, Target: target(builtin, endpoint)})
	i.record(id, attach.Evidence{Kind: attach.Delivered, Server: builtin.Name})
	out := []agent.Server{builtin}
	i.mu.Lock()
	mcp := i.agent.MCP
	i.mu.Unlock()
	servers, _ := secretVariables(i.request.Servers, i.request.Capabilities)
	for _, s := range servers {
		reason, why := refusal(s, i.request.Capabilities, mcp)
		row := rowOf(s)
		i.record(id, attach.Evidence{Kind: attach.Configured, Server: row, Source: attach.SourcePerson, Transport: s.Transport, Target: targetOf(s)})
		if reason != "" {
			i.record(id, attach.Evidence{Kind: attach.Filtered, Server: row, Reason: reason, Summary: why})
			continue
		}
		i.record(id, attach.Evidence{Kind: attach.Delivered, Server: s.Name})
		out = append(out, s)
	}
	return out
}

// isRefusal tells an agent that said no from one that said nothing: silence and
// an agent that is gone are no failure of the attachment.
func isRefusal(err error) bool {
	_, refused := errors.AsType[*acp.Error](err)
	return refused || errors.Is(err, acp.ErrAnswer)
}

func (i *Instance) refused(id string, servers []agent.Server, err error) {
	for _, s := range servers {
		i.record(id, attach.Evidence{Kind: attach.Failed, Server: s.Name, Reason: attach.SessionRefused, Summary: err.Error()})
	}
}

// record tells evidence of one attempt, at the time it is told.
func (i *Instance) record(attempt string, e attach.Evidence) {
	e.Attempt, e.At = attempt, i.host.Now()
	i.host.Record(e)
}

package backend

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kandev/backend/acp"
	"kandev/backend/agent"
	"kandev/backend/proc"
)

// FoundAgent is an agent that the app knows, and whether it is here.
type FoundAgent struct {
	agent.Definition
	Installed bool
	Path      string // of the program, "" when embedded or not installed
	Place     string // where it was found: "PATH" or an agent.Place's name
	Version   string // "" = not known
	State     agent.LoginState
	LoginNote string // a sentence: what the state is known from, "" = nothing
	Pending   bool   // the version is being asked for: look again

	Custom *agent.Custom // nil for a known one
	Why    string        // why the program of a custom one was not found
}

// Agents lists the known agents, the embedded one first, then the person's own.
// It waits for the login shell the first time, not longer than ctx, and for no agent.
func (b *Backend) Agents(ctx context.Context) []FoundAgent {
	p := b.programs(ctx)
	out := []FoundAgent{}
	for _, d := range agent.Known() {
		out = append(out, b.look(d, p))
	}
	return append(out, b.lookCustoms(p)...)
}

func (b *Backend) look(d agent.Definition, p programs) FoundAgent {
	if d.Embedded {
		return FoundAgent{Definition: d, Installed: true, Version: b.o.Version, State: agent.LoginNone}
	}
	f := FoundAgent{Definition: d, State: agent.LoginUnknown}
	if found, err := p.find(d.Command); err == nil {
		f.Installed, f.Path, f.Place = true, found.path, found.place
		f.Version, f.Pending = b.version(found, p)
		f.State, f.LoginNote = b.loginState(d)
		f.Login = inTerminal(d.Login, d.Command, found)
	}
	return f
}

// command is how an agent is started.
type command struct {
	agent.Definition
	argv    []string // with an absolute path
	path    string   // the child's PATH, "" = the app's
	program string   // how a person calls it in a terminal
	given   []string // the person's values in its environment; never shown
}

// command finds an agent's program; for one that is not embedded it waits for
// the login shell the first time, not longer than ctx.
func (b *Backend) command(ctx context.Context, id string) (command, error) {
	d, ok := b.o.agents(id)
	if one, own := b.customs.find(id); own {
		return b.customCommand(ctx, one, b.programs(ctx))
	}
	switch {
	case !ok:
		return command{}, fmt.Errorf("%w: %q", agent.ErrUnknown, id)
	case d.Embedded: // it waits for no login shell
		return command{Definition: d, argv: append(slices.Clone(b.o.Self), d.Args...), program: d.Command}, nil
	}
	p := b.programs(ctx)
	found, err := p.find(d.Command)
	switch {
	case ctx.Err() != nil: // the PATH may not have been the whole one
		return command{}, ctx.Err()
	case errors.Is(err, proc.ErrNotFound):
		return command{}, p.missing(d.Command, d.Install)
	case err != nil:
		return command{}, err
	}
	d.Login = inTerminal(d.Login, d.Command, found)
	return command{
		Definition: d, argv: append([]string{found.path}, d.Args...), path: p.childPath(found), program: inTerminal(d.Command, d.Command, found),
	}, nil
}

func (b *Backend) agentName(id string) string {
	if d, ok := b.o.agents(id); ok {
		return d.Name
	}
	return id
}

// agentTitle is what the rail and the top bar show: our name of the agent with
// the version it told, without what some add to it ("0.36.0 (commit 7c61e5bb)").
func (b *Backend) agentTitle(id string, told acp.Implementation) string {
	name := b.agentName(id)
	words := strings.Fields(told.Version)
	if len(words) == 0 {
		return name
	}
	version, _ := bounded(words[0], 40, false)
	return name + " " + version
}

func contains(list []string, s string) bool { return slices.Contains(list, s) }

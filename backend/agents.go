package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

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
// the version it told.
func (b *Backend) agentTitle(id string, told acp.Implementation) string {
	name := b.agentName(id)
	version, _ := bounded(strings.TrimSpace(told.Version), 40, false)
	if version == "" {
		return name
	}
	return name + " " + version
}

// shellPath is our PATH merged with that of the login shell, asked for once: a
// desktop launcher starts the app without it.
type shellPath struct {
	once  sync.Once
	asked chan struct{}          // closed when path is known
	path  atomic.Pointer[string] // nil until the shell has answered, or did not
}

// searchPath waits for the shell, at most the five seconds of its limit, and
// not longer than ctx: then it is our own PATH. Who asks first does not decide
// for all: only the app's end cuts the shell short.
func (b *Backend) searchPath(ctx context.Context) string {
	b.shell.once.Do(func() {
		b.shell.asked = make(chan struct{})
		if !b.enter() { // the app is closing
			close(b.shell.asked)
			return
		}
		go b.askShell()
	})
	select {
	case <-b.shell.asked:
	case <-ctx.Done():
	}
	path, _ := b.getenv("PATH")
	return path
}

// askShell asks the login shell and keeps the answer.
func (b *Backend) askShell() {
	defer b.wg.Done()
	defer close(b.shell.asked)
	path, _ := b.getenv("PATH")
	if login, err := proc.LoginShellPath(b.ctx); err == nil {
		path = joinPaths(path, login)
	}
	b.shell.path.Store(&path)
}

// joinPaths keeps the order of the first and adds what only the second has.
func joinPaths(first, second string) string {
	sep := string(os.PathListSeparator)
	seen := map[string]bool{}
	var out []string
	for _, dir := range append(strings.Split(first, sep), strings.Split(second, sep)...) {
		if dir != "" && !seen[dir] {
			seen[dir] = true
			out = append(out, dir)
		}
	}
	return strings.Join(out, sep)
}

// environNames are the variables a child gets; proc takes out what is ours.
func (b *Backend) environNames() []string {
	var out []string
	for _, entry := range b.o.Environ {
		if name, _, ok := strings.Cut(entry, "="); ok && name != "" {
			out = append(out, name)
		}
	}
	if !contains(out, "PATH") { // a launcher may give none, the login shell does
		out = append(out, "PATH")
	}
	return out
}

// getenvWith is getenv with another PATH.
func (b *Backend) getenvWith(path string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		if name == "PATH" && path != "" {
			return path, true
		}
		return b.getenv(name)
	}
}

// getenv reads the environment as it was when the app started. PATH is merged
// with that of the login shell once that is known.
func (b *Backend) getenv(name string) (string, bool) {
	if path := b.shell.path.Load(); path != nil && *path != "" && name == "PATH" {
		return *path, true
	}
	for _, entry := range b.o.Environ {
		if key, value, ok := strings.Cut(entry, "="); ok && key == name {
			return value, true
		}
	}
	return "", false
}

func contains(list []string, s string) bool { return slices.Contains(list, s) }

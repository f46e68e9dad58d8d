package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kandev/backend/agent"
	"kandev/backend/proc"
)

// withCustoms makes a registry of known agents one of the person's own as well.
func (b *Backend) withCustoms(known func(string) (agent.Definition, bool)) func(string) (agent.Definition, bool) {
	return func(id string) (agent.Definition, bool) {
		if one, ok := b.customs.find(id); ok {
			return b.customDefinition(one), true
		}
		return known(id)
	}
}

// lookCustoms finds the person's own agents. None is run for its version: what
// its command does with --version is not known.
func (b *Backend) lookCustoms(p programs) (out []FoundAgent) {
	for _, one := range b.customs.all() {
		f := FoundAgent{Definition: b.customDefinition(one), Custom: &one}
		f.State, f.LoginNote = b.loginState(f.Definition)
		if found, err := p.find(f.Command); err == nil {
			f.Installed, f.Path, f.Place = true, found.path, found.place
		} else {
			f.Why = p.why(f.Command, err)
		}
		out = append(out, f)
	}
	return out
}

// CommandCheck is a command line as Kandev takes it apart.
type CommandCheck struct {
	Words []string
	Path  string // where the program was found, "" = Why says why not
	Why   string
}

// CheckCommand takes a command line apart and looks for its program. It runs
// nothing. What cannot be kept at all is an agent.ErrCustom.
func (b *Backend) CheckCommand(ctx context.Context, line string) (CommandCheck, error) {
	words, err := agent.CheckCommandLine(strings.TrimSpace(line))
	if err != nil {
		return CommandCheck{}, err
	}
	p, program := b.programs(ctx), inHome(b.personHome(), words[0])
	found, err := p.find(program)
	if err != nil {
		return CommandCheck{Words: words, Why: p.why(program, err)}, nil
	}
	return CommandCheck{Words: words, Path: found.path}, nil
}

// customDefinition is an agent as every other one. A program below "~/" is one
// below the person's home folder; nothing else of a shell's is known here.
func (b *Backend) customDefinition(one agent.Custom) agent.Definition {
	d := one.Definition()
	d.Command = inHome(b.personHome(), d.Command)
	return d
}

func inHome(home, program string) string {
	if rest, ok := strings.CutPrefix(program, "~/"); ok && home != "" {
		return filepath.Join(home, rest)
	}
	return program
}

// customCommand is how an agent of the person's own is started, with the values
// of its environment. One that cannot be read ends the start.
func (b *Backend) customCommand(ctx context.Context, one agent.Custom, p programs) (command, error) {
	d := b.customDefinition(one)
	found, err := p.find(d.Command)
	switch {
	case ctx.Err() != nil: // the PATH may not have been the whole one
		return command{}, ctx.Err()
	case err != nil:
		return command{}, &programError{p.why(d.Command, err)}
	}
	set, given, err := b.customEnvironment(ctx, one)
	if err != nil {
		return command{}, err
	}
	d.Capabilities.EnvSet = set
	return command{
		Definition: d, argv: append([]string{found.path}, d.Args...), path: p.childPath(found),
		program: commandLine(agent.ShellWord(d.Command), d.Args), given: given,
	}, nil
}

// programError says why the program of a person's agent cannot be started. It is
// an agent.ErrNotInstalled.
type programError struct{ why string }

// Error is a sentence for the person.
func (e *programError) Error() string { return e.why }

func (e *programError) Unwrap() error { return agent.ErrNotInstalled }

// why says what is wrong with a program that find did not answer.
func (p programs) why(name string, err error) string {
	info, statErr := os.Stat(name)
	switch {
	case filepath.IsAbs(name) && statErr == nil && info.IsDir():
		return fmt.Sprintf("%s is a folder, not a program.", name)
	case errors.Is(err, proc.ErrNotExecutable):
		return fmt.Sprintf("%s cannot be executed.", name)
	case filepath.IsAbs(name):
		return fmt.Sprintf("%s does not exist.", name)
	case strings.ContainsAny(name, `/\`):
		return fmt.Sprintf("%s is a relative path. Write the whole path, or a name that the PATH has.", name)
	}
	return p.missing(name, "").Error()
}

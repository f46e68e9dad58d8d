package proc

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The time limits of ending a tree (spec: agents, "Processes"). Together they stay below the promised 10 s.
const (
	StdinGrace = 3 * time.Second // for a command that ends when its stdin does
	TermGrace  = 2 * time.Second // between SIGTERM and SIGKILL
	KillLimit  = 3 * time.Second // for the kernel to end what was sent SIGKILL

	startLimit = 15 * time.Second // for the guard to come up, on a loaded machine
	stopMargin = 2 * time.Second  // beyond its own limits before the app takes over from the guard
)

// DefaultStderrTail is how many bytes of stderr are kept when the command does not say.
const DefaultStderrTail = 8 << 10

// Errors of Start, wrapped with the name of the command.
var (
	ErrNotFound      = errors.New("command not found")
	ErrNotExecutable = errors.New("command cannot be executed")
	ErrNoFolder      = errors.New("working folder cannot be used")
	// ErrGuard says that the guard itself did not start, or ended before its tree did.
	ErrGuard = errors.New("process guard failed")
	// ErrLeft says that processes withstood SIGKILL, which happens to those blocked in the kernel.
	ErrLeft = errors.New("processes are left over")
)

// LoginShell is what a login shell has that a desktop launcher may not give.
type LoginShell struct {
	Path string   // its PATH, never ""
	Env  []string // all it exports, PATH too; nil where the system's env cannot list it safely
}

// ErrNoShellPath is AskLoginShell's; the caller keeps the environment it has.
var ErrNoShellPath = errors.New("login shell gave no PATH")

// Grace holds the limits of ending a tree; a zero field means the constant of that name.
type Grace struct{ Stdin, Term, Kill time.Duration }

func (g Grace) orDefault() Grace {
	if g.Stdin <= 0 {
		g.Stdin = StdinGrace
	}
	if g.Term <= 0 {
		g.Term = TermGrace
	}
	if g.Kill <= 0 {
		g.Kill = KillLimit
	}
	return g
}

func (g Grace) total() time.Duration { return g.Stdin + g.Term + g.Kill }

// Command says what to run. Start does not change it and keeps no reference to its slices.
type Command struct {
	// Self is the argv prefix that reaches the guard, such as {"/path/kandev-desktop", "guard"}. Windows does not use it.
	Self []string
	// Path is the program: absolute, relative to Dir, or a bare name looked up in the PATH of Env.
	Path string
	Args []string // without the program's name
	Dir  string   // "" is the app's own folder
	// Env is the exact environment, "NAME=value"; nil is an empty one. See Environ.
	Env []string
	// PIDDir is the folder for the pid file that Sweep reads; made when missing; "" writes none.
	PIDDir string
	// StderrTail is the number of bytes of stderr to keep; 0 is DefaultStderrTail.
	StderrTail int
	// OneStream sends stderr where stdout goes, in the order in which both were written; the tail of stderr stays empty.
	OneStream bool
	Grace     Grace

	poll time.Duration // how often the guard looks for new descendants; tests shorten it
}

// resolved fills in the defaults and finds the program. Whether the program and the folder really work is the guard's to say.
func (c Command) resolved() (Command, error) {
	if c.Path == "" {
		return c, fmt.Errorf("start: no command given: %w", ErrNotFound)
	}
	var err error
	if c.Dir == "" {
		c.Dir, err = os.Getwd()
	} else {
		c.Dir, err = filepath.Abs(c.Dir)
	}
	if err != nil {
		return c, fmt.Errorf("start %s: %w: %w", c.Path, ErrNoFolder, err)
	}
	if info, err := os.Stat(c.Dir); err != nil || !info.IsDir() {
		return c, fmt.Errorf("start %s: %w: %s", c.Path, ErrNoFolder, c.Dir)
	}
	name := c.Path
	switch {
	case filepath.IsAbs(name):
	case strings.ContainsAny(name, pathSeparators):
		c.Path = filepath.Join(c.Dir, name)
	default:
		if c.Path, err = LookPath(name, lookupEnv(c.Env, "PATH")); err != nil {
			return c, fmt.Errorf("start: %w", err)
		}
	}
	if c.PIDDir != "" {
		if c.PIDDir, err = filepath.Abs(c.PIDDir); err != nil {
			return c, fmt.Errorf("start %s: pid folder: %w", name, err)
		}
	}
	if c.StderrTail <= 0 {
		c.StderrTail = DefaultStderrTail
	}
	c.Grace = c.Grace.orDefault()
	if c.poll <= 0 {
		c.poll = pollEvery
	}
	return c, nil
}

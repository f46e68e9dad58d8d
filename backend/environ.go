package backend

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"kandev/backend/proc"
)

// ofShells are variables that say something of one shell only.
var ofShells = []string{"PATH", "PWD", "OLDPWD", "SHLVL", "_", "TERM", "PS1", "COLUMNS", "LINES"}

// loginShell is what the login shell has and we may not, asked for once: a
// desktop launcher starts the app without it.
type loginShell struct {
	once  sync.Once
	asked chan struct{}          // closed when the rest is known
	path  atomic.Pointer[string] // ours merged with that of the shell; nil until it has answered, or did not
	env   atomic.Pointer[[]string]
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
	if login, err := proc.AskLoginShell(b.ctx, b.o.Environ); err == nil {
		path = joinPaths(path, login.Path)
		if more := b.missingOf(login.Env); b.launched() {
			b.shell.env.Store(&more)
		}
	}
	b.shell.path.Store(&path)
}

// launched reports whether a desktop launcher started the app: a terminal tells
// every program its TERM.
func (b *Backend) launched() bool {
	return !slices.ContainsFunc(b.o.Environ, func(entry string) bool { return strings.HasPrefix(entry, "TERM=") })
}

// missingOf are the variables of a login shell that we were not given. What we
// were given stays: a launcher knows the display and the session.
func (b *Backend) missingOf(env []string) (out []string) {
	for _, entry := range env {
		name, _, _ := strings.Cut(entry, "=")
		if _, given := proc.LookupEnv(b.o.Environ, name); !given && !contains(ofShells, name) {
			out = append(out, entry)
		}
	}
	return out
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

// environ is the environment as it was when the app started and, once it is
// known and we came from a launcher, what the login shell adds. PATH is not
// merged here.
func (b *Backend) environ() []string {
	out := slices.Clone(b.o.Environ)
	if more := b.shell.env.Load(); more != nil {
		out = append(out, *more...)
	}
	return out
}

// environNames are the variables a child gets; proc takes out what is ours.
func (b *Backend) environNames() []string {
	var out []string
	for _, entry := range b.environ() {
		if name, _, ok := strings.Cut(entry, "="); ok && name != "" {
			out = append(out, name)
		}
	}
	if !slices.ContainsFunc(out, isPath) { // a launcher may give none, the login shell does
		out = append(out, "PATH")
	}
	return out
}

// getenvWith is getenv with another PATH.
func (b *Backend) getenvWith(path string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		if isPath(name) && path != "" {
			return path, true
		}
		return b.getenv(name)
	}
}

// getenv reads the environment of environ, with the PATH merged once that of
// the login shell is known.
func (b *Backend) getenv(name string) (string, bool) {
	if path := b.shell.path.Load(); path != nil && *path != "" && isPath(name) {
		return *path, true
	}
	if value, ok := proc.LookupEnv(b.o.Environ, name); ok {
		return value, true
	}
	if more := b.shell.env.Load(); more != nil {
		return proc.LookupEnv(*more, name)
	}
	return "", false
}

// isPath: Windows writes Path.
func isPath(name string) bool { return proc.SameVariable(name, "PATH") }

package backend

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"kandev/backend/agent"
	"kandev/backend/proc"
)

// onPath is the place of a program that the PATH names.
const onPath = "PATH"

// program is one that was found.
type program struct {
	path  string
	place string // onPath or the name of an agent.Place
}

// programs finds programs by name. It is made for a few look-ups and forgotten:
// what is installed changes.
type programs struct {
	path    string // ours merged with that of the login shell
	folders []placeFolder
}

// programs waits for the login shell the first time, not longer than ctx.
func (b *Backend) programs(ctx context.Context) programs {
	path := b.searchPath(ctx)
	return programs{path: path, folders: places{goos: runtime.GOOS, home: b.personHome(), getenv: b.getenv}.folders()}
}

// Finder looks programs up without an app as the app does for its agents: in a
// PATH, then where version managers and package managers put theirs. The error
// of what it returns is proc.ErrNotFound or ErrNotExecutable.
func Finder(path string, getenv func(name string) (string, bool)) func(name string) (string, error) {
	p := programs{path: path, folders: places{goos: runtime.GOOS, home: homeOf(getenv), getenv: getenv}.folders()}
	return func(name string) (string, error) {
		found, err := p.find(name)
		return found.path, err
	}
}

// personHome is the home folder of the environment that the app was started
// with, "" where none is known.
func (b *Backend) personHome() string { return homeOf(b.getenv) }

func homeOf(getenv func(name string) (string, bool)) string {
	name := "HOME"
	if runtime.GOOS == "windows" {
		name = "USERPROFILE"
	}
	if home, ok := getenv(name); ok && filepath.IsAbs(home) {
		return home
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return home
}

// find looks in the PATH, then in the places. The error is the PATH's own:
// proc.ErrNotFound or ErrNotExecutable.
func (p programs) find(name string) (program, error) {
	found, err := proc.LookPath(name, p.path)
	if err == nil {
		return program{path: found, place: onPath}, nil
	}
	if filepath.IsAbs(name) {
		return program{}, err
	}
	for _, folder := range p.folders {
		if found, err := proc.LookPath(name, folder.path); err == nil {
			return program{path: found, place: folder.place}, nil
		}
	}
	return program{}, err
}

// childPath is the PATH of a program that was found: its own folder first where
// the PATH does not name it, since a script's interpreter is most often beside
// it. One that is installed apart from every node gets the first that is found.
func (p programs) childPath(found program) string {
	path := p.path
	if found.place != onPath {
		path = joinPaths(filepath.Dir(found.path), path)
	}
	if _, err := proc.LookPath("node", path); err == nil {
		return path
	}
	if node, err := p.find("node"); err == nil {
		return joinPaths(path, filepath.Dir(node.path))
	}
	return path
}

// missingError says that an agent's program was not found, and where it was
// looked for. It is an agent.ErrNotInstalled.
type missingError struct {
	program string
	folders int      // of the PATH
	places  []string // that are here, without doubles
	install string   // a command to copy, may be ""
}

func (p programs) missing(name, install string) error {
	e := missingError{program: name, install: install}
	for _, dir := range filepath.SplitList(p.path) {
		if filepath.IsAbs(dir) {
			e.folders++
		}
	}
	for _, folder := range p.folders {
		if !slices.Contains(e.places, folder.place) {
			e.places = append(e.places, folder.place)
		}
	}
	return e
}

func (e missingError) Unwrap() error { return agent.ErrNotInstalled }

// Error is a sentence for the person: our own words and names.
func (e missingError) Error() string {
	text := fmt.Sprintf("The agent's program %s was not found. Kandev looked in the %d folders of your login shell's PATH", e.program, e.folders)
	if e.folders == 0 {
		text = fmt.Sprintf("The agent's program %s was not found. Your login shell's PATH is empty", e.program)
	}
	if len(e.places) > 0 {
		text += " and in those of " + strings.Join(e.places, ", ")
	} else {
		text += ", and no folder of nvm, npm or another installer is there"
	}
	if e.install == "" {
		return text + "."
	}
	return text + ". Install it with: " + e.install
}

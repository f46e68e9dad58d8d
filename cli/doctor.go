package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"kandev/backend"
	"kandev/backend/doctor"
	"kandev/backend/proc"
)

const doctorUsage = `Usage: kandev-desktop doctor [--json]

Looks at what Kandev Desktop needs on this machine and says how to get what is missing. It starts no agent and
changes nothing. Exit code 1: something that is needed is missing.
`

// runningLimit is how long a running app is given to say its version.
const runningLimit = 2 * time.Second

// doctorCommand is "doctor".
func doctorCommand(args []string) int {
	return runDoctor(args, os.Stdout, os.Stderr, examine)
}

// runDoctor is doctorCommand with its surroundings as arguments.
func runDoctor(args []string, stdout, stderr io.Writer, look func() ([]doctor.Finding, error)) int {
	asJSON := false
	rest, err := options{switches: map[string]*bool{"json": &asJSON}}.parse(args)
	switch {
	case errors.Is(err, errHelp):
		fmt.Fprint(stdout, doctorUsage)
		return exitDone
	case err == nil && len(rest) > 0:
		err = errors.New("takes no arguments")
	}
	if err != nil {
		fmt.Fprintf(stderr, "doctor: %v\n%s", err, doctorUsage)
		return exitUsage
	}
	findings, err := look()
	if err != nil {
		fmt.Fprintln(stderr, "doctor:", visible(err.Error()))
		return exitFailed
	}
	failed := doctor.Failed(findings)
	if asJSON {
		err = writeJSON(stdout, map[string]any{"ok": !failed, "findings": findings})
	} else {
		_, err = io.WriteString(stdout, doctorText(findings))
	}
	if failed || err != nil {
		return exitFailed
	}
	return exitDone
}

// doctorText is a line for each finding, one more for what to do, and a sentence at the end.
func doctorText(findings []doctor.Finding) string {
	var b strings.Builder
	wide := 0
	for _, f := range findings {
		wide = max(wide, len(f.Title))
	}
	var needed []string
	for _, f := range findings {
		fmt.Fprintf(&b, "%-7s  %-*s  %s\n", f.State, wide, f.Title, visible(f.Detail))
		if f.Fix != "" {
			fmt.Fprintf(&b, "%7s  %*s  → %s\n", "", wide, "", visible(f.Fix))
		}
		if f.State == doctor.Missing {
			needed = append(needed, f.Title)
		}
	}
	if len(needed) == 0 {
		b.WriteString("\nNothing that is needed is missing.\n")
	} else {
		fmt.Fprintf(&b, "\nNeeded and missing: %s.\n", strings.Join(needed, ", "))
	}
	return b.String()
}

// examine looks at this machine.
func examine() ([]doctor.Finding, error) {
	home, err := backend.DataFolder(os.Getenv)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	path := os.Getenv("PATH")
	if login, err := proc.AskLoginShell(ctx, os.Environ()); err == nil {
		path = strings.TrimPrefix(path+string(os.PathListSeparator)+login.Path, string(os.PathListSeparator))
	}
	return doctor.Examine(ctx, doctor.Options{
		Home: home, Version: Version(), Getenv: os.Getenv, Path: path, Find: backend.Finder(path, os.LookupEnv), Holder: backend.Holder,
		Running: func(home string) (string, error) { return backend.AskRunning(home, "version", runningLimit) },
	}), nil
}

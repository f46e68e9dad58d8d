package cli

import (
	"context"
	"errors"
)

const pluginInspectUsage = `Usage: kandev-desktop plugin inspect [--json] [--no-run] FILE

Shows what a plugin's file holds: who made it, its tools with the names they would be served under, what it asks for,
its settings, and every reason in the file why it would be refused (that another plugin has its names shows when it
is installed). FILE is a .zip with a plugin.json, or a bare .wasm module.

The module is loaded and describes its tools once, in the sandbox, without settings or network, within 10 seconds;
that is the only way to know the tools of a bare module, and shows whether a plugin.json tells the truth.

  --no-run   run nothing; look at the file alone
  --json     one JSON object instead of text

Exit code 0: nothing is wrong; 1: a problem was found, and is named; 2: the command line or the file could not be read.
`

// pluginInspect is "plugin inspect".
func pluginInspect(ctx context.Context, args []string, s surroundings) int {
	var asJSON, noRun bool
	files, err := options{switches: map[string]*bool{"json": &asJSON, "no-run": &noRun}}.parse(args)
	if err == nil && len(files) != 1 {
		err = errors.New("one file is needed")
	}
	if err != nil {
		return s.refused("inspect", err, pluginInspectUsage)
	}
	var o opened
	pkg, unread, err := readPackage(files[0])
	switch {
	case unread:
		_ = s.failed("inspect", err)
		return exitUsage
	case err != nil:
		o.problem(err)
	default:
		o = study(ctx, files[0], pkg, !noRun)
	}
	if ctx.Err() != nil {
		return s.failed("inspect", errInterrupted)
	}
	show := o.text
	if asJSON {
		show = o.json
	}
	if err := show(s.out); err != nil && !isBrokenPipe(err) {
		return s.failed("inspect", err)
	}
	if len(o.problems) > 0 {
		return exitFailed
	}
	return exitDone
}

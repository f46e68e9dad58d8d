package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"kandev/backend"
)

const pluginListUsage = `Usage: kandev-desktop plugin list [--json]

Lists the installed plugins with their state, their tools and the estimated tokens of those. It reads the database
only, also while the app runs.

  --json   an array of objects, with what each asks for and was granted

Exit code 0: listed; 1: the database could not be read; 2: the command line could not be read.
`

// pluginList is "plugin list".
func pluginList(ctx context.Context, args []string, s surroundings) int {
	var asJSON bool
	rest, err := options{switches: map[string]*bool{"json": &asJSON}}.parse(args)
	if err == nil && len(rest) > 0 {
		err = errors.New("it takes no arguments")
	}
	if err != nil {
		return s.refused("list", err, pluginListUsage)
	}
	home, err := s.dataFolder()
	if err != nil {
		return s.failed("list", err)
	}
	all, err := backend.ListPlugins(ctx, home)
	if err != nil {
		return s.failed("list", err)
	}
	if asJSON {
		views := make([]installed, 0, len(all))
		for _, p := range all {
			views = append(views, installedView(p))
		}
		err = writeJSON(s.out, views)
	} else {
		p := &printing{w: s.out}
		listText(p, all)
		err = p.err
	}
	if err != nil && !isBrokenPipe(err) {
		return s.failed("list", err)
	}
	return exitDone
}

func listText(p *printing, all []backend.Plugin) {
	if len(all) == 0 {
		p.f("No plugin is installed.\n")
		return
	}
	wide := len("plugin")
	for _, one := range all {
		wide = max(wide, len(one.Manifest.ID))
	}
	p.f("%-*s  %-10s  %-22s  %5s  %7s\n", wide, "plugin", "version", "state", "tools", "tokens")
	for _, one := range all {
		tokens := "—"
		if one.Total != nil {
			tokens = "~" + strconv.Itoa(*one.Total)
		}
		p.f("%-*s  %-10s  %-22s  %5d  %7s\n", wide, visible(one.Manifest.ID), visible(one.Manifest.Version), stateWord(one.Status), len(one.Tools), tokens)
		if one.Status.Detail != "" {
			p.f("    %s\n", visible(one.Status.Detail))
		}
		if missing := one.Missing(); len(missing) > 0 {
			p.f("    required and not set: %s\n", visible(strings.Join(missing, ", ")))
		}
		for _, t := range one.Tools {
			line := fmt.Sprintf("    %s", visible(t.Name.Canonical))
			if t.Refused != "" {
				line += "  not served: " + visible(t.Refused)
			}
			p.f("%s\n", line)
		}
	}
}

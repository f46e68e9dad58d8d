package cli

import (
	"context"
	"errors"

	"kandev/backend"
)

const pluginDisableUsage = `Usage: kandev-desktop plugin disable [--json] ID

Takes a plugin's tools out of every session. Its file, settings and grants stay. The app has to be closed.

  --json   the plugin as it is afterwards, as one JSON object

Exit code 0: it is off; 1: there is no such plugin, or the app runs; 2: the command line could not be read.
`

// pluginDisable is "plugin disable".
func pluginDisable(ctx context.Context, args []string, s surroundings) int {
	id, asJSON, err := onePlugin(args)
	if err != nil {
		return s.refused("disable", err, pluginDisableUsage)
	}
	return s.withPlugins(ctx, "disable", func(store *backend.PluginStore) (int, error) {
		if err := store.DisablePlugin(ctx, id); err != nil {
			return exitFailed, err
		}
		return s.show(ctx, store, id, asJSON, func(p *printing, now backend.Plugin) { p.f("%s is off.\n", visible(now.Manifest.Name)) })
	})
}

// onePlugin reads the arguments of a command about one plugin.
func onePlugin(args []string) (id string, asJSON bool, err error) {
	rest, err := options{switches: map[string]*bool{"json": &asJSON}}.parse(args)
	if err == nil && len(rest) != 1 {
		err = errors.New("the id of one plugin is needed; plugin list names them")
	}
	if err != nil {
		return "", false, err
	}
	return rest[0], asJSON, nil
}

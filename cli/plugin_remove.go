package cli

import (
	"context"
	"fmt"

	"kandev/backend"
)

const pluginRemoveUsage = `Usage: kandev-desktop plugin remove [--json] ID

Removes a plugin: its file, its settings, its secrets and what was granted. It does not ask. The app has to be closed.

  --json   {"removed":"ID"}

Exit code 0: removed; 1: there is no such plugin, or the app runs; 2: the command line could not be read.
`

// pluginRemove is "plugin remove".
func pluginRemove(ctx context.Context, args []string, s surroundings) int {
	id, asJSON, err := onePlugin(args)
	if err != nil {
		return s.refused("remove", err, pluginRemoveUsage)
	}
	return s.withPlugins(ctx, "remove", func(store *backend.PluginStore) (int, error) {
		if err := store.RemovePlugin(ctx, id); err != nil {
			return exitFailed, err
		}
		if asJSON {
			return exitDone, writeJSON(s.out, map[string]string{"removed": id})
		}
		_, err := fmt.Fprintf(s.out, "%s is removed.\n", visible(id))
		return exitDone, err
	})
}

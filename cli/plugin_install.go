package cli

import (
	"context"
	"errors"

	"kandev/backend"
	"kandev/backend/plugin"
)

const pluginInstallUsage = `Usage: kandev-desktop plugin install [--json] FILE

Installs a plugin from a .zip or a bare .wasm, or updates the installed one of the same id. A new plugin is off until
"plugin enable"; an update that asks for more than was granted is off again. The description of a bare module is run
once, in the sandbox, without settings or network; its id is the name of its file, and it updates only a module that
it has a tool in common with. The app has to be closed.

  --json   the plugin as it is afterwards, as one JSON object

Exit code 0: installed; 1: it was refused, or the app runs; 2: the command line or the file could not be read.
`

// pluginInstall is "plugin install".
func pluginInstall(ctx context.Context, args []string, s surroundings) int {
	var asJSON bool
	rest, err := options{switches: map[string]*bool{"json": &asJSON}}.parse(args)
	if err == nil && len(rest) != 1 {
		err = errors.New("one file is needed")
	}
	if err != nil {
		return s.refused("install", err, pluginInstallUsage)
	}
	if _, unread, err := readPackage(rest[0]); unread { // before the data folder is touched
		_ = s.failed("install", err)
		return exitUsage
	}
	return s.withPlugins(ctx, "install", func(store *backend.PluginStore) (int, error) {
		found, err := store.InspectPlugin(ctx, rest[0])
		if err != nil {
			return exitFailed, err
		}
		for _, problem := range found.Problems {
			_ = s.failed("install", errors.New(problem))
		}
		if len(found.Problems) > 0 {
			return exitFailed, nil
		}
		id, err := store.InstallPlugin(ctx, rest[0], found.Digest)
		if err != nil {
			return exitFailed, err
		}
		return s.show(ctx, store, id, asJSON, func(p *printing, now backend.Plugin) { installedText(p, found, now) })
	})
}

func installedText(p *printing, found backend.PluginInspection, now backend.Plugin) {
	m := now.Manifest
	name := visible(m.Name) + " " + visible(m.Version) + " (" + visible(m.ID) + ")"
	switch {
	case found.Update == nil:
		p.f("Installed %s.\n", name)
	case found.Update.Same:
		p.f("%s is installed already; its file was written again.\n", name)
	case m.Bare:
		p.f("Updated %s: another module took the place of the installed one, whose sha256 was %s.\n", name, found.Update.From.Manifest.Wasm.SHA256)
		p.f("What was granted and set stays.\n")
	default:
		p.f("Updated %s from %s.\n", name, visible(found.Update.From.Manifest.Version))
	}
	if found.RanCode {
		p.f("Its description was run once, in the sandbox, without settings or network.\n")
	}
	for _, t := range now.Tools {
		p.f("  %s\n", visible(t.Name.Canonical))
	}
	switch {
	case now.Status.State == plugin.Enabled:
		p.f("It stays enabled.\n")
	case now.Status.Reason == plugin.AsksMore:
		p.f("It asks for more than was granted and is off. To see and grant that: kandev-desktop plugin enable %s\n", visible(m.ID))
	default:
		p.f("It is off. To enable it: kandev-desktop plugin enable %s\n", visible(m.ID))
	}
}

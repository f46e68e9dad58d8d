package cli

import (
	"context"
	"errors"
	"fmt"

	"kandev/backend"
	"kandev/backend/plugin"
)

const pluginEnableUsage = `Usage: kandev-desktop plugin enable [options] ID

Shows what a plugin asks for and, with --grant, grants it and offers the plugin's tools to every session from the
app's next start on. Without --grant nothing is changed. The app has to be closed.

  --grant              grants what is shown
  --allow-host HOST    a host that a module without a plugin.json may reach: a name, *.example.com, or *. May be
                       repeated; those given before are replaced
  --private-network    for such a module: this computer and private addresses as well
  --json               the plugin as it is afterwards, as one JSON object

Exit code 0: enabled; 1: not granted, or it could not be enabled, or the app runs; 2: the command line could not be
read.
`

// pluginEnable is "plugin enable".
func pluginEnable(ctx context.Context, args []string, s surroundings) int {
	var grant, private, asJSON bool
	var hosts []string
	rest, err := options{
		switches: map[string]*bool{"grant": &grant, "private-network": &private, "json": &asJSON},
		values:   map[string]*[]string{"allow-host": &hosts},
	}.parse(args)
	if err == nil && len(rest) != 1 {
		err = errors.New("the id of one plugin is needed; plugin list names them")
	}
	given := plugin.Grant{Hosts: hosts, PrivateNetwork: private}
	if err == nil {
		err = given.Check()
	}
	if err != nil {
		return s.refused("enable", err, pluginEnableUsage)
	}
	return s.withPlugins(ctx, "enable", func(store *backend.PluginStore) (int, error) {
		before, err := s.now(ctx, store, rest[0])
		if err != nil {
			return exitFailed, err
		}
		wanted, err := wantedGrant(before, given)
		if err != nil {
			return exitFailed, err
		}
		if !asJSON || !grant {
			p := &printing{w: s.out}
			if asJSON {
				p.w = s.errs
			}
			consent(p, before, wanted, grant)
			if p.err != nil {
				return exitFailed, p.err
			}
		}
		if !grant {
			fmt.Fprintln(s.errs, "plugin enable: nothing was changed; --grant grants this and enables it")
			return exitFailed, nil
		}
		if err := store.EnablePlugin(ctx, rest[0], wanted); err != nil {
			return exitFailed, err
		}
		return s.show(ctx, store, rest[0], asJSON, enabledText)
	})
}

// wantedGrant is exactly what a plugin with a manifest asks for; of a bare module the hosts are the person's, and
// those of before where none are given.
func wantedGrant(before backend.Plugin, given plugin.Grant) (plugin.Grant, error) {
	asks := before.Manifest.Permissions.Granted()
	named := len(given.Hosts) > 0 || given.PrivateNetwork
	switch {
	case !before.Manifest.Bare && named:
		return plugin.Grant{}, errors.New("--allow-host and --private-network are for modules without a plugin.json; this one says itself what it needs")
	case !before.Manifest.Bare:
		return asks, nil
	case named:
		asks.Hosts, asks.PrivateNetwork = given.Hosts, given.PrivateNetwork
	case before.Grant != nil:
		asks.Hosts, asks.PrivateNetwork = before.Grant.Hosts, before.Grant.PrivateNetwork
	}
	return asks, nil
}

// consent is what the person grants, or would; what goes beyond an earlier grant is marked.
func consent(p *printing, before backend.Plugin, wanted plugin.Grant, granted bool) {
	m := before.Manifest
	verb := "asks for"
	if granted {
		verb = "is granted"
	}
	p.f("%s %s (%s) %s\n", visible(m.Name), visible(m.Version), visible(m.ID), verb)
	var beyond plugin.Asks
	if before.Grant != nil {
		beyond = plugin.Request(wanted).Beyond(*before.Grant)
	}
	asked(p, plugin.Request(wanted), beyond)
	for _, key := range before.Missing() {
		p.f("Its setting %s is required and not set: kandev-desktop plugin configure %s\n", visible(key), visible(m.ID))
	}
}

func enabledText(p *printing, now backend.Plugin) {
	p.f("Enabled. Every session gets\n")
	for _, t := range now.Tools {
		if t.Refused == "" {
			p.f("  %s\n", visible(t.Name.Canonical))
		}
	}
}

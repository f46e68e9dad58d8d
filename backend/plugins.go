package backend

import (
	"context"

	"kandev/backend/event"
	"kandev/backend/plugin"
)

// Plugins lists the installed plugins in the order of their installation. The
// revision is the one that the window is told of changes by.
func (b *Backend) Plugins(ctx context.Context) ([]Plugin, uint64, error) {
	return b.plugins.Plugins(ctx)
}

// InspectPlugin looks at a file without installing it. A file that is no
// plugin at all is an error; what else is wrong is in Problems.
func (b *Backend) InspectPlugin(ctx context.Context, path string) (seen PluginInspection, err error) {
	err = b.onPlugins(ctx, func(ctx context.Context) error { seen, err = b.plugins.InspectPlugin(ctx, path); return err })
	return seen, err
}

// InstallPlugin installs the file that was inspected, or updates the plugin of
// the same id, and answers its id. See PluginStore.InstallPlugin.
func (b *Backend) InstallPlugin(ctx context.Context, path, digest string) (id string, err error) {
	err = b.onPlugins(ctx, func(ctx context.Context) error { id, err = b.plugins.InstallPlugin(ctx, path, digest); return err })
	return id, err
}

// EnablePlugin offers a plugin's tools to every session.
func (b *Backend) EnablePlugin(ctx context.Context, id string, grant plugin.Grant) error {
	return b.onPlugins(ctx, func(ctx context.Context) error { return b.plugins.EnablePlugin(ctx, id, grant) })
}

// DisablePlugin takes a plugin's tools out of every session; its running calls
// end with a clear error.
func (b *Backend) DisablePlugin(ctx context.Context, id string) error {
	return b.onPlugins(ctx, func(ctx context.Context) error { return b.plugins.DisablePlugin(ctx, id) })
}

// RemovePlugin is DisablePlugin, and removes the plugin's files, values and row.
func (b *Backend) RemovePlugin(ctx context.Context, id string) error {
	return b.onPlugins(ctx, func(ctx context.Context) error { return b.plugins.RemovePlugin(ctx, id) })
}

// ConfigurePlugin keeps configuration values. Those not named stay.
func (b *Backend) ConfigurePlugin(ctx context.Context, id string, values []PluginValue) error {
	return b.onPlugins(ctx, func(ctx context.Context) error { return b.plugins.ConfigurePlugin(ctx, id, values) })
}

// onPlugins does work that Close waits for, and that ends with the app.
func (b *Backend) onPlugins(ctx context.Context, work func(context.Context) error) error {
	if !b.enter() {
		return errClosing
	}
	defer b.wg.Done()
	ctx, done := b.untilEnd(ctx, 0)
	defer done()
	return work(ctx)
}

// openPlugins brings the installed plugins back. None of their code runs, and
// none is compiled, before a session calls it.
func (b *Backend) openPlugins(stored *storedRows) {
	b.plugins = newPluginStore(pluginOptions{
		home: b.o.Home, version: b.o.Version, db: b.db, secrets: b.secrets, log: b.log, now: b.o.Now,
		estimate: b.o.Estimate, changed: b.refreshTools,
		told:  func(rev uint64) { b.out.publish(event.View{Plugins: &event.Plugins{Revision: rev}}) },
		warm:  true,
		sweep: !b.memory.Load() && b.aside == "" && !stored.pluginsLost, // or it is not known what is named
	}, stored.plugins)
	b.out.keep(event.View{Plugins: &event.Plugins{Revision: b.plugins.rev}})
	b.release = append(b.release, b.plugins.shut)
}

// refreshTools swaps the tool set of every running session.
func (b *Backend) refreshTools() {
	for _, c := range b.all() {
		c.mu.Lock()
		i := c.instance
		c.mu.Unlock()
		if i != nil {
			i.RefreshTools()
		}
	}
}

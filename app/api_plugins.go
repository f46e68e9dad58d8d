package app

import "context"

// Plugins answers the installed plugins.
func (a *API) Plugins(token string) (Plugins, error) {
	return enter(a.w.door, token, "Plugins", func() (Plugins, error) { return a.w.plugins(a.w.ctx) })
}

// ChoosePlugin shows the native file dialog; "" = the person cancelled.
func (a *API) ChoosePlugin(token string) (string, error) {
	return enter(a.w.door, token, "ChoosePlugin", func() (string, error) { return a.w.dialogs.choosePlugin(a.w.shell()) })
}

// InspectPlugin looks at a file without installing it. A bare module's
// description is run, see RanCode.
func (a *API) InspectPlugin(token, path string) (PluginInspection, error) {
	return enter(a.w.door, token, "InspectPlugin", func() (PluginInspection, error) {
		i, err := a.w.backend.InspectPlugin(a.w.ctx, path)
		return inspectionView(i), err
	})
}

// InstallPlugin installs or updates what was inspected, and answers its id. A
// new plugin is off, and so is an update that asks for more.
func (a *API) InstallPlugin(token, path, digest string) (string, error) {
	return enter(a.w.door, token, "InstallPlugin", func() (string, error) { return a.w.backend.InstallPlugin(a.w.ctx, path, digest) })
}

// EnablePlugin offers a plugin's tools to every session, with what the person
// granted: at least what it asks for, and for a bare module more hosts.
func (a *API) EnablePlugin(token, id string, grant PluginPermissions) error {
	return a.do(token, "EnablePlugin", func(ctx context.Context) error { return a.w.backend.EnablePlugin(ctx, id, grantOf(grant)) })
}

// DisablePlugin takes a plugin's tools out of every session.
func (a *API) DisablePlugin(token, id string) error {
	return a.do(token, "DisablePlugin", func(ctx context.Context) error { return a.w.backend.DisablePlugin(ctx, id) })
}

// RemovePlugin removes a plugin with its files and values.
func (a *API) RemovePlugin(token, id string) error {
	return a.do(token, "RemovePlugin", func(ctx context.Context) error { return a.w.backend.RemovePlugin(ctx, id) })
}

// ConfigurePlugin keeps configuration values; those not named stay.
func (a *API) ConfigurePlugin(token, id string, values []PluginValue) error {
	return a.do(token, "ConfigurePlugin", func(ctx context.Context) error { return a.w.backend.ConfigurePlugin(ctx, id, valuesOfPlugin(values)) })
}

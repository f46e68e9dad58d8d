package app

import (
	"context"
	"strings"

	"kandev/backend"
	"kandev/backend/plugin"
)

func (w *window) plugins(ctx context.Context) (Plugins, error) {
	found, revision, err := w.backend.Plugins(ctx)
	if err != nil {
		return Plugins{}, err
	}
	place := w.backend.SecretPlace(ctx)
	v := Plugins{Revision: revision, Plugins: []Plugin{}, Encrypted: place.Encrypted(), Place: place.Sentence()}
	for _, p := range found {
		v.Plugins = append(v.Plugins, pluginView(p))
	}
	return v, nil
}

func pluginView(p backend.Plugin) Plugin {
	m := p.Manifest
	v := Plugin{
		ID: m.ID, Name: m.Name, Version: m.Version, Description: m.Description, Author: m.Author, License: m.License,
		Homepage: m.Homepage, SHA256: m.Wasm.SHA256, Bare: m.Bare,
		State: string(p.Status.State), Reason: string(p.Status.Reason), Detail: p.Status.Detail, Since: unixMilli(p.Status.Since),
		InstalledAt: unixMilli(p.InstalledAt), UpdatedAt: unixMilli(p.UpdatedAt),
		Tools: pluginTools(p.Tools), TokensTotal: p.Total, Requested: permissionsView(plugin.Grant(m.Permissions)), Asks: asksView(p.Asks()),
		Granted: grantedView(p.Grant), Config: []PluginField{}, Missing: append([]string{}, p.Missing()...), Runs: []PluginRun{}, Warnings: append([]string{}, m.Warnings...),
	}
	for _, f := range m.Config {
		v.Config = append(v.Config, fieldView(p.Installation, f))
	}
	for _, r := range p.Runs {
		v.Runs = append(v.Runs, PluginRun{At: unixMilli(r.At), Tool: r.Tool, MS: r.Took.Milliseconds(), Outcome: string(r.Outcome), Line: r.Line})
	}
	return v
}

func fieldView(i plugin.Installation, f plugin.Field) PluginField {
	added := false
	for _, a := range i.Added {
		added = added || a.Key == f.Key
	}
	return PluginField{
		Key: f.Key, Type: string(f.Type), Title: f.Title, Secret: f.Secret, Required: f.Required, Added: added,
		Set: i.Set(f.Key, f.Secret), Value: i.Values[f.Key],
	}
}

func pluginTools(tools []backend.PluginTool) []PluginTool {
	out := make([]PluginTool, 0, len(tools))
	for _, t := range tools {
		out = append(out, PluginTool{
			Served: t.Name.Canonical, Original: t.Name.Original, Description: t.Description, InputSchema: string(t.InputSchema),
			Estimate: t.Estimate, ReadOnly: t.Hints.ReadOnly, Destructive: t.Hints.Destructive, Idempotent: t.Hints.Idempotent,
			OpenWorld: t.Hints.OpenWorld, Refused: t.Refused,
		})
	}
	return out
}

func permissionsView(g plugin.Grant) PluginPermissions {
	return PluginPermissions{Hosts: append([]string{}, g.Hosts...), PrivateNetwork: g.PrivateNetwork, MemoryMB: g.MemoryMB, TimeoutMS: g.TimeoutMS}
}

func asksView(a plugin.Asks) PluginAsks {
	return PluginAsks{
		Nothing: a.Nothing(), Hosts: append([]string{}, a.Hosts...), PrivateNetwork: a.PrivateNetwork,
		MemoryMB: a.MemoryMB, TimeoutMS: a.TimeoutMS,
	}
}

func inspectionView(i backend.PluginInspection) PluginInspection {
	v := PluginInspection{
		Path: i.Path, Bytes: i.Bytes, Digest: i.Digest, RanCode: i.RanCode, Problems: append([]string{}, i.Problems...),
		Plugin: pluginView(backend.Plugin{Installation: plugin.Installation{Manifest: i.Manifest}, Tools: i.Tools, Total: i.Total}),
	}
	if u := i.Update; u != nil {
		v.Update = &PluginUpdate{
			Version: u.From.Manifest.Version, State: string(u.From.Status.State), After: string(u.After.State), Same: u.Same,
			Asks: asksView(u.Asks), Added: append([]string{}, u.Added...), Removed: append([]string{}, u.Removed...),
			Changed: append([]string{}, u.Changed...), Granted: grantedView(u.From.Grant),
		}
	}
	return v
}

func grantedView(g *plugin.Grant) *PluginPermissions {
	if g == nil {
		return nil
	}
	v := permissionsView(*g)
	return &v
}

func grantOf(p PluginPermissions) plugin.Grant {
	return plugin.Grant{Hosts: p.Hosts, PrivateNetwork: p.PrivateNetwork, MemoryMB: p.MemoryMB, TimeoutMS: p.TimeoutMS}
}

func valuesOfPlugin(in []PluginValue) []backend.PluginValue {
	out := make([]backend.PluginValue, 0, len(in))
	for _, v := range in {
		out = append(out, backend.PluginValue{Key: strings.TrimSpace(v.Key), Value: v.Value, Keep: v.Keep, Secret: v.Secret})
	}
	return out
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"kandev/backend"
	"kandev/backend/plugin"
)

// installed is one installed plugin in the form of --json. Granted is null while nothing was ever granted; values of
// settings are not in it, secret or not.
type installed struct {
	ID          string            `json:"id"`
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Bare        bool              `json:"bare"`
	State       plugin.State      `json:"state"`
	Reason      plugin.Reason     `json:"reason"`
	Detail      string            `json:"detail"`
	SHA256      string            `json:"sha256"`
	InstalledAt time.Time         `json:"installed_at"`
	UpdatedAt   time.Time         `json:"updated_at"`
	Tools       []installedTool   `json:"tools"`
	Tokens      *int              `json:"tokens"` // of all tools; null without a tokenizer
	Requested   inspectedRequest  `json:"requested"`
	Granted     *inspectedRequest `json:"granted"`
	Asks        bool              `json:"asks"` // it asks for more than was granted
	Missing     []string          `json:"missing"`
	Settings    []installedField  `json:"settings"`
}

type installedField struct {
	inspectedConfig
	Set bool `json:"set"`
}

type installedTool struct {
	Name    string `json:"name"` // its own
	Served  string `json:"served"`
	Tokens  *int   `json:"tokens"`
	Refused string `json:"refused,omitempty"` // why it is not served
}

func installedView(p backend.Plugin) installed {
	m := p.Manifest
	v := installed{
		ID: m.ID, Name: m.Name, Version: m.Version, Bare: m.Bare, State: p.Status.State, Reason: p.Status.Reason,
		Detail: p.Status.Detail, SHA256: m.Wasm.SHA256, InstalledAt: p.InstalledAt.UTC(), UpdatedAt: p.UpdatedAt.UTC(),
		Tools: []installedTool{}, Tokens: p.Total, Requested: requestView(m.Permissions), Asks: !p.Asks().Nothing(),
		Missing: append([]string{}, p.Missing()...), Settings: []installedField{},
	}
	for _, f := range m.Config {
		v.Settings = append(v.Settings, installedField{inspectedConfig{f.Key, f.Type, f.Title, f.Secret, f.Required}, p.Set(f.Key, f.Secret)})
	}
	if p.Grant != nil {
		granted := requestView(plugin.Request(*p.Grant))
		v.Granted = &granted
	}
	for _, t := range p.Tools {
		v.Tools = append(v.Tools, installedTool{Name: t.Name.Original, Served: t.Name.Canonical, Tokens: t.Estimate, Refused: t.Refused})
	}
	return v
}

func requestView(r plugin.Request) inspectedRequest {
	return inspectedRequest{
		Hosts: append([]string{}, r.Hosts...), PrivateNetwork: r.PrivateNetwork, MemoryMB: r.MemoryMB, TimeoutMS: r.TimeoutMS,
	}
}

// stateWord is a plugin's state for a person.
func stateWord(s plugin.Status) string {
	switch {
	case s.State == plugin.Installed:
		return "not enabled yet"
	case s.State != plugin.Disabled:
		return string(s.State)
	}
	return map[plugin.Reason]string{
		plugin.ByPerson: "disabled", plugin.AsksMore: "off: asks for more", plugin.CrashLoop: "off: it kept failing",
		plugin.Changed: "off: its file changed", plugin.Unusable: "off: it cannot be used",
	}[s.Reason]
}

// dataFolder is where the app keeps its data.
func (s surroundings) dataFolder() (string, error) {
	return backend.DataFolder(func(key string) string { value, _ := s.environment(key); return value })
}

// withPlugins opens the installed plugins for a change, which needs that the app does not run.
func (s surroundings) withPlugins(ctx context.Context, name string, work func(*backend.PluginStore) (int, error)) int {
	home, err := s.dataFolder()
	if err != nil {
		return s.failed(name, err)
	}
	off, _ := s.environment("KANDEV_KEYCHAIN")
	store, err := backend.OpenPlugins(ctx, backend.PluginsOptions{Home: home, Version: Version(), Keychain: off != "off"})
	if held, is := errors.AsType[*backend.HeldError](err); is {
		fmt.Fprintf(s.errs, "plugin %s: Close Kandev Desktop first. %s\n", name, visible(held.Error()))
		return exitFailed
	}
	if err != nil {
		return s.failed(name, err)
	}
	code, err := work(store)
	if err = errors.Join(err, store.Close()); err != nil {
		return s.failed(name, err)
	}
	return code
}

// now is the plugin as it is after a change.
func (s surroundings) now(ctx context.Context, store *backend.PluginStore, id string) (backend.Plugin, error) {
	all, _, err := store.Plugins(ctx)
	if err != nil {
		return backend.Plugin{}, err
	}
	for _, p := range all {
		if p.Manifest.ID == id {
			return p, nil
		}
	}
	return backend.Plugin{}, fmt.Errorf("%w: %s", backend.ErrPluginNotFound, id)
}

// show prints a plugin as it is after a change: one JSON object, or a text.
func (s surroundings) show(ctx context.Context, store *backend.PluginStore, id string, asJSON bool, text func(*printing, backend.Plugin)) (int, error) {
	now, err := s.now(ctx, store, id)
	if err != nil {
		return exitFailed, err
	}
	if asJSON {
		return exitDone, writeJSON(s.out, installedView(now))
	}
	p := &printing{w: s.out}
	text(p, now)
	return exitDone, p.err
}

// asked is a request in lines for a person; what is beyond a grant is marked.
func asked(p *printing, r plugin.Request, beyond plugin.Asks) {
	mark := func(more bool) string {
		if more {
			return "  (new)"
		}
		return ""
	}
	if len(r.Hosts) == 0 {
		p.f("  %-16s%s\n", "hosts", "none")
	}
	for _, h := range r.Hosts {
		word := h
		if h == plugin.AnyHost {
			word = "any site"
		}
		p.f("  %-16s%s%s\n", "host", word, mark(slices.Contains(beyond.Hosts, h)))
	}
	network := "no"
	if r.PrivateNetwork {
		network = "yes: this computer and private addresses as well"
	}
	p.f("  %-16s%s%s\n", "private network", network, mark(beyond.PrivateNetwork))
	p.f("  %-16s%d MB%s\n", "memory", r.MemoryMB, mark(beyond.MemoryMB > 0))
	p.f("  %-16s%g s%s\n", "time of a call", float64(r.TimeoutMS)/1000, mark(beyond.TimeoutMS > 0))
}

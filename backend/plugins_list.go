package backend

import (
	"context"
	"slices"

	"kandev/backend/catalog"
	"kandev/backend/mcpserver"
	"kandev/backend/plugin"
	"kandev/backend/tokens"
	"kandev/backend/tool"
	"kandev/backend/wasm"
)

// maxPluginRuns is how many of a plugin's last runs are remembered.
const maxPluginRuns = 20

// shownTools is what a person sees of one version's tools.
type shownTools struct {
	tools []PluginTool
	total *int
}

// Plugins lists the installed plugins in the order of their installation, and
// the number of what it shows.
func (s *PluginStore) Plugins(context.Context) ([]Plugin, uint64, error) {
	s.mu.Lock()
	rev := s.rev
	held := s.ordered()
	out := make([]Plugin, len(held))
	for i, h := range held {
		out[i] = Plugin{Installation: h.Clone(), Runs: slices.Clone(h.runs)}
		if h.shown != nil {
			out[i].Tools, out[i].Total = h.shown.tools, h.shown.total
		}
	}
	s.mu.Unlock()
	for i, h := range held {
		if out[i].Tools == nil { // counted once a version, and not under the lock
			shown := shownOf(out[i].Manifest, s.o.estimate)
			out[i].Tools, out[i].Total = shown.tools, shown.total
			s.mu.Lock()
			if h.Manifest.Wasm.SHA256 == out[i].Manifest.Wasm.SHA256 && h.Manifest.Version == out[i].Manifest.Version {
				h.shown = &shown
			}
			s.mu.Unlock()
		}
	}
	return out, rev, nil
}

// PluginTools are a manifest's tools as a session would be served them, and the
// tokens of all together; nil = not counted.
func PluginTools(m plugin.Manifest) (tools []PluginTool, total *int) {
	shown := shownOf(m, tokens.Estimate)
	return shown.tools, shown.total
}

// shownOf is what a session would be served of a manifest's tools, whether or
// not it can be installed. estimate may be nil.
func shownOf(m plugin.Manifest, estimate func([]byte) (int, error)) shownTools {
	out := shownTools{tools: make([]PluginTool, 0, len(m.Tools))}
	set, refused := tool.NewSet(1, bareDefinitions(m)...)
	estimates := map[string]*int{}
	if list, err := catalog.Parse(mcpserver.Listing(set), nil); err == nil && estimate != nil {
		counts := list.Count(estimate, nil)
		for _, c := range counts.Tools {
			estimates[c.Served] = c.Estimate
		}
		out.total = &counts.Total
	}
	why := map[string]string{}
	for _, r := range refused {
		why[r.Name] = sentence(r.Err)
	}
	for _, t := range m.Tools {
		name := plugin.Name{Canonical: plugin.Canonical(m.ID, t.Name), Original: t.Name}
		out.tools = append(out.tools, PluginTool{
			Name: name, Description: t.Description, InputSchema: t.InputSchema, Hints: t.Annotations,
			Estimate: estimates[name.Canonical], Refused: why[name.Canonical],
		})
	}
	return out
}

// bareDefinitions are a manifest's tools without anything behind them; none
// when their names are refused.
func bareDefinitions(m plugin.Manifest) []tool.Definition {
	p, err := wasm.Open(wasm.Options{Manifest: m, Module: func() ([]byte, error) { return nil, ErrPluginNotFound }})
	if err != nil {
		return nil
	}
	defer p.Close()
	return p.Definitions()
}

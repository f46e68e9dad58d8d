package cli

import (
	"cmp"
	"fmt"
	"io"

	"kandev/backend/plugin"
)

// text is the form for a person. A package that is none has its reason only.
func (o opened) text(w io.Writer) error {
	p := &printing{w: w}
	if o.pkg.SHA256 != "" {
		o.identity(p)
		o.offers(p)
		o.asks(p)
	}
	for _, list := range []struct {
		title string
		lines []string
	}{{"Warnings", o.warnings}, {"Problems", o.problems}} {
		if len(list.lines) > 0 {
			p.f("%s\n", list.title)
		}
		for _, l := range list.lines {
			p.f("  %s\n", visible(l))
		}
	}
	if len(o.problems) == 0 {
		p.f("No problem was found.\n")
	}
	return p.err
}

func (o opened) identity(p *printing) {
	m := o.manifest
	if m.Bare {
		p.f("%s, a module without a plugin.json\n", visible(m.ID))
	} else {
		p.f("%s %s (%s)\n", visible(m.Name), visible(m.Version), visible(m.ID))
	}
	if m.Description != "" {
		p.f("%s\n", visible(m.Description))
	}
	p.f("\n")
	for _, row := range [][2]string{
		{"author", m.Author},
		{"license", m.License},
		{"homepage", m.Homepage},
		{"needs app", m.MinAppVersion},
		{"convention", string(m.Wasm.ABI)},
		{"sha256", o.pkg.SHA256},
	} {
		if row[1] != "" {
			p.f("  %-16s%s\n", row[0], visible(row[1]))
		}
	}
	p.f("  %-16s%s\n\n", "module", size(len(o.pkg.Wasm)))
}

func (o opened) offers(p *printing) {
	switch {
	case len(o.tools) == 0 && o.manifest.Bare && len(o.problems) == 0:
		p.f("Tools: only the module itself can say; nothing was run\n\n")
		return
	case len(o.tools) == 0:
		return
	case o.manifest.Bare:
		p.f("Tools, as the module described them in one run without settings or network\n")
	case o.described:
		p.f("Tools of plugin.json; the module was run once and has them\n")
	default:
		p.f("Tools of plugin.json\n")
	}
	for i, t := range o.tools {
		n := "—"
		if t.Tokens != nil {
			n = fmt.Sprintf("~%d tokens", *t.Tokens)
		}
		p.f("  %s  (%s, in its own words %s)\n", t.Canonical, n, visible(t.Original))
		p.f("      %s\n", visible(o.manifest.Tools[i].Description))
	}
	p.f("\n")
}

func (o opened) asks(p *printing) {
	if len(o.tools) == 0 {
		return
	}
	p.f("Asks for\n")
	asked(p, o.manifest.Permissions, plugin.Asks{})
	p.f("\n")
	if len(o.manifest.Config) > 0 {
		p.f("Settings\n")
	}
	for _, f := range o.manifest.Config {
		about := string(f.Type)
		if f.Required {
			about += ", required"
		}
		if f.Secret {
			about += ", secret"
		}
		p.f("  %-16s%s (%s)\n", visible(f.Key), visible(cmp.Or(f.Title, f.Key)), about)
	}
	if len(o.manifest.Config) > 0 {
		p.f("\n")
	}
}

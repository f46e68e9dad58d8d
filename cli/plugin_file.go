package cli

import (
	"context"
	"fmt"

	"kandev/backend"
	"kandev/backend/plugin"
	"kandev/backend/tool"
	"kandev/backend/wasm"
)

// opened is a plugin's file with what could be found out about it. Problems are what keeps it from being installed
// or a tool from being offered; warnings keep nothing.
type opened struct {
	pkg       plugin.Package
	manifest  plugin.Manifest // of the package, or made from the description of a bare module
	described bool            // the module ran once and said what its tools are
	tools     []toolFacts
	problems  []string
	warnings  []string
}

// toolFacts is one tool as it would be served.
type toolFacts struct {
	plugin.Name
	Tokens *int // nil: not counted
}

// readPackage reads a file. unread says that there is none to read, as opposed to one that is no plugin.
func readPackage(file string) (pkg plugin.Package, unread bool, err error) {
	data, err := backend.ReadPluginFile(file)
	if err != nil {
		return pkg, true, err
	}
	pkg, err = plugin.Read(data)
	return pkg, false, err
}

// study looks through a package. With run its module is loaded and describes its tools once, in the sandbox, without
// configuration or network.
func study(ctx context.Context, file string, pkg plugin.Package, run bool) opened {
	o := opened{pkg: pkg, manifest: pkg.Manifest}
	abi, err := wasm.Check(ctx, pkg.Wasm, pkg.Manifest.Wasm.ABI, pkg.Manifest.Permissions.MemoryMB)
	if err != nil {
		o.problem(err)
		run = false
	}
	o.manifest.Wasm.ABI = abi
	var tools []plugin.Tool
	if run && pkg.Bare {
		tools = o.describe(ctx)
		if len(o.problems) == 0 {
			var err error
			if o.manifest, err = plugin.Bare(file, pkg, o.manifest.Wasm.ABI, tools); err != nil {
				o.problem(err)
			}
		}
	}
	if pkg.Bare && (!run || len(o.problems) > 0) {
		o.manifest = plugin.Manifest{ID: plugin.BareID(file), Bare: true, Wasm: plugin.Module{ABI: abi}}
		return o
	}
	o.warnings = append(o.warnings, o.manifest.Warnings...)
	if v := o.manifest.NeedsApp(Version()); v != "" {
		o.problem(fmt.Errorf("it needs Kandev Desktop %s; this is %s", v, Version()))
	}
	if run && !pkg.Bare {
		o.compare(ctx)
	}
	o.serve()
	return o
}

func (o *opened) problem(err error) { o.problems = append(o.problems, err.Error()) }

// describe is the trial run.
func (o *opened) describe(ctx context.Context) []plugin.Tool {
	_, tools, err := wasm.Describe(ctx, o.pkg.Wasm)
	if err != nil {
		o.problem(fmt.Errorf("it does not describe its tools: %w", err))
		return nil
	}
	o.described = true
	return tools
}

// compare loads the module as an enabled plugin is loaded, and names the declared tools that it does not have.
func (o *opened) compare(ctx context.Context) {
	p, err := o.open(plugin.Grant{}, nil, nil)
	if err != nil {
		return // the names are at fault, and serve says so
	}
	defer p.Close()
	if err := p.Load(ctx); err != nil {
		o.problem(err)
		return
	}
	o.described = true
	_, tools, err := wasm.Describe(ctx, o.pkg.Wasm)
	if err != nil {
		return // it wants more memory than a trial run gives; it was loaded with what it asks for
	}
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.Name
	}
	absent, _ := o.manifest.Undeclared(names)
	for _, name := range absent {
		o.problem(fmt.Errorf("plugin.json declares the tool %q, which the module does not have", name))
	}
}

// open makes the plugin ready to run with a grant; memory and time are what it asks for.
func (o *opened) open(g plugin.Grant, config func(context.Context, string) (string, bool), log func(level, line string)) (*wasm.Plugin, error) {
	g.MemoryMB, g.TimeoutMS = o.manifest.Permissions.MemoryMB, o.manifest.Permissions.TimeoutMS
	return wasm.Open(wasm.Options{
		Manifest: o.manifest, Grant: g, Config: config, Log: log,
		Module: func() ([]byte, error) { return o.pkg.Wasm, nil },
	})
}

// serve names the tools and passes them through the registration gate of a session.
func (o *opened) serve() {
	p, err := o.open(plugin.Grant{}, nil, nil)
	if err != nil {
		o.problem(err)
		return
	}
	defer p.Close()
	set, refusals := tool.NewSet(1, p.Definitions()...)
	for _, r := range refusals {
		o.problem(fmt.Errorf("%s: %s", r.Name, r.Reason))
	}
	shown, _ := backend.PluginTools(o.manifest)
	for _, t := range shown {
		o.tools = append(o.tools, toolFacts{t.Name, t.Estimate})
		for _, w := range set.Warnings()[t.Name.Canonical] {
			o.warnings = append(o.warnings, t.Name.Canonical+": "+w)
		}
	}
}

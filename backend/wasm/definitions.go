package wasm

import (
	"context"
	"encoding/json"
	"time"

	"kandev/backend/plugin"
	"kandev/backend/tool"
)

// answerGrace is how much longer than the module the tool's own limit is: the
// plugin's line comes first.
const answerGrace = time.Second

// Definitions are the plugin's tools as its manifest declares them, bound to
// this plugin. They need no load: the module is read at the first call.
func (p *Plugin) Definitions() []tool.Definition {
	out := make([]tool.Definition, len(p.names))
	for i, n := range p.names {
		t := p.o.Manifest.Tools[i]
		out[i] = tool.Definition{
			Name: n.Canonical, Description: t.Description, InputSchema: t.InputSchema,
			Annotations: annotations(t.Annotations),
			Source:      p.o.Manifest.Source(n.Original),
			Limit:       p.limit + answerGrace,
			Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
				return p.answer(ctx, n, c.Arguments), nil
			},
		}
	}
	return out
}

// annotations are set on purpose: what a plugin does not state is taken for the
// worse, since nothing here can check it.
func annotations(h plugin.Hints) tool.Annotations {
	or := func(b *bool, unset bool) *bool {
		if b != nil {
			return b
		}
		return &unset
	}
	return tool.Annotations{
		ReadOnly: or(h.ReadOnly, false), Destructive: or(h.Destructive, true),
		Idempotent: or(h.Idempotent, false), OpenWorld: or(h.OpenWorld, true),
	}
}

// answer is a call that always has a result.
func (p *Plugin) answer(ctx context.Context, n plugin.Name, arguments json.RawMessage) tool.Result {
	start := p.o.Now()
	result, fail := p.Call(ctx, n.Original, arguments)
	report := Report{Plugin: p.o.Manifest.ID, Tool: n.Canonical, Outcome: OK, Took: p.o.Now().Sub(start)}
	switch {
	case fail != nil:
		report.Outcome, report.Line, report.Load = fail.Outcome, fail.Line, fail.Load
		result = tool.Fail("Plugin " + p.o.Manifest.ID + ", tool " + line(n.Original) + ": " + fail.Line + ".")
		if fail.Outcome == ToolError { // the tool's own words: an answer, and no answer is kept
			result, report.Line = tool.Fail(fail.Line), ""
		}
	case result.IsError:
		report.Outcome = ToolError
	}
	if p.o.Ended != nil {
		p.o.Ended(report)
	}
	return result
}

// Call runs one tool by the plugin's own name for it, once; it is never tried
// again. arguments are an object that was validated. A result with IsError is
// the tool's own answer.
func (p *Plugin) Call(ctx context.Context, name string, arguments json.RawMessage) (tool.Result, *Failure) {
	if !p.begin() {
		return tool.Result{}, failure(Cancelled, "%s; list the tools again", errStopped)
	}
	defer p.finish()
	if _, declared := p.o.Manifest.Tool(name); !declared {
		return tool.Result{}, failure(Refused, "it has no tool of this name")
	}
	if p.o.Allowed != nil {
		if err := p.o.Allowed(name); err != nil {
			return tool.Result{}, failure(Refused, "%s", err)
		}
	}
	if len(arguments) > maxInput {
		return tool.Result{}, failure(Refused, "the arguments have %d bytes, at most %d are allowed", len(arguments), maxInput)
	}
	ctx, end := p.bound(ctx, p.limit)
	defer end()
	l, fail := p.loaded(ctx)
	if fail != nil {
		return tool.Result{}, fail
	}
	if l.absent[name] {
		return tool.Result{}, failure(Refused, "its manifest declares this tool and its module does not have it")
	}
	return p.run(ctx, l.engine, name, arguments)
}

func (p *Plugin) run(ctx context.Context, e *engine, name string, arguments json.RawMessage) (tool.Result, *Failure) {
	f := forms[e.abi]
	input, err := encode(f.callInput("call", name, arguments))
	if err != nil {
		return tool.Result{}, failure(Refused, "the arguments are not valid JSON")
	}
	c := &call{
		kernel: newKernel(input), vars: &p.vars, config: p.config, log: p.o.Log, gate: p.gate, client: p.client,
	}
	out, fail := e.call(ctx, p.limit, c, f.call)
	if fail != nil {
		return tool.Result{}, fail
	}
	return result(out)
}

// config answers for declared keys only. A bare module declares none: which it
// has is a person's to say, also while it runs.
func (p *Plugin) config(ctx context.Context, key string) (string, bool) {
	if _, declared := p.o.Manifest.Field(key); !declared && !p.o.Manifest.Bare || p.o.Config == nil {
		return "", false
	}
	return p.o.Config(ctx, key)
}

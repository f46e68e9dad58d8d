package wasm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kandev/backend/plugin"
)

// loading is one load: done is closed when engine or fail is set.
type loading struct {
	n      uint64 // of this plugin's loads, from 1
	done   chan struct{}
	engine *engine
	absent map[string]bool // declared tools that the module does not have
	fail   *Failure
}

// Load makes the plugin ready, so that the first call need not: it reads the
// file, checks it against the manifest, compiles it and lets it describe its
// tools once. Calls that come meanwhile wait for the same load. A load that
// failed is tried again by the next call. The error is a *Failure.
func (p *Plugin) Load(ctx context.Context) error {
	if !p.begin() {
		return failure(Cancelled, "%s", errStopped)
	}
	defer p.finish()
	if _, fail := p.loaded(ctx); fail != nil {
		return fail
	}
	return nil
}

// loaded returns the ready engine. The load is the plugin's own and not the
// caller's: a caller that goes away spoils nothing.
func (p *Plugin) loaded(ctx context.Context) (*loading, *Failure) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, failure(Cancelled, "%s", errStopped)
	}
	l := p.load
	if l == nil {
		p.loads++
		l = &loading{n: p.loads, done: make(chan struct{})}
		p.load = l
		p.wg.Go(func() { p.fill(l) })
	}
	p.mu.Unlock()
	select {
	case <-l.done:
		return l, l.fail
	case <-ctx.Done():
		fail := classify(ctx, p.limit, ctx.Err())
		fail.Load = l.n
		return nil, fail
	}
}

// fill runs one load to its end.
func (p *Plugin) fill(l *loading) {
	defer close(l.done)
	ctx, end := context.WithTimeout(p.life, loadLimit)
	defer end()
	l.engine, l.absent, l.fail = p.prepare(ctx)
	if l.fail == nil {
		return
	}
	l.fail.Load = l.n
	p.mu.Lock()
	if p.load == l {
		p.load = nil
	}
	p.mu.Unlock()
}

func (p *Plugin) prepare(ctx context.Context) (*engine, map[string]bool, *Failure) {
	m := p.o.Manifest
	unusable := func(err error) (*engine, map[string]bool, *Failure) {
		if errors.Is(context.Cause(ctx), errStopped) {
			return nil, nil, failure(Cancelled, "%s", errStopped)
		}
		return nil, nil, failure(Unusable, "it cannot be loaded: %s", err)
	}
	file, err := p.o.Module()
	if err != nil {
		return unusable(errors.New("its file cannot be read"))
	}
	if err := plugin.Verify(file, m.Wasm.SHA256); err != nil {
		return unusable(err)
	}
	e, err := compile(ctx, file, p.o.Grant.MemoryMB, m.Wasm.ABI)
	if err != nil {
		return unusable(err)
	}
	tools, fail := e.describe(ctx, loadLimit/2)
	if fail == nil {
		var names []string
		for _, t := range tools {
			names = append(names, t.Name)
		}
		var gone []string
		if gone, err = m.Undeclared(names); err == nil {
			absent := map[string]bool{}
			for _, name := range gone {
				absent[name] = true
			}
			return e, absent, nil
		}
	} else {
		err = fmt.Errorf("it does not describe its tools: %s", fail.Line)
	}
	e.close()
	none, absent, refused := unusable(err)
	if fail != nil && fail.Outcome == Timeout && refused.Outcome == Unusable {
		refused.Outcome = Timeout // the machine may be busy: another time it may do
	}
	return none, absent, refused
}

// describe lets the module say what its tools are: without configuration,
// variables or network.
func (e *engine) describe(ctx context.Context, limit time.Duration) ([]plugin.Tool, *Failure) {
	ctx, end := context.WithTimeout(ctx, limit)
	defer end()
	f := forms[e.abi]
	input, err := encode(f.listInput("describe"))
	if err != nil {
		return nil, failure(Malformed, "its description cannot be asked for")
	}
	c := &call{
		kernel: newKernel(input), vars: &variables{},
		config: func(context.Context, string) (string, bool) { return "", false },
	}
	out, fail := e.call(ctx, limit, c, f.list)
	if fail != nil {
		return nil, fail
	}
	return described(out)
}

// Describe is the trial run of a module that came without a manifest: it loads
// the module, lets it describe its tools within 2 s without configuration or
// network, and forgets it. The tools are as the module spells them and not
// checked yet, see plugin.Bare. The error is a *Failure or wraps ErrModule.
func Describe(ctx context.Context, module []byte) (plugin.ABI, []plugin.Tool, error) {
	ctx, end := context.WithTimeout(ctx, loadLimit)
	defer end()
	e, err := compile(ctx, module, plugin.DefaultMemoryMB, plugin.ABIDetect)
	if err != nil {
		return "", nil, err
	}
	defer e.close()
	tools, fail := e.describe(ctx, describeLimit)
	if fail != nil {
		return "", nil, fail
	}
	return e.abi, tools, nil
}

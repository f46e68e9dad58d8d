package wasm

import (
	"bytes"
	"context"
	"crypto/rand"
	"net/http"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// call is one run of an exported function, as the host functions see it.
type call struct {
	*kernel
	vars   *variables
	config func(ctx context.Context, key string) (string, bool)
	log    func(level, line string)
	gate   gate
	client *http.Client // nil: no network
}

// instance is one instantiated module. It runs one call at a time and is
// dropped after any that did not return.
type instance struct {
	m   api.Module
	ctx context.Context // of the running call, for sleep and randomness
}

// Read gives the module random bytes until its call ended.
func (i *instance) Read(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return rand.Read(p)
}

// sleep ends with the call; the engine's own does not.
func (i *instance) sleep(ns int64) {
	timer := time.NewTimer(time.Duration(ns))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-i.ctx.Done():
	}
}

// newInstance starts the module: its start function and its initialisers. ctx
// has a deadline and holds the call.
func (e *engine) newInstance(ctx context.Context) (*instance, error) {
	i := &instance{ctx: ctx}
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions().
		WithSysWalltime().WithSysNanotime().WithNanosleep(i.sleep).WithRandSource(i)
	m, err := e.rt.InstantiateModule(ctx, e.mod, config)
	if err != nil {
		return nil, err
	}
	i.m = m
	if err := i.initialise(ctx); err != nil {
		i.drop()
		return nil, err
	}
	return i, nil
}

// initialise runs what Extism runs: one initialiser, never _start.
func (i *instance) initialise(ctx context.Context) error {
	for _, name := range []string{"_initialize", "__wasm_call_ctors"} {
		if f := i.m.ExportedFunction(name); f != nil && len(f.Definition().ParamTypes()) == 0 {
			if _, err := f.Call(ctx); err != nil {
				return err
			}
			break
		}
	}
	if f := i.m.ExportedFunction("hs_init"); f != nil && len(f.Definition().ParamTypes()) == 2 {
		_, err := f.Call(ctx, 0, 0)
		return err
	}
	return nil
}

// drop frees the module. It does not wait for a context: closing runs no code.
func (i *instance) drop() { _ = i.m.Close(context.Background()) }

// run calls one exported function. keep says whether the instance may run
// another one.
func (i *instance) run(ctx context.Context, limit time.Duration, c *call, name string) (out []byte, keep bool, fail *Failure) {
	i.ctx = ctx
	f := i.m.ExportedFunction(name)
	if f == nil || len(f.Definition().ParamTypes()) != 0 || len(f.Definition().ResultTypes()) > 1 {
		return nil, false, failure(Malformed, "its function %q has another form than the convention", name)
	}
	results, err := f.Call(ctx)
	if err != nil {
		return nil, false, classify(ctx, limit, err)
	}
	if ctx.Err() != nil {
		return nil, false, classify(ctx, limit, ctx.Err())
	}
	if c.errAt != 0 {
		text, ok := c.span(c.errAt, c.blocks[c.errAt])
		if !ok || len(text) == 0 {
			return nil, false, failure(Malformed, "it reported an error without a text")
		}
		return nil, true, failure(ToolError, "%s", text)
	}
	if len(results) == 1 && int32(results[0]) != 0 {
		return nil, true, failure(ToolError, "it returned the error code %d", int32(results[0]))
	}
	if c.outLen > maxOutput {
		return nil, true, failure(Malformed, "its answer has %d bytes, at most %d are allowed", c.outLen, maxOutput)
	}
	data, ok := c.span(c.outAt, c.outLen)
	if !ok {
		return nil, false, failure(Malformed, "its answer lies outside of the memory it shares with the app")
	}
	return bytes.Clone(data), true, nil
}

package wasm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"kandev/backend/plugin"
)

const wasiModule = "wasi_snapshot_preview1"

// engine is one compiled module in a runtime of its own, and its instances.
type engine struct {
	rt  wazero.Runtime
	mod wazero.CompiledModule
	abi plugin.ABI

	slots chan struct{} // one for each instance that may run
	mu    sync.Mutex
	idle  []*instance
}

// compile scans a module and makes it ready. It runs none of its code. The
// error wraps ErrModule.
func compile(ctx context.Context, wasm []byte, memoryMB int, abi plugin.ABI) (e *engine, err error) {
	safe, err := Scan(wasm)
	if err != nil {
		return nil, err
	}
	config := wazero.NewRuntimeConfigInterpreter().WithCloseOnContextDone(true).
		WithMemoryLimitPages(uint32(memoryMB) * pagesPerMB).WithDebugInfoEnabled(false)
	e = &engine{rt: wazero.NewRuntimeWithConfig(ctx, config), slots: make(chan struct{}, instances)}
	defer func() {
		if recover() != nil { // a defect of the engine refuses one module, no more
			err = errors.New("the engine failed on it")
		}
		if err != nil {
			e.close()
			text, _, _ := strings.Cut(err.Error(), "\n")
			e, err = nil, fmt.Errorf("%w: %s", ErrModule, line(text))
		}
	}()
	if e.mod, err = e.rt.CompileModule(ctx, safe); err != nil {
		return e, err
	}
	if err = e.link(ctx); err != nil {
		return e, err
	}
	e.abi, err = e.convention(abi)
	return e, err
}

// link gives the module what it imports and refuses it when something is not
// there, with every missing name.
func (e *engine) link(ctx context.Context) error {
	imports := e.mod.ImportedFunctions()
	uses := func(module string) bool {
		for _, f := range imports {
			if m, _, _ := f.Import(); m == module {
				return true
			}
		}
		return false
	}
	if uses(wasiModule) {
		if _, err := wasi_snapshot_preview1.Instantiate(ctx, e.rt); err != nil {
			return err
		}
	}
	if err := exportEnv(ctx, e.rt); err != nil {
		return err
	}
	if uses(userModule) {
		if err := exportUser(ctx, e.rt, imports); err != nil {
			return err
		}
	}
	var missing []string
	for _, f := range imports {
		module, name, _ := f.Import()
		host := e.rt.Module(module)
		if host == nil {
			missing = append(missing, module+"."+name)
			continue
		}
		have, ok := host.ExportedFunctionDefinitions()[name]
		if !ok {
			missing = append(missing, module+"."+name)
		} else if !slices.Equal(have.ParamTypes(), f.ParamTypes()) || !slices.Equal(have.ResultTypes(), f.ResultTypes()) {
			missing = append(missing, module+"."+name+" in another form")
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("it needs what this app does not offer: %s", strings.Join(missing, ", "))
	}
	return nil
}

// acquire waits for a slot and returns an idle instance, or nil when one has to
// be made.
func (e *engine) acquire(ctx context.Context) (*instance, error) {
	select {
	case e.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if n := len(e.idle); n > 0 {
		i := e.idle[n-1]
		e.idle = e.idle[:n-1]
		return i, nil
	}
	return nil, nil
}

// release gives the slot back, with the instance when it may run again.
func (e *engine) release(i *instance, keep bool) {
	if i != nil && !keep {
		i.drop()
	}
	if i != nil && keep {
		e.mu.Lock()
		e.idle = append(e.idle, i)
		e.mu.Unlock()
	}
	<-e.slots
}

// call runs an exported function on an instance of its own.
func (e *engine) call(ctx context.Context, limit time.Duration, c *call, name string) (out []byte, fail *Failure) {
	ctx = context.WithValue(ctx, callKey{}, c)
	i, err := e.acquire(ctx)
	if err != nil {
		return nil, unserved(ctx, limit, err)
	}
	keep := false
	defer func() { e.release(i, keep) }()
	if i == nil {
		if i, err = e.newInstance(ctx); err != nil {
			return nil, classify(ctx, limit, err)
		}
	}
	out, keep, fail = i.run(ctx, limit, c, name)
	return out, fail
}

// close frees everything. No call may run.
func (e *engine) close() { _ = e.rt.Close(context.Background()) }

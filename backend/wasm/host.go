package wasm

import (
	"context"
	"encoding/binary"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

const (
	envModule  = "extism:host/env"
	userModule = "extism:host/user"
)

type callKey struct{}

// hostFunc is one function of the Extism ABI. The stack holds the parameters
// and takes the result.
type hostFunc struct {
	name string
	in   string // one letter a value: l for i64, i for i32
	out  string
	run  func(ctx context.Context, c *call, s []uint64)
}

func valueTypes(letters string) []api.ValueType {
	var out []api.ValueType
	for _, r := range letters {
		if r == 'l' {
			out = append(out, api.ValueTypeI64)
		} else {
			out = append(out, api.ValueTypeI32)
		}
	}
	return out
}

// exportEnv makes the module extism:host/env. Its functions work on the call
// that runs; each looks first whether that call was ended, because a module can
// spend its time in them.
func exportEnv(ctx context.Context, rt wazero.Runtime) error {
	b := rt.NewHostModuleBuilder(envModule)
	for _, fs := range [][]hostFunc{memoryFuncs, valueFuncs, httpFuncs, logFuncs} {
		for _, f := range fs {
			b.NewFunctionBuilder().WithGoFunction(api.GoFunc(func(ctx context.Context, s []uint64) {
				f.run(ctx, current(ctx), s)
			}), valueTypes(f.in), valueTypes(f.out)).Export(f.name)
		}
	}
	_, err := b.Instantiate(ctx)
	return err
}

// current is the call that runs. An ended one goes no further.
func current(ctx context.Context) *call {
	c, ok := ctx.Value(callKey{}).(*call)
	if !ok {
		refuse("it called the app outside of a call")
	}
	if ctx.Err() != nil {
		refuse("the call ended")
	}
	return c
}

// memoryFuncs move bytes between the module and the call.
var memoryFuncs = []hostFunc{
	{"alloc", "l", "l", func(_ context.Context, c *call, s []uint64) { s[0] = c.alloc(s[0]) }},
	{"free", "l", "", func(_ context.Context, c *call, s []uint64) { c.free(s[0]) }},
	{"length", "l", "l", func(_ context.Context, c *call, s []uint64) { s[0] = c.blocks[s[0]] }},
	{"length_unsafe", "l", "l", func(_ context.Context, c *call, s []uint64) { s[0] = c.blocks[s[0]] }},
	{"load_u8", "l", "i", func(_ context.Context, c *call, s []uint64) { s[0] = uint64(c.at(s[0], 1)[0]) }},
	{"load_u64", "l", "l", func(_ context.Context, c *call, s []uint64) { s[0] = binary.LittleEndian.Uint64(c.at(s[0], 8)) }},
	{"store_u8", "li", "", func(_ context.Context, c *call, s []uint64) { c.at(s[0], 1)[0] = byte(s[1]) }},
	{"store_u64", "ll", "", func(_ context.Context, c *call, s []uint64) { binary.LittleEndian.PutUint64(c.at(s[0], 8), s[1]) }},
	{"input_length", "", "l", func(_ context.Context, c *call, s []uint64) { s[0] = c.inLen }},
	{"input_offset", "", "l", func(_ context.Context, c *call, s []uint64) { s[0] = c.inAt }},
	{"input_load_u8", "l", "i", func(_ context.Context, c *call, s []uint64) { s[0] = c.loadInput8(s[0]) }},
	{"input_load_u64", "l", "l", func(_ context.Context, c *call, s []uint64) { s[0] = c.loadInput64(s[0]) }},
	{"input_set", "ll", "", func(_ context.Context, c *call, s []uint64) {
		c.at(s[0], s[1])
		c.inAt, c.inLen = s[0], s[1]
	}},
	{"output_set", "ll", "", func(_ context.Context, c *call, s []uint64) {
		c.at(s[0], s[1])
		c.outAt, c.outLen = s[0], s[1]
	}},
	{"output_offset", "", "l", func(_ context.Context, c *call, s []uint64) { s[0] = c.outAt }},
	{"output_length", "", "l", func(_ context.Context, c *call, s []uint64) { s[0] = c.outLen }},
	{"error_set", "l", "", func(_ context.Context, c *call, s []uint64) { c.errAt = s[0] }},
	{"error_get", "", "l", func(_ context.Context, c *call, s []uint64) { s[0] = c.errAt }},
	{"memory_bytes", "", "l", func(_ context.Context, c *call, s []uint64) { s[0] = uint64(len(c.mem)) }},
	{"reset", "", "", func(context.Context, *call, []uint64) {}},
}

// valueFuncs read configuration and keep variables.
var valueFuncs = []hostFunc{
	{"config_get", "l", "l", func(ctx context.Context, c *call, s []uint64) {
		value, ok := c.config(ctx, string(c.block(s[0])))
		s[0] = 0
		if ok {
			s[0] = c.put([]byte(value))
		}
	}},
	{"var_get", "l", "l", func(_ context.Context, c *call, s []uint64) { s[0] = c.put(c.vars.get(string(c.block(s[0])))) }},
	{"var_set", "ll", "", func(_ context.Context, c *call, s []uint64) {
		if s[1] == 0 {
			c.vars.drop(string(c.block(s[0])))
			return
		}
		if !c.vars.set(string(c.block(s[0])), c.block(s[1])) {
			refuse("its variables are full: all together may take %d MiB", maxVars>>20)
		}
	}},
}

const extismInfo = 2 // Extism's number of the level that is asked for

var logFuncs = []hostFunc{
	{"get_log_level", "", "i", func(_ context.Context, _ *call, s []uint64) { s[0] = extismInfo }},
	{"log_trace", "l", "", logAt("trace")},
	{"log_debug", "l", "", logAt("debug")},
	{"log_info", "l", "", logAt("info")},
	{"log_warn", "l", "", logAt("warn")},
	{"log_error", "l", "", logAt("error")},
}

// logAt hands a line to whoever asked for them, an author as a rule; the app's
// own log never holds one, because a module may log what it was called with.
func logAt(level string) func(context.Context, *call, []uint64) {
	return func(_ context.Context, c *call, s []uint64) {
		text := c.block(s[0])
		if c.log == nil || c.lines >= maxLogLines {
			return
		}
		c.lines++
		c.log(level, line(string(text[:min(len(text), maxLogLine)])))
	}
}

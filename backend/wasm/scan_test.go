package wasm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"kandev/backend/plugin"
)

func TestScanRefuses(t *testing.T) {
	f := func(body ...[]byte) []byte { return oneFunc(localsOf(0, cat(body...))) }
	for name, c := range map[string]struct {
		module []byte
		part   string
	}{
		"long LEB":              {cat(module(), []byte{1, 0x80, 0x80, 0x80, 0x80, 0x80, 0}), "too many bytes"},
		"LEB over 32 bits":      {cat(module(), []byte{1, 0xff, 0xff, 0xff, 0xff, 0x7f}), "too many bytes"},
		"out of order":          {module(section(3, u(0)), section(1, u(0))), "out of order"},
		"bytes left":            {module(section(1, cat(u(0), []byte{1}))), "after the end"},
		"tag section":           {module(section(13, u(0))), "section 13"},
		"bodies missing":        {module(section(1, vec(funcType("", "i"))), section(3, vec(u(0)))), "1 functions are declared and 0 have a body"},
		"body without function": {module(section(10, vec(localsOf(0, nil)))), "1 function bodies for 0"},
		"value type":            {module(section(1, vec([]byte{0x60, 1, 0x12, 0}))), "value type 0x12"},
		"struct type":           {module(section(1, vec([]byte{0x5f, 0}))), "not a function"},
		"block type unknown":    {f([]byte{0x02, 0x05, 0x0b}), "type 5 is not there"},
		"block type odd":        {f([]byte{0x02, 0x41, 0x0b}), "value type 0x41"},
		"indirect unknown type": {f(okay, []byte{0x11, 9, 0}), "type 9 is not there"},
		"atomic":                {f([]byte{0xfe, 0}), "instruction 0xfe"},
		"try":                   {f([]byte{0x06, 0x40, 0x0b}), "instruction 0x6"},
		"misc unknown":          {f([]byte{0xfc, 40}), "0xfc 40"},
		"vector unknown":        {f([]byte{0xfd, 0x80, 2}), "vector instruction 256"},
		"alignment":             {f(okay, []byte{0x28, 0x40, 0}), "alignment 64"},
		"after the end":         {oneFunc(cat(u(4), []byte{0, 0x0b, 0x0b, 0x0b})), "bytes after its end"},
		"constant too long":     {module(section(6, cat(u(1), []byte{0x7f, 0}, bytes.Repeat([]byte{0x41, 0}, 20), []byte{0x0b}))), "more than 16"},
		"constant odd":          {module(section(6, cat(u(1), []byte{0x7f, 0, 0x10, 0, 0x0b}))), "in a constant"},
		"data flags":            {module(section(11, cat(u(1), u(3)))), "data segment with flags 3"},
		"element flags":         {module(section(9, cat(u(1), u(8)))), "element segment with flags 8"},
		"memory flags":          {module(section(5, []byte{1, 2, 1, 1})), "memory with flags 0x2"},
		"import of a global":    {module(section(2, vec(cat(str("a"), str("b"), []byte{3, 0x7f, 0})))), "not a function"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := Scan(c.module)
			if !errors.Is(err, ErrModule) || !strings.Contains(err.Error(), c.part) || out != nil {
				t.Errorf("got %v, want %q", err, c.part)
			}
		})
	}
}

func TestScanHardens(t *testing.T) {
	in := module(section(0, cat(str("name"), []byte("whatever"))), section(4, cat(u(2), []byte{0x70, 0, 3, 0x70, 1, 1}, u(1<<30))))
	out, err := Scan(in)
	if err != nil {
		t.Fatal(err)
	}
	want := module(section(4, cat(u(2), []byte{0x70, 1, 3}, u(maxTable), []byte{0x70, 1, 1}, u(maxTable))))
	if !bytes.Equal(out, want) {
		t.Errorf("got  %x\nwant %x", out, want)
	}
	body := cat(okay, okay, okay, []byte{0xfc, 11, 0}, callf(0), drop) // memory.fill, a call into the host
	in = module(section(1, vec(funcType("", "i"))), section(2, vec(imported("a", "b", 0))), section(3, vec(u(0))),
		section(10, vec(localsOf(1, body))))
	if out, err = Scan(in); err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(out, stopPoint); n != 2 {
		t.Errorf("%d stop points in %x, want 2: before memory.fill and before the call into the host", n, out)
	}
}

func TestStopPoints(t *testing.T) {
	self := cat(callf(1), drop)
	indirect := cat(okay, []byte{0x11, 0, 0}, drop)
	for name, c := range map[string]struct {
		body  []byte
		table bool // the host's function is in a table
		want  int
	}{
		"leaf":                     {nil, false, 0},
		"calls itself":             {self, false, 1},
		"twice":                    {cat(self, self), false, 1},
		"begins with a loop":       {cat([]byte{0x03, 0x40}, self, []byte{0x0b}), false, 0},
		"block, then loop":         {cat([]byte{0x02, 0x40, 0x03, 0x40}, self, []byte{0x0b, 0x0b}), false, 0},
		"loop in an if":            {cat(okay, []byte{0x04, 0x40, 0x03, 0x40, 0x0b, 0x0b}, self), false, 2},
		"loop behind a branch":     {cat([]byte{0x02, 0x40}, okay, []byte{0x0d, 0, 0x03, 0x40, 0x01, 0x0b, 0x0b}, self), false, 1},
		"indirect":                 {indirect, false, 1},
		"indirect, host reachable": {indirect, true, 2},
		"host":                     {cat(callf(0), drop), false, 1},
	} {
		sections := [][]byte{section(1, vec(funcType("", "i"))), section(2, vec(imported("a", "b", 0))), section(3, vec(u(0))), section(4, vec([]byte{0x70, 0, 1}))}
		if c.table {
			sections = append(sections, section(9, vec([]byte{0, 0x41, 0, 0x0b, 1, 0})))
		}
		out, err := Scan(module(append(sections, section(10, vec(localsOf(0, c.body))))...))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if n := bytes.Count(out, stopPoint); n != c.want { // an empty loop of the module's own counts as well
			t.Errorf("%s: %d stop points, want %d", name, n, c.want)
		}
	}
}

// What the scan returns behaves as the module does: all kinds of instructions
// stay in place around the stop points.
func TestScanKeepsTheExample(t *testing.T) {
	wasm := hello(t)
	start := time.Now()
	out, err := Scan(wasm)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes to %d in %s", len(wasm), len(out), time.Since(start))
	if _, err := Scan(out); err != nil {
		t.Errorf("the result does not pass: %v", err)
	}
}

// seeds are small modules of every kind.
func seeds() [][]byte {
	var out [][]byte
	all := hostile()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if len(all[name]) < 16<<10 {
			out = append(out, all[name])
		}
	}
	return append(out, guestOf("list_tools", "call_tool", echo()).Wasm())
}

func FuzzScan(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, wasm []byte) {
		out, err := Scan(wasm)
		if (err == nil) != (out != nil) || err != nil && !errors.Is(err, ErrModule) {
			t.Fatalf("%x, %v", out, err)
		}
		if len(out) > 3*len(wasm)+64 {
			t.Fatalf("%d bytes became %d", len(wasm), len(out))
		}
	})
}

// FuzzLoad goes the whole way: read, scan, compile, describe, call.
func FuzzLoad(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, wasm []byte) {
		p, err := plugin.Read(wasm)
		if err != nil || !p.Bare {
			return
		}
		m := plugin.Manifest{ID: "fuzz", Wasm: plugin.Module{SHA256: p.SHA256}, Tools: []plugin.Tool{{Name: "echo"}}}
		o := Options{Manifest: m, Module: func() ([]byte, error) { return p.Wasm, nil }, Grant: plugin.Grant{MemoryMB: 4, TimeoutMS: 100}}
		o.Resolve = resolving(nil)
		opened, err := Open(o)
		if err != nil {
			t.Fatal(err)
		}
		defer opened.Close()
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_, fail := opened.Call(ctx, "echo", json.RawMessage(`{}`))
		if fail != nil && (strings.Contains(fail.Line, ".go:") || strings.ContainsAny(fail.Line, "\n\x00")) {
			t.Fatalf("not one clean line: %q", fail.Line)
		}
		if ctx.Err() != nil {
			t.Fatal("the call did not end")
		}
	})
}

// Package guests assembles small WebAssembly modules byte by byte, for tests
// alone: plugins that answer, and plugins that do what a plugin must not. So no
// binary is in the repository, and no other tool is needed.
//
// What it makes is sound as a file unless its name says otherwise, and the same
// bytes at every call. It is not linked into the app and runs nothing itself.
package guests

import "bytes"

const (
	envModule  = "extism:host/env"
	wasiModule = "wasi_snapshot_preview1"
)

// Cat joins pieces of a module.
func Cat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// U is an unsigned number in LEB128.
func U(v uint64) (b []byte) {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

func sleb(v int64) (b []byte) {
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

// Str is a name: its length and its bytes.
func Str(s string) []byte { return Cat(U(uint64(len(s))), []byte(s)) }

// Vec is a vector: its length and its items.
func Vec(items ...[]byte) []byte { return Cat(U(uint64(len(items))), Cat(items...)) }

// Section is one section with its length.
func Section(id byte, body []byte) []byte { return Cat([]byte{id}, U(uint64(len(body))), body) }

// Module is a whole file.
func Module(sections ...[]byte) []byte {
	return Cat([]byte("\x00asm\x01\x00\x00\x00"), Cat(sections...))
}

// The function types of every assembled guest, by index.
const (
	TypeI32 = iota // () -> i32, an Extism export
	tI64
	TypeLL  // (i64) -> i64
	tLLv    // (i64, i64) -> ()
	tLIv    // (i64, i32) -> ()
	tLI     // (i64) -> i32
	TypeLv  // (i64) -> ()
	tV      // () -> ()
	tIII    // (i32, i32) -> i32
	tIIII   // four i32 -> i32
	tIv     // (i32) -> ()
	TypeLLL // (i64, i64) -> i64
)

// FuncType is a function type; i is an i32, l an i64.
func FuncType(params, results string) []byte {
	list := func(s string) []byte {
		var out [][]byte
		for _, r := range s {
			out = append(out, []byte{map[rune]byte{'i': 0x7f, 'l': 0x7e}[r]})
		}
		return Vec(out...)
	}
	return Cat([]byte{0x60}, list(params), list(results))
}

// Types is the type section of every assembled guest.
func Types() []byte {
	return Section(1, Vec(
		FuncType("", "i"), FuncType("", "l"), FuncType("l", "l"), FuncType("ll", ""), FuncType("li", ""), FuncType("l", "i"),
		FuncType("l", ""), FuncType("", ""), FuncType("ii", "i"), FuncType("iiii", "i"), FuncType("i", ""), FuncType("ll", "l")))
}

// The functions that every assembled guest imports, by index, and the first of
// its own.
const (
	fInputLength = iota
	fInput64
	fInput8
	fAlloc
	fStore64
	fStore8
	Output
	fError
	VarSet
	VarGet
	Config
	fHTTP
	fLog
	fRandom
	fPoll
	Exit
	fWrite
	Length
	Own // the first function of the guest itself
)

// Imported is one imported function of a type.
func Imported(module, name string, t uint64) []byte {
	return Cat(Str(module), Str(name), []byte{0}, U(t))
}

// Imports is the import section of every assembled guest, and more.
func Imports(more ...[]byte) []byte {
	env := func(name string, t uint64) []byte { return Imported(envModule, name, t) }
	return Section(2, Vec(append([][]byte{
		env("input_length", tI64), env("input_load_u64", TypeLL), env("input_load_u8", tLI), env("alloc", TypeLL),
		env("store_u64", tLLv), env("store_u8", tLIv), env("output_set", tLLv), env("error_set", TypeLv),
		env("var_set", tLLv), env("var_get", TypeLL), env("config_get", TypeLL), env("http_request", TypeLLL), env("log_info", TypeLv),
		Imported(wasiModule, "random_get", tIII), Imported(wasiModule, "poll_oneoff", tIIII),
		Imported(wasiModule, "proc_exit", tIv), Imported(wasiModule, "fd_write", tIIII),
		env("length", TypeLL),
	}, more...)...))
}

// I32 is the instruction i32.const.
func I32(v int64) []byte { return Cat([]byte{0x41}, sleb(v)) }

// I64 is i64.const.
func I64(v int64) []byte { return Cat([]byte{0x42}, sleb(v)) }

// Get is local.get.
func Get(i uint64) []byte { return Cat([]byte{0x20}, U(i)) }

// Set is local.set.
func Set(i uint64) []byte { return Cat([]byte{0x21}, U(i)) }

// Call is call, of a function by its index.
func Call(i uint64) []byte { return Cat([]byte{0x10}, U(i)) }

// Loop is a loop without a value; it ends unless Again is in it.
func Loop(b ...[]byte) []byte { return Cat([]byte{0x03, 0x40}, Cat(b...), []byte{0x0b}) }

// Again goes back to the begin of the innermost block: always, or if.
func Again(cond ...[]byte) []byte {
	if len(cond) == 0 {
		return []byte{0x0c, 0}
	}
	return Cat(Cat(cond...), []byte{0x0d, 0})
}

// Instructions without operands, and the end of an Extism export that went well.
var (
	I64Add, i32add = []byte{0x7c}, []byte{0x6a}
	i64lt          = []byte{0x54}
	Drop           = []byte{0x1a}
	Unreachable    = []byte{0x00}
	load64         = []byte{0x29, 0, 0}
	Okay           = I32(0)
)

// Spin is a body that never returns.
var Spin = Code(0, Loop(Again()), Okay)

// Code is a function body with locals of i64.
func Code(locals uint64, b ...[]byte) []byte {
	body := Cat(Vec(Cat(U(locals), []byte{0x7e})), Cat(b...), []byte{0x0b})
	return Cat(U(uint64(len(body))), body)
}

// Guest is a module with a memory of 4 pages that holds text at 0, and the
// given exports, each of type () -> i32.
type Guest struct {
	text    string
	exports map[string][]byte // name to body
	order   []string
	start   []byte // the body of a start function
	data    []byte // instead of text
	pages   uint64
	helpers [][]byte // further functions of type () -> (), from Own+len(order)+1 on
}

// Wasm assembles the guest. The start function comes behind the exports.
func (g Guest) Wasm() []byte {
	var types, exports, bodies [][]byte
	for i, name := range g.order {
		types = append(types, U(TypeI32))
		exports = append(exports, Cat(Str(name), []byte{0}, U(uint64(Own+i))))
		bodies = append(bodies, g.exports[name])
	}
	start := Code(0)
	if g.start != nil {
		start = g.start
	}
	for _, body := range append([][]byte{start}, g.helpers...) {
		types, bodies = append(types, U(tV)), append(bodies, body)
	}
	exports = append(exports, Cat(Str("memory"), []byte{2}, U(0)))
	data := g.data
	if data == nil {
		data = []byte(g.text)
	}
	pages := max(g.pages, 4)
	return Module(Types(), Imports(), Section(3, Vec(types...)), Section(4, Vec([]byte{0x70, 0, 1})),
		Section(5, Vec(Cat([]byte{0}, U(pages)))), Section(7, Vec(exports...)), Section(8, U(uint64(Own+len(g.order)))),
		Section(10, Vec(bodies...)),
		Section(11, Vec(Cat([]byte{0, 0x41, 0, 0x0b}, U(uint64(len(data))), data))))
}

// Say is a body that gives n bytes of the memory from at as the output.
func Say(at, n int64) []byte {
	return Code(2, I64(n+8), Call(fAlloc), Set(0),
		Loop(Get(0), Get(1), I64Add, Get(1), []byte{0xa7}, I32(at), i32add, load64, Call(fStore64),
			Get(1), I64(8), I64Add, Set(1), Again(Get(1), I64(n), i64lt)),
		Get(0), I64(n), Call(Output), Okay)
}

const echoPrefix = `{"structuredContent":   ` // a multiple of 8 bytes

// Echo is a body that answers with what it was given, as structured content.
func Echo() []byte {
	var prefix []byte
	for i := range int64(len(echoPrefix) / 8) {
		prefix = Cat(prefix, Get(0), I64(8*i), I64Add, I32(echoAt+8*i), load64, Call(fStore64))
	}
	out := Cat(Get(0), I64(int64(len(echoPrefix))), I64Add, Get(1), I64Add)
	return Code(3, Call(fInputLength), Set(2), Get(2), I64(int64(len(echoPrefix))+16), I64Add, Call(fAlloc), Set(0), prefix,
		// eight bytes at a time while eight are left
		Cat([]byte{0x02, 0x40}, Loop(Get(1), I64(8), I64Add, Get(2), []byte{0x56, 0x0d, 1}, out, Get(1), Call(fInput64), Call(fStore64),
			Get(1), I64(8), I64Add, Set(1), Again()), []byte{0x0b}),
		Cat([]byte{0x02, 0x40}, Loop(Get(1), Get(2), []byte{0x5a, 0x0d, 1}, out, Get(1), Call(fInput8), Call(fStore8),
			Get(1), I64(1), I64Add, Set(1), Again()), []byte{0x0b}),
		out, I32('}'), Call(fStore8),
		Get(0), Get(2), I64(int64(len(echoPrefix))+1), I64Add, Call(Output), Okay)
}

const echoAt = 4096 // where echo's prefix lies

// Description is what a guest says of itself.
const Description = `{"tools":[{"name":"echo","description":"Gives back what it gets","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}]}`

// Of is a module of one convention whose call is the given body.
func Of(list, call string, body []byte) Guest {
	data := append([]byte(Description), make([]byte, echoAt-len(Description))...)
	return Guest{
		data: append(data, echoPrefix...), order: []string{list, call},
		exports: map[string][]byte{list: Say(0, int64(len(Description))), call: body},
	}
}

package wasm

import "bytes"

// A small assembler: the tests make their modules byte by byte, so that no
// binary and no other tool is needed.

func cat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func u(v uint64) (b []byte) {
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

func str(s string) []byte { return cat(u(uint64(len(s))), []byte(s)) }

func vec(items ...[]byte) []byte { return cat(u(uint64(len(items))), cat(items...)) }

func section(id byte, body []byte) []byte { return cat([]byte{id}, u(uint64(len(body))), body) }

func module(sections ...[]byte) []byte {
	return cat([]byte("\x00asm\x01\x00\x00\x00"), cat(sections...))
}

// Types, by index in every assembled guest.
const (
	tI32 = iota // () -> i32, an Extism export
	tI64
	tLL   // (i64) -> i64
	tLLv  // (i64, i64) -> ()
	tLIv  // (i64, i32) -> ()
	tLI   // (i64) -> i32
	tLv   // (i64) -> ()
	tV    // () -> ()
	tIII  // (i32, i32) -> i32
	tIIII // four i32 -> i32
	tIv   // (i32) -> ()
	tLLL  // (i64, i64) -> i64
)

func funcType(params, results string) []byte {
	list := func(s string) []byte {
		var out [][]byte
		for _, r := range s {
			out = append(out, []byte{map[rune]byte{'i': 0x7f, 'l': 0x7e}[r]})
		}
		return vec(out...)
	}
	return cat([]byte{0x60}, list(params), list(results))
}

var guestTypes = section(1, vec(
	funcType("", "i"), funcType("", "l"), funcType("l", "l"), funcType("ll", ""), funcType("li", ""), funcType("l", "i"),
	funcType("l", ""), funcType("", ""), funcType("ii", "i"), funcType("iiii", "i"), funcType("i", ""), funcType("ll", "l")))

// The imports of every assembled guest, by function index.
const (
	fInputLength = iota
	fInput64
	fInput8
	fAlloc
	fStore64
	fStore8
	fOutput
	fError
	fVarSet
	fVarGet
	fConfig
	fHTTP
	fLog
	fRandom
	fPoll
	fExit
	fWrite
	fLength
	fOwn // the first function of the guest itself
)

func imported(module, name string, t uint64) []byte {
	return cat(str(module), str(name), []byte{0}, u(t))
}

func guestImports(more ...[]byte) []byte {
	env := func(name string, t uint64) []byte { return imported(envModule, name, t) }
	return section(2, vec(append([][]byte{
		env("input_length", tI64), env("input_load_u64", tLL), env("input_load_u8", tLI), env("alloc", tLL),
		env("store_u64", tLLv), env("store_u8", tLIv), env("output_set", tLLv), env("error_set", tLv),
		env("var_set", tLLv), env("var_get", tLL), env("config_get", tLL), env("http_request", tLLL), env("log_info", tLv),
		imported(wasiModule, "random_get", tIII), imported(wasiModule, "poll_oneoff", tIIII),
		imported(wasiModule, "proc_exit", tIv), imported(wasiModule, "fd_write", tIIII),
		env("length", tLL),
	}, more...)...))
}

// Instructions.
func i32c(v int64) []byte     { return cat([]byte{0x41}, sleb(v)) }
func i64c(v int64) []byte     { return cat([]byte{0x42}, sleb(v)) }
func get(i uint64) []byte     { return cat([]byte{0x20}, u(i)) }
func set(i uint64) []byte     { return cat([]byte{0x21}, u(i)) }
func callf(i uint64) []byte   { return cat([]byte{0x10}, u(i)) }
func loop(b ...[]byte) []byte { return cat([]byte{0x03, 0x40}, cat(b...), []byte{0x0b}) }
func again(cond ...[]byte) []byte {
	if len(cond) == 0 {
		return []byte{0x0c, 0}
	}
	return cat(cat(cond...), []byte{0x0d, 0})
}

var (
	i64add, i32add = []byte{0x7c}, []byte{0x6a}
	i64lt          = []byte{0x54}
	drop           = []byte{0x1a}
	unreachable    = []byte{0x00}
	load64         = []byte{0x29, 0, 0}
	okay           = i32c(0)
)

// code is a function body with locals of i64.
func code(locals uint64, b ...[]byte) []byte {
	body := cat(vec(cat(u(locals), []byte{0x7e})), cat(b...), []byte{0x0b})
	return cat(u(uint64(len(body))), body)
}

// guest is a module with a memory of 4 pages that holds text at 0, and the
// given exports, each of type () -> i32.
type guest struct {
	text    string
	exports map[string][]byte // name to body
	order   []string
	start   []byte // the body of a start function
	data    []byte // instead of text
	pages   uint64
	helpers [][]byte // further functions of type () -> (), from fOwn+len(order)+1 on
}

// wasm assembles the guest. The start function comes behind the exports.
func (g guest) wasm() []byte {
	var types, exports, bodies [][]byte
	for i, name := range g.order {
		types = append(types, u(tI32))
		exports = append(exports, cat(str(name), []byte{0}, u(uint64(fOwn+i))))
		bodies = append(bodies, g.exports[name])
	}
	start := code(0)
	if g.start != nil {
		start = g.start
	}
	for _, body := range append([][]byte{start}, g.helpers...) {
		types, bodies = append(types, u(tV)), append(bodies, body)
	}
	exports = append(exports, cat(str("memory"), []byte{2}, u(0)))
	data := g.data
	if data == nil {
		data = []byte(g.text)
	}
	pages := max(g.pages, 4)
	return module(guestTypes, guestImports(), section(3, vec(types...)), section(4, vec([]byte{0x70, 0, 1})),
		section(5, vec(cat([]byte{0}, u(pages)))), section(7, vec(exports...)), section(8, u(uint64(fOwn+len(g.order)))),
		section(10, vec(bodies...)),
		section(11, vec(cat([]byte{0, 0x41, 0, 0x0b}, u(uint64(len(data))), data))))
}

// say gives n bytes of the memory from at as the output.
func say(at, n int64) []byte {
	return code(2, i64c(n+8), callf(fAlloc), set(0),
		loop(get(0), get(1), i64add, get(1), []byte{0xa7}, i32c(at), i32add, load64, callf(fStore64),
			get(1), i64c(8), i64add, set(1), again(get(1), i64c(n), i64lt)),
		get(0), i64c(n), callf(fOutput), okay)
}

const echoPrefix = `{"structuredContent":   ` // a multiple of 8 bytes

// echo answers with what it was given, as structured content.
func echo() []byte {
	var prefix []byte
	for i := range int64(len(echoPrefix) / 8) {
		prefix = cat(prefix, get(0), i64c(8*i), i64add, i32c(echoAt+8*i), load64, callf(fStore64))
	}
	out := cat(get(0), i64c(int64(len(echoPrefix))), i64add, get(1), i64add)
	return code(3, callf(fInputLength), set(2), get(2), i64c(int64(len(echoPrefix))+16), i64add, callf(fAlloc), set(0), prefix,
		// eight bytes at a time while eight are left
		cat([]byte{0x02, 0x40}, loop(get(1), i64c(8), i64add, get(2), []byte{0x56, 0x0d, 1}, out, get(1), callf(fInput64), callf(fStore64),
			get(1), i64c(8), i64add, set(1), again()), []byte{0x0b}),
		cat([]byte{0x02, 0x40}, loop(get(1), get(2), []byte{0x5a, 0x0d, 1}, out, get(1), callf(fInput8), callf(fStore8),
			get(1), i64c(1), i64add, set(1), again()), []byte{0x0b}),
		out, i32c('}'), callf(fStore8),
		get(0), get(2), i64c(int64(len(echoPrefix))+1), i64add, callf(fOutput), okay)
}

const echoAt = 4096 // where echo's prefix lies

// echoDescription is what the assembled echo says of itself.
const echoDescription = `{"tools":[{"name":"echo","description":"Gives back what it gets","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}]}`

// guestOf is a module of one convention whose call is the given body.
func guestOf(list, call string, body []byte) guest {
	data := append([]byte(echoDescription), make([]byte, echoAt-len(echoDescription))...)
	return guest{
		data: append(data, echoPrefix...), order: []string{list, call},
		exports: map[string][]byte{list: say(0, int64(len(echoDescription))), call: body},
	}
}

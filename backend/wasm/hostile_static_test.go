package wasm

import (
	"bytes"
	"math/rand/v2"
)

// The part of the hostile set that is wrong as a file: what a decoder or
// compiler is hurt by.

func oneFunc(body []byte) []byte {
	return module(section(1, vec(funcType("", "i"))), section(3, vec(u(0))), section(10, vec(body)))
}

// localsOf is a function with n locals and a body.
func localsOf(n uint64, body []byte) []byte {
	b := cat(vec(cat(u(n), []byte{0x7e})), body, okay, []byte{0x0b})
	return cat(u(uint64(len(b))), b)
}

// phi is locals times blocks: what makes a compiler of one pass slow.
func phi(locals, blocks int, op byte) []byte {
	var b []byte
	for i := range blocks {
		l := uint64(i % locals)
		if op == 0x04 {
			b = cat(b, i32c(1))
		}
		b = cat(b, []byte{op, 0x40}, get(l), i64c(1), i64add, set(l), []byte{0x0b})
	}
	return oneFunc(localsOf(uint64(locals), b))
}

func garbage(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func hostileFiles() map[string][]byte {
	const most = 0xffff_ffff
	header := module()
	many := func(n int, item []byte) []byte { return cat(u(uint64(n)), bytes.Repeat(item, n)) }
	set := map[string][]byte{
		"empty": nil, "bad-magic": []byte("MZ\x90\x00 this is not wasm"), "bad-version": []byte("\x00asm\x02\x00\x00\x00"),
		"component":   []byte("\x00asm\x0d\x00\x01\x00\x07\x01\x00"),
		"header-only": header, "garbage": cat(header, garbage(1<<20)),
		"locals-4g": oneFunc(localsOf(most, nil)), "locals-500m": oneFunc(localsOf(1<<29, nil)), "locals-50k": oneFunc(localsOf(50_000, nil)),
		"locals-10k-in-5k-functions": module(section(1, vec(funcType("", "i"))), section(3, many(5000, u(0))),
			section(10, many(5000, localsOf(10_000, nil)))),
		"code-size-4g": module(section(1, vec(funcType("", "i"))), section(3, vec(u(0))), section(10, cat(u(1), u(0xffff_fff0), u(0), okay, []byte{0x0b}))),
		"data-4g":      module(section(5, []byte{1, 0, 1}), section(11, cat(u(1), []byte{0, 0x41, 0, 0x0b}, u(most)))),
		"elements-4g":  module(section(4, []byte{1, 0x70, 0, 1}), section(9, cat(u(1), []byte{0, 0x41, 0, 0x0b}, u(most)))),
		"element-expressions-4g": module(section(4, []byte{1, 0x70, 0, 1}),
			section(9, cat(u(1), []byte{4, 0x41, 0, 0x0b}, u(most)))),
		"import-name-4g": module(section(2, cat(u(1), u(most)))), "export-name-4g": module(section(7, cat(u(1), u(most)))),
		"params-4g":     module(section(1, cat(u(1), []byte{0x60}, u(most)))),
		"br-table-4g":   oneFunc(localsOf(0, cat(okay, []byte{0x0e}, u(most), []byte{0}))),
		"section-twice": module(section(6, u(0)), section(6, u(0))), "custom-4g": cat(header, []byte{0}, u(0xffff_fff0), str("name")),
		"name-bomb":      module(section(0, cat(str("name"), []byte{1}, u(6), u(most)))),
		"nested-200k":    oneFunc(localsOf(0, cat(bytes.Repeat([]byte{0x02, 0x40}, 200_000), bytes.Repeat([]byte{0x0b}, 200_000)))),
		"300k-functions": module(section(1, vec(funcType("", "i"))), section(3, many(300_000, u(0))), section(10, many(300_000, []byte{4, 0, 0x41, 0, 0x0b}))),
		"function-4m":    oneFunc(localsOf(0, bytes.Repeat([]byte{0x41, 1, 0x41, 1, 0x6a, 0x1a}, 700_000))),
		"7-functions-of-1m": module(section(1, vec(funcType("", "i"))), section(3, many(7, u(0))),
			section(10, many(7, localsOf(0, bytes.Repeat([]byte{0x41, 1, 0x1a}, 340_000))))),
		"12-functions-of-1m": module(section(1, vec(funcType("", "i"))), section(3, many(12, u(0))),
			section(10, many(12, localsOf(0, bytes.Repeat([]byte{0x41, 1, 0x1a}, 340_000))))),
		"phi-1k-5k": phi(1000, 5000, 0x03), "phi-20k-20k": phi(20_000, 20_000, 0x03), "phi-9k-2k-ifs": phi(9000, 2000, 0x04),
		"data-20m":         module(section(5, []byte{1, 0, 0xc0, 0x2}), section(11, cat(u(1), []byte{0, 0x41, 0, 0x0b}, u(20<<20), make([]byte, 20<<20)))),
		"unknown-type":     module(section(1, vec(funcType("", "i"))), section(3, vec(u(0), u(7))), section(10, vec(localsOf(0, cat(callf(1), drop)), localsOf(0, nil)))),
		"unknown-function": oneFunc(localsOf(0, cat(callf(9), drop))),
		"import-memory":    module(section(2, vec(cat(str("env"), str("memory"), []byte{2, 0, 1})))),
		"import-unknown":   module(section(1, vec(funcType("", "i"))), section(2, vec(imported("env", "system", 0), imported("env", "fork", 0)))),
		"import-other-form": module(section(1, vec(funcType("", "i"))),
			section(2, vec(imported(envModule, "alloc", 0)))),
		"memory-4g": module(section(5, cat([]byte{1, 0}, u(65_536)))), "memory-64": module(section(5, []byte{1, 4, 1})),
		"memory-shared": module(section(5, []byte{1, 3, 1, 2})), "two-memories": module(section(5, []byte{2, 0, 1, 0, 1})),
		"tail-call":  oneFunc(localsOf(0, []byte{0x12, 0})),
		"table-4g":   module(section(4, cat([]byte{1, 0x70, 0}, u(most)))),
		"no-tools":   oneFunc(localsOf(0, nil)),
		"ends-early": oneFunc(localsOf(0, nil))[:20],
		"wide-type":  module(section(1, vec(cat([]byte{0x60}, many(1000, []byte{0x7f}), u(0))))),
	}
	for id, name := range map[byte]string{1: "type", 2: "import", 3: "function", 4: "table", 6: "global", 7: "export", 9: "element", 10: "code", 11: "data"} {
		set["count-4g-"+name] = module(section(id, u(most)))
		set["count-500m-"+name] = module(section(id, u(1<<29)))
	}
	whole := guestOf("describe", "call", echo()).Wasm()
	set["truncated"] = whole[:len(whole)/2]
	return set
}

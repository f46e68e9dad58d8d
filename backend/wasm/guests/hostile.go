package guests

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"time"
)

// The part of the hostile set that is a sound file: what a module does when it
// runs. Their texts lie at textAt.

const textAt = 8192

// With puts bytes at textAt.
func (g Guest) With(b []byte) Guest {
	data := append(g.data, make([]byte, textAt-len(g.data))...)
	g.data = append(data, b...)
	g.pages = uint64(len(g.data)/65536 + 2)
	return g
}

// Pages gives a guest so much memory from its start on, in pages of 64 KiB.
func (g Guest) Pages(n uint64) Guest {
	g.pages = n
	return g
}

// Saying is a servlet whose call answers with the given bytes.
func Saying(answer string) Guest {
	g := Of("describe", "call", Say(textAt, int64(len(answer))))
	return g.With(append([]byte(answer), make([]byte, 8)...))
}

// Complaining is a servlet whose call ends with an error of that text.
func Complaining(text string) Guest {
	for len(text)%8 != 0 {
		text += " "
	}
	return calling(Block(0, int64(len(text))), Get(0), Call(fError), I32(1)).With([]byte(text))
}

// Describing is a servlet that describes itself so.
func Describing(text string) Guest {
	g := Of("describe", "call", Echo())
	g.exports["describe"] = Say(textAt, int64(len(text)))
	return g.With(append([]byte(text), make([]byte, 8)...))
}

func calling(body ...[]byte) Guest { return Of("describe", "call", Code(3, body...)) }

// Block copies n bytes, a multiple of 8, from textAt into a new block, whose
// offset is in local i.
func Block(i uint64, n int64) []byte {
	return Cat(I64(n), Call(fAlloc), Set(i), I64(0), Set(2),
		Loop(Get(i), Get(2), I64Add, Get(2), []byte{0xa7}, I32(textAt), i32add, load64, Call(fStore64),
			Get(2), I64(8), I64Add, Set(2), Again(Get(2), I64(n), i64lt)))
}

// Hostile is the set by name. Each describes one tool, echo, unless its name
// says that describing is what it does wrong.
func Hostile() map[string]Guest {
	forever := Loop(Again())
	set := map[string]Guest{
		"call-loop":    Of("describe", "call", Spin),
		"trap":         calling(Unreachable),
		"divide":       calling(I32(1), I32(0), []byte{0x6d}, Drop, Okay),
		"exit":         calling(I32(3), Call(Exit), Okay),
		"exit-0":       calling(I32(0), Call(Exit), Okay),
		"recursion":    calling(Call(Own+1), Drop, Okay),
		"memory-grow":  calling(Loop(I32(1000), []byte{0x40, 0}, Drop, Again()), Okay),
		"memory-4g":    calling(I32(65_000), []byte{0x40, 0}, Drop, I32(1<<30), []byte{0x2d, 0, 0}, Drop, Okay),
		"table-grow":   calling([]byte{0xd0, 0x70}, I32(1<<30), []byte{0xfc, 15, 0}, Drop, Okay),
		"random-flood": calling(Loop(I32(0), I32(200_000), Call(fRandom), Drop, Again()), Okay),
		"alloc-bomb":   calling(Loop(I64(1<<20), Call(fAlloc), Drop, Again()), Okay),
		"alloc-small":  calling(Loop(I64(1), Call(fAlloc), Drop, Again()), Okay),
		"alloc-huge":   calling(I64(-1), Call(fAlloc), Drop, Okay),
		"store-oob":    calling(I64(1<<40), I64(1), Call(fStore64), Okay),
		"error-oob":    calling(I64(1<<40), Call(fError), Okay),
		"error-inside": calling(I64(9), Call(fError), Okay),
		"output-oob":   calling(I64(1<<40), I64(1), Call(Output), Okay),
		"output-wraps": calling(I64(-8), I64(16), Call(Output), Okay),
		"output-10m":   calling(I64(10<<20), Call(fAlloc), I64(10<<20), Call(Output), Okay),
		"no-output":    calling(Okay), "code-7": calling(I32(7)),
		"log-flood": calling(Block(0, 64), Loop(Get(0), Call(fLog), Again()), Okay).With(make([]byte, 72)),
		"stdout-flood": calling(Loop(I32(1), I32(textAt), I32(1), I32(16), Call(fWrite), Drop, Again()), Okay).
			With([]byte{0, 0, 0, 0, 0, 0, 2, 0}),
		"variables-full": calling(Block(0, 8), I64(1<<20), Call(fAlloc), Set(1), Get(0), Get(1), Call(VarSet), Okay).With(make([]byte, 16)),
		"invalid-utf8":   Saying("{\"content\":[{\"type\":\"text\",\"text\":\"a\xff\xfeb\"}]}"),
		"answer-escapes": Saying(`{"content":[{"type":"text","text":"\u001b[2J\u0000"}]}`),
		"answer-deep":    Saying(strings.Repeat("[", 60_000)),
		"answer-number":  Saying("7"), "answer-empty": Saying("{}"), "answer-text": Saying("hello"),
		"describe-17":     Describing(`{"tools":[` + strings.TrimSuffix(strings.Repeat(`{"name":"a"},`, 17), ",") + `]}`),
		"describe-twice":  Describing(`{"tools":[{"name":"echo","description":"a","inputSchema":{"type":"object"}},{"name":"echo","description":"b","inputSchema":{"type":"object"}}]}`),
		"describe-schema": Describing(`{"tools":[{"name":"echo","description":"a","inputSchema":true}]}`),
		"describe-none":   Describing(`{"tools":[]}`), "describe-text": Describing("hello"),
	}
	loops := Of("describe", "call", Echo())
	loops.exports["describe"] = Spin
	set["describe-loop"] = loops
	started := Of("describe", "call", Echo())
	started.start = Code(0, forever)
	set["start-loop"] = started
	dead := Of("describe", "call", Echo())
	dead.start = Code(0, Unreachable)
	set["start-trap"] = dead
	init := Of("describe", "call", Echo())
	init.order, init.exports["_initialize"] = append(init.order, "_initialize"), Spin
	set["init-loop"] = init
	set["sleep"] = calling(I32(textAt), I32(textAt+64), I32(1), I32(textAt+128), Call(fPoll), Drop, Okay).With(subscription(20e9))
	set["http"] = Fetching(`{"url":"http://localhost:1/x"}`)
	set["http-file"] = Fetching(`{"url":"file:///etc/passwd"}`)
	set["http-nonsense"] = Fetching(`{"url":7}`)
	maps.Copy(set, withoutLoops())
	return set
}

// withoutLoops run long though no loop is in them: the engine alone never looks
// whether they were ended.
func withoutLoops() map[string]Guest {
	const depth = 60
	tree := calling(Call(Own+3), Okay) // the start function stands between
	for i := range uint64(depth) {
		next := Call(Own + 4 + i)
		tree.helpers = append(tree.helpers, Code(0, next, next))
	}
	tree.helpers = append(tree.helpers, Code(0))
	row := bytes.Repeat(Cat(I32(0), I32(1), I32(255*65536), []byte{0xfc, 11, 0}), 50_000)
	fills := Of("describe", "call", Code(0, row, Okay))
	fills.pages = 255
	randoms := calling(bytes.Repeat(Cat(I32(0), I32(255*65536), Call(fRandom), Drop), 50_000), Okay)
	randoms.pages = 255
	return map[string]Guest{"call-tree": tree, "fill-row": fills, "random-row": randoms}
}

// subscription asks poll_oneoff for one sleep.
func subscription(ns uint64) []byte {
	b := make([]byte, 160)
	b[16] = 1 // the monotonic clock
	binary.LittleEndian.PutUint64(b[24:], ns)
	return b
}

// Fetching requests once and answers with the body.
func Fetching(request string) Guest {
	for len(request)%8 != 0 {
		request += " "
	}
	body := Cat(Block(0, int64(len(request))), Get(0), I64(0), Call(fHTTP), Set(1), Get(1), Get(1), Call(Length), Call(Output), Okay)
	return Of("describe", "call", Code(3, body)).With([]byte(request))
}

// Initialising gives a guest an initialiser with a body.
func (g Guest) Initialising(body []byte) Guest {
	g.order, g.exports = append(slices.Clone(g.order), "_initialize"), maps.Clone(g.exports)
	g.exports["_initialize"] = body
	return g
}

// Sleeping is a body that sleeps. It writes at textAt of the memory.
func Sleeping(d time.Duration) []byte {
	var store []byte
	for at, b := range subscription(uint64(d)) {
		if b != 0 {
			store = Cat(store, I32(textAt+int64(at)), I32(int64(b)), []byte{0x3a, 0, 0}) // i32.store8
		}
	}
	return Code(1, store, I32(textAt), I32(textAt+64), I32(1), I32(textAt+128), Call(fPoll), Drop, Okay)
}

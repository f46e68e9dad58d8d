package wasm

import (
	"bytes"
	"encoding/binary"
	"maps"
	"strings"
)

// The part of the hostile set that is a sound file: what a module does when it
// runs. Their texts lie at textAt.

const textAt = 8192

// with puts bytes at textAt.
func (g guest) with(b []byte) guest {
	data := append(g.data, make([]byte, textAt-len(g.data))...)
	g.data = append(data, b...)
	g.pages = uint64(len(g.data)/65536 + 2)
	return g
}

// saying is a servlet whose call answers with the given bytes.
func saying(answer string) guest {
	g := guestOf("describe", "call", say(textAt, int64(len(answer))))
	return g.with(append([]byte(answer), make([]byte, 8)...))
}

// describing is a servlet that describes itself so.
func describing(text string) guest {
	g := guestOf("describe", "call", echo())
	g.exports["describe"] = say(textAt, int64(len(text)))
	return g.with(append([]byte(text), make([]byte, 8)...))
}

func calling(body ...[]byte) guest { return guestOf("describe", "call", code(3, body...)) }

// block copies n bytes, a multiple of 8, from textAt into a new block, whose
// offset is in local i.
func block(i uint64, n int64) []byte {
	return cat(i64c(n), callf(fAlloc), set(i), i64c(0), set(2),
		loop(get(i), get(2), i64add, get(2), []byte{0xa7}, i32c(textAt), i32add, load64, callf(fStore64),
			get(2), i64c(8), i64add, set(2), again(get(2), i64c(n), i64lt)))
}

func hostileGuests() map[string]guest {
	forever := loop(again())
	set := map[string]guest{
		"call-loop":    guestOf("describe", "call", spin),
		"trap":         calling(unreachable),
		"divide":       calling(i32c(1), i32c(0), []byte{0x6d}, drop, okay),
		"exit":         calling(i32c(3), callf(fExit), okay),
		"exit-0":       calling(i32c(0), callf(fExit), okay),
		"recursion":    calling(callf(fOwn+1), drop, okay),
		"memory-grow":  calling(loop(i32c(1000), []byte{0x40, 0}, drop, again()), okay),
		"memory-4g":    calling(i32c(65_000), []byte{0x40, 0}, drop, i32c(1<<30), []byte{0x2d, 0, 0}, drop, okay),
		"table-grow":   calling([]byte{0xd0, 0x70}, i32c(1<<30), []byte{0xfc, 15, 0}, drop, okay),
		"random-flood": calling(loop(i32c(0), i32c(200_000), callf(fRandom), drop, again()), okay),
		"alloc-bomb":   calling(loop(i64c(1<<20), callf(fAlloc), drop, again()), okay),
		"alloc-small":  calling(loop(i64c(1), callf(fAlloc), drop, again()), okay),
		"alloc-huge":   calling(i64c(-1), callf(fAlloc), drop, okay),
		"store-oob":    calling(i64c(1<<40), i64c(1), callf(fStore64), okay),
		"error-oob":    calling(i64c(1<<40), callf(fError), okay),
		"error-inside": calling(i64c(9), callf(fError), okay),
		"output-oob":   calling(i64c(1<<40), i64c(1), callf(fOutput), okay),
		"output-wraps": calling(i64c(-8), i64c(16), callf(fOutput), okay),
		"output-10m":   calling(i64c(10<<20), callf(fAlloc), i64c(10<<20), callf(fOutput), okay),
		"no-output":    calling(okay), "code-7": calling(i32c(7)),
		"log-flood": calling(block(0, 64), loop(get(0), callf(fLog), again()), okay).with(make([]byte, 72)),
		"stdout-flood": calling(loop(i32c(1), i32c(textAt), i32c(1), i32c(16), callf(fWrite), drop, again()), okay).
			with([]byte{0, 0, 0, 0, 0, 0, 2, 0}),
		"variables-full": calling(block(0, 8), i64c(1<<20), callf(fAlloc), set(1), get(0), get(1), callf(fVarSet), okay).with(make([]byte, 16)),
		"invalid-utf8":   saying("{\"content\":[{\"type\":\"text\",\"text\":\"a\xff\xfeb\"}]}"),
		"answer-escapes": saying(`{"content":[{"type":"text","text":"\u001b[2J\u0000"}]}`),
		"answer-deep":    saying(strings.Repeat("[", 60_000)),
		"answer-number":  saying("7"), "answer-empty": saying("{}"), "answer-text": saying("hello"),
		"describe-17":     describing(`{"tools":[` + strings.TrimSuffix(strings.Repeat(`{"name":"a"},`, 17), ",") + `]}`),
		"describe-twice":  describing(`{"tools":[{"name":"echo","description":"a","inputSchema":{"type":"object"}},{"name":"echo","description":"b","inputSchema":{"type":"object"}}]}`),
		"describe-schema": describing(`{"tools":[{"name":"echo","description":"a","inputSchema":true}]}`),
		"describe-none":   describing(`{"tools":[]}`), "describe-text": describing("hello"),
	}
	loops := guestOf("describe", "call", echo())
	loops.exports["describe"] = spin
	set["describe-loop"] = loops
	started := guestOf("describe", "call", echo())
	started.start = code(0, forever)
	set["start-loop"] = started
	dead := guestOf("describe", "call", echo())
	dead.start = code(0, unreachable)
	set["start-trap"] = dead
	init := guestOf("describe", "call", echo())
	init.order, init.exports["_initialize"] = append(init.order, "_initialize"), spin
	set["init-loop"] = init
	set["sleep"] = calling(i32c(textAt), i32c(textAt+64), i32c(1), i32c(textAt+128), callf(fPoll), drop, okay).with(subscription(20e9))
	set["http"] = fetching(`{"url":"http://localhost:1/x"}`)
	set["http-file"] = fetching(`{"url":"file:///etc/passwd"}`)
	set["http-nonsense"] = fetching(`{"url":7}`)
	maps.Copy(set, withoutLoops())
	return set
}

// withoutLoops run long though no loop is in them: the engine alone never looks
// whether they were ended.
func withoutLoops() map[string]guest {
	const depth = 60
	tree := calling(callf(fOwn+3), okay) // the start function stands between
	for i := range uint64(depth) {
		next := callf(fOwn + 4 + i)
		tree.helpers = append(tree.helpers, code(0, next, next))
	}
	tree.helpers = append(tree.helpers, code(0))
	row := bytes.Repeat(cat(i32c(0), i32c(1), i32c(255*65536), []byte{0xfc, 11, 0}), 50_000)
	fills := guestOf("describe", "call", code(0, row, okay))
	fills.pages = 255
	randoms := calling(bytes.Repeat(cat(i32c(0), i32c(255*65536), callf(fRandom), drop), 50_000), okay)
	randoms.pages = 255
	return map[string]guest{"call-tree": tree, "fill-row": fills, "random-row": randoms}
}

// subscription asks poll_oneoff for one sleep.
func subscription(ns uint64) []byte {
	b := make([]byte, 160)
	b[16] = 1 // the monotonic clock
	binary.LittleEndian.PutUint64(b[24:], ns)
	return b
}

// fetching requests once and answers with the body.
func fetching(request string) guest {
	for len(request)%8 != 0 {
		request += " "
	}
	body := cat(block(0, int64(len(request))), get(0), i64c(0), callf(fHTTP), set(1), get(1), get(1), callf(fLength), callf(fOutput), okay)
	return guestOf("describe", "call", code(3, body)).with([]byte(request))
}

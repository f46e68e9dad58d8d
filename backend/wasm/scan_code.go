package wasm

import "slices"

const (
	opBlock, opLoop, opIf, opElse, opEnd      = 0x02, 0x03, 0x04, 0x05, 0x0b
	opBr, opBrIf, opBrTable                   = 0x0c, 0x0d, 0x0e
	opCall, opCallIndirect                    = 0x10, 0x11
	opSelectTyped                             = 0x1c
	opGlobalGet                               = 0x23
	opI32Const, opI64Const                    = 0x41, 0x42
	opF32Const, opF64Const                    = 0x43, 0x44
	opRefNull, opRefFunc                      = 0xd0, 0xd2
	opMisc, opVector                          = 0xfc, 0xfd
	miscFirstBulk, miscLast                   = 8, 17
	blockEmpty                           byte = 0x40
)

// stopPoint is "loop end": the engine looks there whether the call was ended.
var stopPoint = []byte{opLoop, blockEmpty, opEnd}

// body is the walk over one function.
type body struct {
	*reader
	s      *scanner
	stops  []int // where stop points belong, in order
	depth  int
	loops  int
	locals int
	calls  bool // of a function of the module itself, or of one that is not known
	always bool // still on the way that every run takes
	looped bool // a loop stands on that way: the engine looks there anyway
}

func (s *scanner) codeSection(r *reader) (out []byte, bodies int) {
	n := r.count("function bodies", maxFuncs)
	if n > len(s.sigs)-s.imported {
		r.fail("%d function bodies for %d functions", n, len(s.sigs)-s.imported)
		return nil, 0
	}
	out = appendU32(make([]byte, 0, len(r.b)+len(r.b)/16), uint32(n))
	for i := range n {
		size := r.u32()
		if size > maxBody {
			r.fail("function %d has %d bytes, at most %d are allowed", i, size, maxBody)
		}
		b := &body{reader: &reader{b: r.bytes(size)}, s: s}
		if r.err != nil {
			return nil, 0
		}
		b.walk()
		if b.err != nil {
			r.fail("function %d: %w", i, b.err)
			return nil, 0
		}
		out = appendU32(out, size+uint32(len(b.stops)*len(stopPoint)))
		out = b.appendTo(out)
	}
	return out, n
}

func (b *body) walk() {
	b.readLocals()
	start := b.at
	b.depth, b.always = 1, true
	for b.depth > 0 && b.err == nil {
		b.instruction()
	}
	if b.err == nil && b.left() > 0 {
		b.fail("bytes after its end")
	}
	if b.calls && !b.looped { // a leaf ends by itself
		b.stops = slices.Insert(b.stops, 0, start)
	}
	cost := (b.locals + 1) * b.loops
	b.s.loopCost += cost
	if cost > maxLoopCost || b.s.loopCost > maxLoopTotal {
		b.fail("%d locals and %d loops are too much together", b.locals, b.loops)
	}
}

func (b *body) readLocals() {
	for range b.count("groups of locals", maxLocals) {
		n := b.u32()
		valueType(b.reader)
		if int64(n) > int64(maxLocals-b.locals) {
			b.fail("more than %d locals", maxLocals)
		}
		if b.err != nil {
			return
		}
		b.locals += int(n)
	}
	b.spend(b.locals)
}

// spend counts what the interpreter makes of this body.
func (b *body) spend(n int) {
	b.s.cost += n
	if b.s.cost > maxCost {
		b.fail("its code is too large")
	}
}

// stop puts a stop point before the instruction that starts at the given byte.
func (b *body) stop(at int) { b.stops = append(b.stops, at) }

// appendTo writes the body with its stop points.
func (b *body) appendTo(out []byte) []byte {
	copied := 0
	for _, at := range b.stops {
		out = append(append(out, b.b[copied:at]...), stopPoint...)
		copied = at
	}
	return append(out, b.b[copied:]...)
}

func (b *body) instruction() {
	start := b.at
	op := b.u8()
	b.spend(1)
	switch {
	case op == opBlock || op == opLoop || op == opIf:
		b.block(op)
	case op == opEnd:
		b.depth--
	case op == opBr || op == opBrIf:
		b.always = false
		b.u32()
	case op == opBrTable:
		b.always = false
		n := b.count("br_table targets", maxTargets)
		b.spend(n)
		for range n + 1 {
			b.u32()
		}
	case op == opCall:
		b.call(start)
	case op == opCallIndirect:
		b.calls = true
		if b.s.hostInTable {
			b.stop(start)
		}
		b.spend(b.s.arityOf(b.s.typeIndex(b.reader)))
		b.u32()
	case op == opSelectTyped:
		for range b.count("select types", maxBlockArity) {
			valueType(b.reader)
		}
	case op == opMisc:
		b.misc(start)
	case op == opVector:
		b.vector()
	default:
		b.plain(op)
	}
}

// plain walks the instructions without a rule of their own.
func (b *body) plain(op byte) {
	switch {
	case op == 0x00, op == 0x0f: // unreachable, return
		b.always = false
	case op == 0x01, op == opElse, op == 0x1a, op == 0x1b, op >= 0x45 && op <= 0xc4, op == 0xd1:
	case op >= 0x20 && op <= 0x26: // locals, globals, tables
		b.u32()
	case op == opRefFunc:
		if i := b.u32(); int64(i) < int64(b.s.imported) && !b.s.hostInTable {
			b.fail("a reference to a function of the host that is not declared")
		}
	case op >= 0x28 && op <= 0x3e: // loads and stores
		b.memarg()
	case op == 0x3f || op == 0x40: // memory.size, memory.grow
		b.skip(1)
	case op == opI32Const:
		b.signed(32)
	case op == opI64Const:
		b.signed(64)
	case op == opF32Const:
		b.skip(4)
	case op == opF64Const:
		b.skip(8)
	case op == opRefNull:
		b.signed(33)
	default:
		b.fail("instruction %#x is not supported", op)
	}
}

func (b *body) block(op byte) {
	b.depth++
	if b.depth > maxNesting {
		b.fail("blocks more than %d deep", maxNesting)
	}
	if op == opLoop {
		b.loops++
		b.looped = b.looped || b.always
	}
	if op == opIf {
		b.always = false
	}
	if b.left() > 0 && b.b[b.at]&0xc0 == 0x40 { // one byte, negative: empty or a value type
		if b.b[b.at] == blockEmpty {
			b.skip(1)
			return
		}
		valueType(b.reader)
		return
	}
	n := b.s.arityOf(b.s.typeIndex(b.reader))
	if n > maxBlockArity {
		b.fail("a block with %d parameters and results, at most %d are allowed", n, maxBlockArity)
	}
	b.spend(n)
}

func (b *body) call(start int) {
	i := b.u32()
	if b.err == nil && int64(i) >= int64(len(b.s.sigs)) {
		b.fail("function %d is not there", i)
	}
	if b.err != nil {
		return
	}
	if int(i) < b.s.imported {
		b.stop(start)
	} else {
		b.calls = true
	}
	b.spend(b.s.arityOf(b.s.sigs[i]))
}

func (b *body) memarg() {
	if align := b.u32(); align > 4 {
		b.fail("alignment %d is not supported", align)
	}
	b.u32()
}

// misc walks the instructions behind 0xfc. The bulk ones move up to the whole
// memory each.
func (b *body) misc(start int) {
	sub := b.u32()
	if sub >= miscFirstBulk && sub <= miscLast {
		b.stop(start)
	}
	switch sub {
	case 0, 1, 2, 3, 4, 5, 6, 7: // saturating truncations
	case 8, 10, 12, 14: // memory.init, memory.copy, table.init, table.copy
		b.u32()
		b.u32()
	case 9, 11, 13, 15, 16, 17: // data.drop, memory.fill, elem.drop, table.grow, size, fill
		b.u32()
	default:
		b.fail("instruction 0xfc %d is not supported", sub)
	}
}

func (b *body) vector() {
	sub := b.u32()
	switch {
	case sub > 0xff:
		b.fail("vector instruction %d is not supported", sub)
	case sub <= 11 || sub == 92 || sub == 93:
		b.memarg()
	case sub == 12 || sub == 13:
		b.skip(16)
	case sub >= 21 && sub <= 34:
		b.skip(1)
	case sub >= 84 && sub <= 91:
		b.memarg()
		b.skip(1)
	}
}

func (s *scanner) arityOf(t int) int {
	if t >= len(s.arity) {
		return 0
	}
	return s.arity[t]
}

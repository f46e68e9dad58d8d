package wasm

import (
	"errors"
	"fmt"
)

// ErrModule is wrapped by every refusal of a module before it runs.
var ErrModule = errors.New("the module cannot be used")

const (
	secCustom, secType, secImport, secFunc, secTable, secMemory = 0, 1, 2, 3, 4, 5
	secGlobal, secExport, secStart, secElement, secCode         = 6, 7, 8, 9, 10
	secData, secDataCount                                       = 11, 12
)

// rank is the order in which sections stand; each at most once.
var rank = map[byte]int{
	secType: 1, secImport: 2, secFunc: 3, secTable: 4, secMemory: 5, secGlobal: 6, secExport: 7,
	secStart: 8, secElement: 9, secDataCount: 10, secCode: 11, secData: 12,
}

// scanner is one walk over a module.
type scanner struct {
	out      []byte
	arity    []int // parameters and results of each type
	sigs     []int // type of each function, imported ones first
	imported int
	elements int
	cost     int
	loopCost int
	// hostInTable says that an indirect call can reach the host: one of its
	// functions is in a segment, a constant or an export.
	hostInTable bool
}

// Scan looks through every section and instruction of a module and returns the
// form that the engine may see. It checks every claimed count before anything is
// allocated by it, every type index, and bounds what compiling costs. What it
// returns behaves as the module does, with these changes:
//
//   - custom sections are gone (names and DWARF; a name bomb is one);
//   - every table has a maximum, so that table.grow cannot exhaust the host;
//   - an empty loop stands at the start of every function that calls another and
//     does not begin with a loop, before every call that may reach the host and
//     before every bulk operation. The engine looks for the end of a call at loops
//     only: without them a tree of calls, or a row of memory.fill, runs past every
//     deadline.
//
// The error wraps ErrModule. Scan never panics.
func Scan(wasm []byte) ([]byte, error) {
	s := &scanner{}
	if err := s.module(wasm); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModule, err)
	}
	return s.out, nil
}

// header tells what a file is.
func header(wasm []byte) error {
	switch {
	case len(wasm) < 8 || string(wasm[:4]) != "\x00asm":
		return errors.New("it is not a WebAssembly module")
	case wasm[6] == 1 && wasm[7] == 0:
		return errors.New("it is a WebAssembly component; this app runs core modules with the Extism convention, which component tools do not make")
	case string(wasm[4:8]) != "\x01\x00\x00\x00":
		return errors.New("its WebAssembly version is not supported")
	}
	return nil
}

func (s *scanner) module(wasm []byte) error {
	if err := header(wasm); err != nil {
		return err
	}
	s.out = append(make([]byte, 0, len(wasm)+len(wasm)/16), wasm[:8]...)
	r := &reader{b: wasm, at: 8}
	last, bodies := 0, 0
	for r.left() > 0 {
		id := r.u8()
		size := r.u32()
		if r.err == nil && int64(size) > int64(r.left()) {
			r.fail("section %d claims %d bytes with %d left", id, size, r.left())
		}
		body := r.bytes(size)
		if r.err != nil {
			return r.err
		}
		if id == secCustom {
			continue
		}
		if rank[id] == 0 {
			return fmt.Errorf("section %d is not supported", id)
		}
		if rank[id] <= last {
			return fmt.Errorf("section %d stands twice or out of order", id)
		}
		last = rank[id]
		kept, n, err := s.section(id, body)
		if err != nil {
			return err
		}
		bodies += n
		s.out = append(s.out, id)
		s.out = appendU32(s.out, uint32(len(kept)))
		s.out = append(s.out, kept...)
	}
	if own := len(s.sigs) - s.imported; own != bodies {
		return fmt.Errorf("%d functions are declared and %d have a body", own, bodies)
	}
	return r.err
}

// section checks one section and returns its bytes as the engine gets them;
// bodies is the number of function bodies in it.
func (s *scanner) section(id byte, body []byte) (kept []byte, bodies int, err error) {
	r := &reader{b: body}
	kept = body
	switch id {
	case secType:
		s.typeSection(r)
	case secImport:
		s.importSection(r)
	case secFunc:
		s.funcSection(r)
	case secTable:
		kept = s.tableSection(r)
	case secMemory:
		memorySection(r)
	case secGlobal:
		for range r.count("globals", maxGlobals) {
			r.skip(2)
			s.constExpr(r)
		}
	case secExport:
		for range r.count("exports", maxExports) {
			r.name()
			if kind := r.u8(); kind == 0 {
				s.refer(r)
			} else {
				r.u32()
			}
		}
	case secStart, secDataCount:
		r.u32()
	case secElement:
		s.elementSection(r)
	case secCode:
		kept, bodies = s.codeSection(r)
	case secData:
		s.dataSection(r)
	}
	if r.err == nil && r.left() > 0 {
		r.fail("%d bytes after the end of section %d", r.left(), id)
	}
	return kept, bodies, r.err
}

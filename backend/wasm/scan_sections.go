package wasm

const (
	funcForm           = 0x60
	funcRef, externRef = 0x70, 0x6f
)

// valueType reads one of the types of WebAssembly 2.
func valueType(r *reader) {
	switch t := r.u8(); t {
	case 0x7f, 0x7e, 0x7d, 0x7c, 0x7b, funcRef, externRef:
	default:
		r.fail("value type %#x is not supported", t)
	}
}

func (s *scanner) typeSection(r *reader) {
	for range r.count("types", maxTypes) {
		if form := r.u8(); form != funcForm {
			r.fail("type form %#x is not a function", form)
		}
		n := 0
		for _, most := range []int{maxParams, maxResults} {
			k := r.count("parameters or results", most)
			for range k {
				valueType(r)
			}
			n += k
		}
		if r.err != nil {
			return
		}
		s.arity = append(s.arity, n)
	}
}

// typeIndex reads an index that has to be known: the engine panics while it
// compiles a call of a function whose type is not.
func (s *scanner) typeIndex(r *reader) int {
	i := r.u32()
	if r.err == nil && int64(i) >= int64(len(s.arity)) {
		r.fail("type %d is not there", i)
	}
	if r.err != nil {
		return 0
	}
	return int(i)
}

func (s *scanner) importSection(r *reader) {
	for range r.count("imports", maxImports) {
		module, name := r.name(), r.name()
		if kind := r.u8(); kind != 0 {
			r.fail("the import %.60q %.60q is not a function", module, name)
		}
		t := s.typeIndex(r)
		if r.err != nil {
			return
		}
		s.sigs = append(s.sigs, t)
		s.imported++
	}
}

func (s *scanner) funcSection(r *reader) {
	for range r.count("functions", maxFuncs) {
		t := s.typeIndex(r)
		if r.err != nil {
			return
		}
		s.sigs = append(s.sigs, t)
	}
}

// tableSection returns the section with a maximum in every table.
func (s *scanner) tableSection(r *reader) []byte {
	n := r.count("tables", maxTables)
	out := appendU32(nil, uint32(n))
	for range n {
		kind, flags, low := r.u8(), r.u8(), r.u32()
		high := uint32(maxTable)
		if flags == 1 {
			high = min(r.u32(), maxTable)
		}
		switch {
		case r.err != nil:
			return nil
		case kind != funcRef && kind != externRef || flags > 1:
			r.fail("a table of kind %#x with flags %#x is not supported", kind, flags)
			return nil
		case low > maxTable:
			r.fail("a table of %d entries, at most %d are allowed", low, maxTable)
			return nil
		}
		out = append(out, kind, 1)
		out = appendU32(out, low)
		out = appendU32(out, max(low, high))
	}
	return out
}

func memorySection(r *reader) {
	for range r.count("memories", 1) {
		flags := r.u8()
		if flags > 1 {
			r.fail("memory with flags %#x is not supported", flags)
		}
		r.u32()
		if flags == 1 {
			r.u32()
		}
	}
}

// refer reads the index of a function that can then be called indirectly.
func (s *scanner) refer(r *reader) {
	if i := r.u32(); r.err == nil && int64(i) < int64(s.imported) {
		s.hostInTable = true
	}
}

// constExpr walks an initialiser.
func (s *scanner) constExpr(r *reader) {
	for range maxConst {
		switch op := r.u8(); op {
		case opEnd:
			return
		case opI32Const:
			r.signed(32)
		case opI64Const:
			r.signed(64)
		case opF32Const:
			r.skip(4)
		case opF64Const:
			r.skip(8)
		case opGlobalGet:
			r.u32()
		case opRefFunc:
			s.refer(r)
		case opRefNull:
			r.signed(33)
		case opVector:
			if sub := r.u32(); sub != 12 {
				r.fail("vector instruction %d in a constant", sub)
			}
			r.skip(16)
		default:
			r.fail("instruction %#x in a constant", op)
		}
		if r.err != nil {
			return
		}
	}
	r.fail("a constant is made of more than %d instructions", maxConst)
}

func (s *scanner) elementSection(r *reader) {
	for range r.count("element segments", maxSegments) {
		flags := r.u32()
		if flags > 7 {
			r.fail("element segment with flags %d is not supported", flags)
		}
		if flags&1 == 0 { // active
			if flags&2 != 0 {
				r.u32()
			}
			s.constExpr(r)
		}
		if flags&3 != 0 {
			r.u8() // kind or type; the engine checks which
		}
		n := r.count("table elements", maxTable)
		s.elements += n
		if s.elements > maxElements {
			r.fail("more than %d table elements", maxElements)
		}
		for range n {
			if flags >= 4 {
				s.constExpr(r)
			} else {
				s.refer(r)
			}
			if r.err != nil {
				return
			}
		}
		if r.err != nil {
			return
		}
	}
}

func (s *scanner) dataSection(r *reader) {
	for range r.count("data segments", maxDatas) {
		flags := r.u32()
		if flags > 2 {
			r.fail("data segment with flags %d is not supported", flags)
		}
		if flags == 2 {
			r.u32()
		}
		if flags != 1 {
			s.constExpr(r)
		}
		r.name() // a length and that many bytes
		if r.err != nil {
			return
		}
	}
}

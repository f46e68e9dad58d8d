package wasm

import "encoding/binary"

// kernel is the Extism memory of one call, which is not the module's own: a
// module copies through it what it takes in and gives out. Offset 0 is no block.
// A bad use by the module ends its call.
type kernel struct {
	mem             []byte
	blocks          map[uint64]uint64 // offset to length of every live block
	inAt, inLen     uint64
	outAt, outLen   uint64
	errAt           uint64
	httpStatus      int
	httpHeaders     uint64
	requests, lines int
}

const kernelStart = 8

func newKernel(input []byte) *kernel {
	k := &kernel{mem: make([]byte, kernelStart, kernelStart+len(input)+1024), blocks: map[uint64]uint64{}}
	k.inAt, k.inLen = k.put(input), uint64(len(input))
	return k
}

// alloc returns a zeroed block. Blocks are laid out one after the other; a freed
// one is used again only when it is the last.
func (k *kernel) alloc(n uint64) uint64 {
	if n == 0 {
		return 0
	}
	at := (uint64(len(k.mem)) + 7) &^ 7
	if n > maxKernel || at+n > maxKernel || len(k.blocks) >= maxBlocks {
		refuse("it used more than the %d MiB that one call may hand over", maxKernel>>20)
	}
	k.mem = append(k.mem, make([]byte, at+n-uint64(len(k.mem)))...)
	k.blocks[at] = n
	return at
}

func (k *kernel) free(at uint64) {
	n, ok := k.blocks[at]
	if !ok {
		return
	}
	delete(k.blocks, at)
	if at+n == uint64(len(k.mem)) {
		k.mem = k.mem[:at]
	}
}

// put copies bytes into a new block.
func (k *kernel) put(b []byte) uint64 {
	at := k.alloc(uint64(len(b)))
	copy(k.mem[at:], b)
	return at
}

// span returns a part of the memory itself, nil and false when it is not there.
func (k *kernel) span(at, n uint64) ([]byte, bool) {
	if at+n < at || at+n > uint64(len(k.mem)) {
		return nil, false
	}
	return k.mem[at : at+n], true
}

// at is span for host functions.
func (k *kernel) at(at, n uint64) []byte {
	b, ok := k.span(at, n)
	if !ok {
		refuse("it reached outside of the memory it shares with the app")
	}
	return b
}

// block returns a whole block; none at offset 0.
func (k *kernel) block(at uint64) []byte {
	if at == 0 {
		return nil
	}
	n, ok := k.blocks[at]
	if !ok {
		refuse("it named a block of memory that is not there")
	}
	return k.at(at, n)
}

// input returns n bytes of the input from an offset, nil past its end.
func (k *kernel) input(from, n uint64) []byte {
	if from+n < from || from+n > k.inLen {
		return nil
	}
	b, _ := k.span(k.inAt+from, n)
	return b
}

func (k *kernel) loadInput8(from uint64) uint64 {
	if b := k.input(from, 1); b != nil {
		return uint64(b[0])
	}
	return 0
}

func (k *kernel) loadInput64(from uint64) uint64 {
	if b := k.input(from, 8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

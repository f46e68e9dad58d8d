package tokens

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// recentBits sizes the memory of pieces: 16384 places, 256 KiB.
const recentBits = 14

// scratch is what one count works with. Between counts it is in the pool of its
// vocabulary, until the garbage collector takes it.
type scratch struct {
	merger pieceMerger
	recent [1 << recentBits]recent
}

// recent is a piece of up to 15 bytes and its count, complete in two words:
// tool definitions repeat few short pieces, and to compare them costs a tenth
// of merging them. The bytes are in low and then high, whose upper byte has
// their number and the count, four bits each. No piece is all zeros.
type recent struct{ low, high uint64 }

const recentLongest = 15

// count returns the number of tokens of any bytes. s is not written to.
func (v *vocabulary) count(s []byte) (total int) {
	if !utf8.Valid(s) {
		s = replaceInvalid(s)
	}
	w, _ := v.scratch.Get().(*scratch)
	if w == nil {
		w = new(scratch)
	}
	defer v.scratch.Put(w)
	for i := 0; i < len(s); {
		end := v.next(s, i)
		if end-i <= recentLongest && i+16 <= len(s) {
			total += w.short(v, s[i:i+16], end-i)
		} else {
			total += w.piece(v, s[i:end])
		}
		i = end
	}
	return total
}

// short counts the piece of the first n of the 16 bytes of s.
func (w *scratch) short(v *vocabulary, s []byte, n int) int {
	const k0, k1 = 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93 // odd, bits well mixed
	low := binary.LittleEndian.Uint64(s) & (1<<(8*n) - 1)
	high := uint64(n) << 56
	if n > 8 {
		high |= binary.LittleEndian.Uint64(s[8:]) & (1<<(8*n-64) - 1)
	}
	r := &w.recent[(low^bits.RotateLeft64(high*k1, 32))*k0>>(64-recentBits)]
	if r.low != low || r.high&(1<<60-1) != high {
		r.low, r.high = low, high|uint64(w.piece(v, s[:n]))<<60
	}
	return int(r.high >> 60)
}

// piece counts one piece by merging it.
func (w *scratch) piece(v *vocabulary, piece []byte) int {
	if len(piece) <= small {
		return w.merger.count(v, piece)
	}
	return v.countGiant(piece)
}

package tokens

import "sync"

// A giant piece is merged in windows, so that the time for a byte and the
// memory do not grow with it. Where a window ends inside the piece its last
// tokens may be wrong, as they lack what follows. So the next window begins at
// a token some way before that end, and has to begin with the very token that
// was found there; then any two neighbours stand together in one window.
//
// That makes the sequence the one of the whole piece. If a merge crossed a
// border between two of its tokens, take the first that does: nothing has
// crossed the outer ends of the two yet, so it would happen as well if the two
// were merged alone or in their window. Windows that do not agree are given
// up for ones of double the size, the last of which is the whole piece.
const (
	windowSize = 2048
	overlap    = 2 * longest
)

var windows = sync.Pool{New: func() any { return new(window) }}

// countGiant returns the number of tokens of a piece of any length.
func (v *vocabulary) countGiant(piece []byte) int {
	w := windows.Get().(*window)
	defer windows.Put(w)
	for size := windowSize; ; size *= 2 {
		if n, agree := w.countBy(v, piece, size, overlap); agree {
			return n
		}
	}
}

// countBy counts in windows of one size, which is more than overlap and the
// longest token.
func (w *window) countBy(v *vocabulary, piece []byte, size, overlap int) (total int, agree bool) {
	for first := none; ; {
		end := min(size, len(piece))
		n := w.merge(v, piece[:end])
		if first != none && w.id[0] != first {
			return 0, false
		}
		if end == len(piece) {
			return total + n, true
		}
		at := int32(0)
		for int(w.next[at]) <= end-overlap {
			at = w.next[at]
			total++
		}
		piece, first = piece[at:], w.id[at]
	}
}

// window is the memory for the parts of one. It belongs to the pool.
type window struct {
	id   []uint32 // the token that begins at this byte, if a part does
	join []uint32 // what it makes with the next part, or none
	next []int32  // where the next part begins
	prev []int32  // where the part before begins; -1 before the first
	heap rankHeap // the pairs by rank, then place; also some that are gone
}

// merge does what pieceMerger.count does, with a heap in place of the scan.
func (w *window) merge(v *vocabulary, piece []byte) (tokens int) {
	w.fill(v, piece)
	tokens = len(piece)
	end := int32(tokens)
	for len(w.heap) > 0 {
		joined, at := w.heap.pop()
		if w.join[at] != joined {
			continue // one of its parts has been merged since
		}
		gone := w.next[at]
		next := w.next[gone]
		w.join[gone] = none
		w.next[at] = next
		w.id[at] = joined
		tokens--
		w.join[at] = none
		if next < end {
			w.prev[next] = at
			w.pair(v, at, next)
		}
		if before := w.prev[at]; before >= 0 {
			w.pair(v, before, at)
		}
	}
	return tokens
}

func (w *window) pair(v *vocabulary, left, right int32) {
	joined := v.join(w.id[left], w.id[right])
	w.join[left] = joined
	if joined != none {
		w.heap.push(joined, left)
	}
}

// fill makes each byte a part.
func (w *window) fill(v *vocabulary, piece []byte) {
	n := len(piece)
	if cap(w.id) < n {
		w.id, w.join = make([]uint32, n), make([]uint32, n)
		w.next, w.prev = make([]int32, n), make([]int32, n)
	}
	w.id, w.join, w.next, w.prev = w.id[:n], w.join[:n], w.next[:n], w.prev[:n]
	w.heap = w.heap[:0]
	for i, b := range piece {
		w.id[i], w.join[i], w.next[i], w.prev[i] = v.single[b], none, int32(i+1), int32(i-1)
		if i+1 == n {
			break
		}
		if joined := v.double[int(b)<<8|int(piece[i+1])]; joined != none {
			w.join[i] = joined
			w.heap = append(w.heap, entry(joined, int32(i)))
		}
	}
	for i := len(w.heap)/2 - 1; i >= 0; i-- {
		w.heap.down(i)
	}
}

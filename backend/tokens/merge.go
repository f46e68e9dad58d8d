package tokens

// small is the longest piece that is merged by scanning all of it for the
// lowest rank. Longer ones go through a heap.
const small = 64

// pieceMerger has the parts of one small piece: for each its token in the upper
// half and in the lower what it makes with the next part, or none.
type pieceMerger [small + 1]uint64

// count returns the number of tokens of a piece of one to small bytes.
//
// Byte pair encoding: of all adjacent pairs that are a token, the one of the
// lowest rank is merged, the leftmost if there are several, until there is none.
func (m *pieceMerger) count(v *vocabulary, piece []byte) int {
	n := len(piece) - 1 // the last part has no next one
	for i := range n {
		m[i] = part(v.single[piece[i]], v.double[int(piece[i])<<8|int(piece[i+1])])
	}
	m[n] = part(v.single[piece[n]], none)
	for {
		lowest := uint64(none) << 6
		for i, p := range m[:n] {
			lowest = min(lowest, p<<32>>26|uint64(i)) // rank, then place: no branch
		}
		joined, at := uint32(lowest>>6), int(lowest%small)
		if joined == none {
			return n + 1
		}
		copy(m[at+1:n], m[at+2:n+1])
		n--

		next := none
		if at < n {
			next = v.join(joined, uint32(m[at+1]>>32))
		}
		m[at] = part(joined, next)
		if at > 0 {
			before := uint32(m[at-1] >> 32)
			m[at-1] = part(before, v.join(before, joined))
		}
	}
}

func part(token, joined uint32) uint64 { return uint64(token)<<32 | uint64(joined) }

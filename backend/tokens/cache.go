package tokens

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"sync"
)

// The cache holds at most cacheSets*cacheWays counts. It keeps digests, no
// content, in one array: some 150 KiB whatever the texts, and no allocation.
const (
	cacheSets = 512
	cacheWays = 8
)

type key = [sha256.Size]byte

func keyOf(text []byte) key { return sha256.Sum256(text) }

// cache remembers counts by content. A digest belongs to one set of a few
// entries, the last used first; a new one takes the place of the last. The zero
// value is ready for use.
type cache struct {
	mu   sync.Mutex
	sets [cacheSets][cacheWays]cached
}

type cached struct {
	key  key
	used bool
	n    int32
}

func (c *cache) set(k key) *[cacheWays]cached {
	return &c.sets[binary.LittleEndian.Uint64(k[:])%cacheSets]
}

func (c *cache) get(k key) (n int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	set := c.set(k)
	for i := range set {
		if found := set[i]; found.used && found.key == k {
			copy(set[1:i+1], set[:i])
			set[0] = found
			return int(found.n), true
		}
	}
	return 0, false
}

func (c *cache) put(k key, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	set := c.set(k)
	if slices.ContainsFunc(set[:], func(e cached) bool { return e.used && e.key == k }) {
		return // counted by two at the same time
	}
	copy(set[1:], set[:])
	set[0] = cached{k, true, int32(n)}
}

package tokens

import (
	"crypto/sha256"
	"sync"
)

// cacheEntries bounds the cache. Content is not kept, only its digest and
// count, so this also bounds its bytes: some 300 KiB.
const cacheEntries = 4096

type key = [sha256.Size]byte

func keyOf(text string) key { return sha256.Sum256([]byte(text)) }

// cache remembers counts by content in two generations: when the young one is
// full, it becomes the old one and what was old is forgotten. What is still
// asked for moves to the young one. The zero value is ready for use.
type cache struct {
	mu         sync.Mutex
	young, old map[key]int
}

func (c *cache) get(k key) (int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, ok := c.young[k]
	if ok {
		return n, true
	}
	if n, ok = c.old[k]; ok {
		c.add(k, n)
	}
	return n, ok
}

func (c *cache) put(k key, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(k, n)
}

func (c *cache) add(k key, n int) {
	if len(c.young) >= cacheEntries/2 {
		c.young, c.old = nil, c.young
	}
	if c.young == nil {
		c.young = make(map[key]int)
	}
	c.young[k] = n
}

func (c *cache) len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.young) + len(c.old)
}

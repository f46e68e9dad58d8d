package tokens

import (
	"strconv"
	"sync"
	"testing"
	"unsafe"
)

func (c *cache) len() (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.sets {
		for _, e := range c.sets[i] {
			if e.used {
				n++
			}
		}
	}
	return n
}

func digits(i int) key { return keyOf([]byte(strconv.Itoa(i))) }

func TestSameAcrossCacheStates(t *testing.T) {
	c := newCounter(t)
	for i := range cacheSets * cacheWays * 2 {
		text := strconv.Itoa(i)
		want := (len(text) + 2) / 3 // digits in threes
		if n := c.Count(text); n != want {
			t.Fatalf("%s: %d, not %d", text, n, want)
		}
		if n := c.Count(text); n != want {
			t.Fatalf("%s again: %d, not %d", text, n, want)
		}
	}
}

func TestCacheIsBounded(t *testing.T) {
	var c cache
	for i := range cacheSets * cacheWays * 4 {
		c.put(digits(i), i)
	}
	if n := c.len(); n > cacheSets*cacheWays || n < cacheSets*cacheWays*9/10 {
		t.Errorf("%d entries", n)
	}
	if size := unsafe.Sizeof(c); size > 200<<10 {
		t.Errorf("%d bytes", size)
	}
}

func TestCacheKeepsWhatIsUsed(t *testing.T) {
	var c cache
	used := keyOf([]byte("used"))
	c.put(used, 7)
	for i := range cacheSets * cacheWays * 4 {
		c.put(digits(i), i)
		if n, ok := c.get(used); !ok || n != 7 {
			t.Fatalf("after %d others: %d, %v", i, n, ok)
		}
	}
	if _, ok := c.get(digits(0)); ok {
		t.Error("the oldest entry is still there")
	}
}

// What is put twice takes one place: two may have counted it at the same time.
func TestCacheHoldsContentOnce(t *testing.T) {
	var c cache
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range 500 {
				if n, ok := c.get(digits(i)); ok && n != i {
					t.Errorf("%d: %d", i, n)
				}
				c.put(digits(i), i)
			}
		})
	}
	all.Wait()
	if n := c.len(); n != 500 {
		t.Errorf("%d entries for 500 texts", n)
	}
}

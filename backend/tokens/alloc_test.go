//go:build !race

package tokens

import (
	"strings"
	"testing"
)

// Under the race detector a pool drops some of what it gets.
func TestCountAllocatesNothing(t *testing.T) {
	tool := `{"name":"echo","description":"Echoes back the input. 漢字 don't","inputSchema":{"type":"object"}}`
	texts := []string{tool, strings.Repeat("a", 3*windowSize), strings.Repeat(tool, 50)}
	c := newCounter(t)
	for _, text := range texts {
		s := []byte(text)
		if n := testing.AllocsPerRun(20, func() { c.vocabulary.count(s) }); n != 0 {
			t.Errorf("%.20q: %v allocations", text, n)
		}
		if n := testing.AllocsPerRun(20, func() { c.cache = cache{}; c.Count(text) }); n != 0 {
			t.Errorf("%.20q: %v allocations with the cache", text, n)
		}
	}
}

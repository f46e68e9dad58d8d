package tokens

import (
	"testing"

	"github.com/tiktoken-go/tokenizer/codec"
)

// These tests hold what is known to be wrong in the module, our oracle. One
// that fails says that it was mended upstream: then the rule in oracle_test.go
// loses a line.

func deviation(t *testing.T, text string, module, reference int) {
	t.Helper()
	if !deviates(text) {
		t.Errorf("%q: the rule of the comparison misses it", text)
	}
	if n := moduleCount(t, text); n != module {
		t.Errorf("%q: the module says %d now, not %d; the reference says %d", text, n, module, reference)
	}
	if n := newCounter(t).Count(text); n != reference {
		t.Errorf("%q: %d, the reference says %d", text, n, reference)
	}
}

// The table of its generated matcher lacks bit 127.
func TestDeviationDelIsDropped(t *testing.T) {
	deviation(t, "a\x7fb", 2, 3)
	deviation(t, "\x7f\x7f\x7f\x7f\x7f", 0, 5)
}

// Its `\s*[\r\n]+` ends at the first line break that blanks follow, and takes
// quadratic time to find it.
func TestDeviationSeparateLineBreaks(t *testing.T) {
	deviation(t, " \n \n \nx", 4, 3)
}

// Go 1.26 has Unicode 15.0.
func TestDeviationUnicodeTables(t *testing.T) {
	deviation(t, "\U00016100a\U0001e5e8's", 11, 10) // letters of Unicode 16.0
}

// By default it counts bytes that are not UTF-8 in a way of its own, which
// also depends on the version of a module below it. The oracle sets a mode.
func TestDeviationInvalidUTF8(t *testing.T) {
	const text, reference = "\xf0\x9f\x98\xf0\x9f\x98\xf0\x9f\x98\xf0\x9f\x98", 1
	if n, err := codec.NewO200kBase().Count(text); err != nil || n == reference {
		t.Errorf("the default mode counts %d, %v, the same as the reference now", n, err)
	}
	if n := moduleCount(t, text); n != reference {
		t.Errorf("the replacing mode counts %d, the reference %d", n, reference)
	}
}

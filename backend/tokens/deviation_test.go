package tokens

import (
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer/codec"
)

// These tests hold what is known to be wrong in the module. One that fails
// says that it was mended upstream: then the rule in reference_test.go and the
// package comment lose a line.

func deviation(t *testing.T, text string, now, reference int) {
	t.Helper()
	if !deviates(text) {
		t.Errorf("%q: the rule of the comparison misses it", text)
	}
	if n := newCounter(t).Count(text); n != now {
		t.Errorf("%q: %d, was %d, the reference says %d", text, n, now, reference)
	}
}

func TestDeviationDelIsDropped(t *testing.T) {
	deviation(t, "a\x7fb", 2, 3)
	deviation(t, "\x7f\x7f\x7f\x7f\x7f", 0, 5)
}

func TestDeviationSeparateLineBreaks(t *testing.T) {
	deviation(t, " \n \n \nx", 4, 3)
}

func TestDeviationUnicodeTables(t *testing.T) {
	deviation(t, "\U00016100a\U0001e5e8's", 11, 10) // letters of Unicode 16.0
}

// The fourth is avoided by the error mode: what is counted is the text with one
// U+FFFD for each maximal subpart. The module's default would count otherwise.
func TestDeviationInvalidUTF8(t *testing.T) {
	text, replaced := strings.Repeat("\xf0\x9f\x98", 4), strings.Repeat("\ufffd", 4)
	c := newCounter(t)
	want := c.Count(replaced)
	if n := c.Count(text); n != want {
		t.Errorf("%q: %d, %q: %d", text, n, replaced, want)
	}
	if n, err := codec.NewO200kBase().Count(text); err != nil || n == want {
		t.Errorf("the default mode counts %d, %v, the same as the reference now", n, err)
	}
	for text, reference := range map[string]int{"\xc0\xaf": 1, "\x80\x81\x82": 1} {
		if n := c.Count(text); n != reference {
			t.Errorf("%q: %d, the reference says %d", text, n, reference)
		}
	}
}

package tokens

import (
	"sync"
	"testing"
	"unicode"

	"github.com/tiktoken-go/tokenizer/codec"
)

// The module github.com/tiktoken-go/tokenizer v0.10.0 is the oracle wherever it
// is right. Where it is known to be wrong is said by rule, not by example.

var moduleCodec = sync.OnceValue(func() *codec.Codec {
	o200k := codec.NewO200kBase()
	o200k.SetErrorMode(codec.ErrorModeReplace) // the default is neither exact nor stable
	return o200k
})

func moduleCount(t testing.TB, text string) int {
	t.Helper()
	n, err := moduleCodec().Count(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return n
}

// deviates is the rule that leaves out the known differences of the module.
// Each of them has a test in deviation_test.go.
func deviates(text string) bool {
	broken, blank := false, false // inside one run of white space
	for _, r := range text {
		switch {
		case r == 0x7f || goClass(r) != slowClass(r):
			return true
		case r == '\r' || r == '\n':
			if broken && blank {
				return true
			}
			broken = true
		case unicode.IsSpace(r):
			blank = blank || broken
		default:
			broken, blank = false, false
		}
	}
	return false
}

// goClass is the class of a character by Go's tables, which the module uses.
func goClass(r rune) string {
	switch {
	case unicode.In(r, unicode.Lu, unicode.Lt):
		return "U"
	case unicode.Is(unicode.Ll, r):
		return "L"
	case unicode.In(r, unicode.Lm, unicode.Lo):
		return "B"
	case unicode.Is(unicode.M, r):
		return "M"
	case unicode.Is(unicode.N, r):
		return "N"
	case r == '\r' || r == '\n':
		return "R"
	case unicode.IsSpace(r):
		return "S"
	}
	return "-"
}

// newCharacters are those that Go's tables class in another way than the
// reference: letters, marks and digits of Unicode 15.1 and 16.0, until Go has
// them as well.
var newCharacters = sync.OnceValue(func() (all []rune) {
	for r := range rune(unicode.MaxRune + 1) {
		if goClass(r) != slowClass(r) {
			all = append(all, r)
		}
	}
	return all
})

// check compares one text, of any bytes, with both; with the slow reference,
// which takes cubic time, only its beginning.
func check(t testing.TB, c *Counter, text string) {
	t.Helper()
	if !deviates(text) {
		n := c.vocabulary.count([]byte(text))
		if want := moduleCount(t, text); n != want {
			t.Errorf("%q: %d, the module says %d", text, n, want)
		}
	}
	text = text[:min(len(text), 400)]
	n := c.vocabulary.count([]byte(text))
	if want := slowCount(string(replaceInvalid([]byte(text)))); n != want {
		t.Errorf("%q: %d, slowly %d", text, n, want)
	}
}

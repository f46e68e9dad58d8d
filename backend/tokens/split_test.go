package tokens

import (
	"slices"
	"strings"
	"testing"
)

func pieces(t testing.TB, c *Counter, text string) (all []string) {
	t.Helper()
	s := []byte(text)
	for i := 0; i < len(s); {
		end := c.vocabulary.next(s, i)
		if end <= i || end > len(s) {
			t.Fatalf("%q: the piece at %d ends at %d", text, i, end)
		}
		all = append(all, text[i:end])
		i = end
	}
	return all
}

func TestSplit(t *testing.T) {
	c := newCounter(t)
	for _, want := range []string{ // pieces between bars
		"hello| world", "XMLHttp|Request", " get|User|By|ID", "don't|'ll", "I'LL", "x'ſ|y", "a|'rx", "a're",
		"字|AB", "字字|AB", "A字|B", "a字|A", "字'S", "e\u0301'd", // the first alternative gives back
		"\u0301|AB", "\u0301a", "\u0301'm", "!\u0301a", "!\u0301", // a mark is prefix, letter and sign
		"123|456|7", "1|a", "१२३|४", "x|=|1", `{"|a|":"|b|"},`, " !!!\r\n//\n| x",
		"  | x", "  |\u00a0x", " \n \n| |\tx", "\n\n|x", "\n| \u0085| x", "a|  ", "\u0085\n|1",
		"\x7fa", "\x7f\x7f|a", "<", " '|sx", "'s|A", "''|s", "ab\u0300|Z",
	} {
		parts := strings.Split(want, "|")
		text := strings.Join(parts, "")
		if got := pieces(t, c, text); !slices.Equal(got, parts) {
			t.Errorf("%q, not %q", got, parts)
		}
	}
}

// Every text of up to four characters of all classes, and what the pattern names.
func TestSplitAsThePatternSays(t *testing.T) {
	c := newCounter(t)
	symbols := []string{"!", "A", "a", "字", "\u0301", "7", " ", "\u00a0", "\n", "'", "s", "/"}
	var visit func(text string, left int)
	visit = func(text string, left int) {
		if got, want := pieces(t, c, text), slowSplit(text); !slices.Equal(got, want) {
			t.Fatalf("%q: %q, the pattern says %q", text, got, want)
		}
		if left == 0 {
			return
		}
		for _, symbol := range symbols {
			visit(text+symbol, left-1)
		}
	}
	visit("", 4)
}

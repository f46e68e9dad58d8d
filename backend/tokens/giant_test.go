package tokens

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// letters returns n random bytes from an alphabet.
func letters(random *rand.Rand, n int, alphabet string) []byte {
	s := make([]byte, n)
	for i := range s {
		s[i] = alphabet[random.IntN(len(alphabet))]
	}
	return s
}

func giants() map[string][]byte {
	random := rand.New(rand.NewPCG(1, 2))
	all := map[string][]byte{
		"random letters": letters(random, 9000, "abcdefghijklmnopqrstuvwxyz"),
		"two letters":    letters(random, 9000, "ab"),
		"blanks":         letters(random, 9000, " \t"),
		"signs":          letters(random, 9000, `-=*#/_<>{}[]()"\`),
		"bytes":          letters(random, 9000, "\xe0\xa4\xb9\xc3\xa9"),
	}
	for _, unit := range []string{"a", " ", "\n", "=", "漢", "ab", "aab", "\t\t "} {
		all[unit] = []byte(strings.Repeat(unit, 9000/len(unit)))
	}
	return all
}

// In windows, in one heap and by the scan of the slow reference.
func TestWindowsAgree(t *testing.T) {
	v := newCounter(t).vocabulary
	for name, piece := range giants() {
		whole := new(window).merge(v, piece)
		if n, agree := new(window).countBy(v, piece, windowSize, overlap); n != whole || !agree {
			t.Errorf("%s: %d in windows, %v, and %d as a whole", name, n, agree, whole)
		}
		if want := len(slowMerge(slowRanks(), piece[:600], tokenCount)); v.countGiant(piece[:600]) != want {
			t.Errorf("%s: %d, slowly %d", name, v.countGiant(piece[:600]), want)
		}
	}
}

// With far too little overlap windows begin with wrong tokens. That has to be
// seen, and no sum of such windows may be given.
func TestWindowsThatDisagree(t *testing.T) {
	v := newCounter(t).vocabulary
	disagreed := 0
	for name, piece := range giants() {
		whole := new(window).merge(v, piece)
		for shift := range 20 {
			n, agree := new(window).countBy(v, piece, longest+20+shift, 1+shift)
			if !agree {
				disagreed++
			} else if n != whole {
				t.Errorf("%s, overlap %d: %d, not %d", name, 1+shift, n, whole)
			}
		}
	}
	if disagreed == 0 {
		t.Error("no windows disagreed")
	}
	t.Logf("%d disagreed", disagreed)
}

// A piece of the length at which the way of merging changes.
func TestSmallAndGiantAgree(t *testing.T) {
	v := newCounter(t).vocabulary
	random := rand.New(rand.NewPCG(3, 4))
	for n := 1; n <= small; n++ {
		for _, alphabet := range []string{"abcdefghijklmnopqrstuvwxyz", " ", "ab", "\xe0\xa4\xb9"} {
			piece := letters(random, n, alphabet)
			var m pieceMerger
			if got, want := m.count(v, piece), v.countGiant(piece); got != want {
				t.Errorf("%q: %d, in a heap %d", piece, got, want)
			}
		}
	}
}

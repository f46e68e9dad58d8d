package tokens

import (
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// Here is the reference once more, slowly: the pattern of the package comment
// by plain backtracking, and merging by comparing bytes. It shares no code with
// what it checks, so it also says what is right where the module is wrong.

// atom is a part of the pattern: where it can end, the best first.
type atom func(s []rune, i int) (ends []int)

// run matches min to max characters of one of the classes in set.
func run(set string, least, most int) atom {
	return func(s []rune, i int) (ends []int) {
		n := 0
		for n < most && i+n < len(s) && strings.Contains(set, slowClass(s[i+n])) {
			n++
		}
		for ; n >= least; n-- {
			ends = append(ends, i+n)
		}
		return ends
	}
}

func slowContraction(s []rune, i int) (ends []int) {
	for _, c := range []string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"} {
		n := len(c)
		if i+n <= len(s) && strings.EqualFold(string(s[i:i+n]), c) {
			ends = append(ends, i+n)
		}
	}
	return append(ends, i)
}

func literal(chars string, most int) atom {
	return func(s []rune, i int) (ends []int) {
		ends = []int{i}
		for n := 0; n < most && i+n < len(s) && strings.ContainsRune(chars, s[i+n]); n++ {
			ends = append([]int{i + n + 1}, ends...)
		}
		return ends
	}
}

func noMore(s []rune, i int) []int { // (?!\S)
	if i == len(s) || strings.Contains("SR", slowClass(s[i])) {
		return []int{i}
	}
	return nil
}

const many = 1 << 30

// The classes are those of classes.txt, with - for other.
var slowPattern = [][]atom{
	{run("-MS", 0, 1), run("UBM", 0, many), run("LBM", 1, many), slowContraction},
	{run("-MS", 0, 1), run("UBM", 1, many), run("LBM", 0, many), slowContraction},
	{run("N", 1, 3)},
	{literal(" ", 1), run("-M", 1, many), literal("\r\n/", many)},
	{run("SR", 0, many), run("R", 1, many)},
	{run("SR", 1, many), noMore},
	{run("SR", 1, many)},
}

func match(atoms []atom, s []rune, i int) int {
	if len(atoms) == 0 {
		return i
	}
	for _, end := range atoms[0](s, i) {
		if end := match(atoms[1:], s, end); end >= 0 {
			return end
		}
	}
	return -1
}

func slowSplit(text string) (pieces []string) {
	s := []rune(text)
	for i := 0; i < len(s); {
		end := -1
		for _, alternative := range slowPattern {
			if end = match(alternative, s, i); end >= 0 {
				break
			}
		}
		pieces = append(pieces, string(s[i:end]))
		i = end
	}
	return pieces
}

var slowClasses = sync.OnceValue(func() map[rune]string {
	classes := map[rune]string{}
	for line := range strings.Lines(classRanges) {
		f := strings.Fields(line)
		first, _ := strconv.ParseInt(f[0], 16, 32)
		last, _ := strconv.ParseInt(f[1], 16, 32)
		for r := first; r <= last; r++ {
			classes[rune(r)] = f[2]
		}
	}
	return classes
})

func slowClass(r rune) string {
	if class, ok := slowClasses()[r]; ok {
		return class
	}
	return "-"
}

func ranksOf(tokens []string) map[string]int {
	ranks := make(map[string]int, len(tokens))
	for rank, token := range tokens {
		ranks[token] = rank
	}
	return ranks
}

var slowRanks = sync.OnceValue(func() map[string]int { return ranksOf(moduleTokens()) })

// slowMerge merges what has a rank below limit.
func slowMerge(ranks map[string]int, piece []byte, limit int) []string {
	var parts []string
	for i := range piece {
		parts = append(parts, string(piece[i:i+1]))
	}
	for {
		lowest, at := limit, 0
		for i := range len(parts) - 1 {
			if rank, ok := ranks[parts[i]+parts[i+1]]; ok && rank < lowest {
				lowest, at = rank, i
			}
		}
		if lowest == limit {
			return parts
		}
		parts[at] += parts[at+1]
		parts = append(parts[:at+1], parts[at+2:]...)
	}
}

// slowCount counts UTF-8.
func slowCount(text string) (total int) {
	for _, piece := range slowSplit(text) {
		total += len(slowMerge(slowRanks(), []byte(piece), tokenCount))
	}
	return total
}

func TestClassesAreTheRanges(t *testing.T) {
	v := newCounter(t).vocabulary
	bits := map[string]uint8{
		"-": other, "U": upper, "L": lower, "B": caseless, "M": mark, "N": number, "S": space, "R": newline,
	}
	for r := rune(0); r <= 0x10ffff; r++ {
		if want := bits[slowClass(r)]; v.of(r) != want {
			t.Fatalf("%U is of class %08b, not %08b", r, v.of(r), want)
		}
	}
	for b, class := range v.first {
		if b < utf8.RuneSelf && class != v.of(rune(b)) || b >= utf8.RuneSelf && class != 0 {
			t.Errorf("%U is of class %08b among the first", b, class)
		}
	}
}

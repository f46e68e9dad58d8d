package tokens

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// chunkSize bounds what the module handles at once: it needs up to 160 bytes
// of garbage for each byte of input, all at the same time.
const chunkSize = 32 << 10

// chunks splits text at places that no token spans, so that the sum of the
// chunks' counts is the count of the whole:
//
//   - after a line break that other white space follows. The module ends a
//     token there in any case, but only after it has looked at the whole run
//     again: 256 KiB of "\n " take it a minute, and nearly no time in chunks;
//   - from size on, between an ASCII letter or digit and a blank or quote. In
//     the o200k_base pattern both always begin a new piece there.
func chunks(text string, size int) iter.Seq[string] {
	return func(yield func(string) bool) {
		breaks := strings.ContainsAny(text, "\r\n")
		if !breaks && len(text) <= size {
			yield(text)
			return
		}
		start := 0
		for i := 1; i < len(text); i++ {
			split := breaks && isBreak(text[i-1]) && blankFollows(text[i:]) ||
				i-start >= size && isWord(text[i-1]) && (text[i] == ' ' || text[i] == '"')
			if !split {
				continue
			}
			if !yield(text[start:i]) {
				return
			}
			start = i
		}
		yield(text[start:])
	}
}

func isBreak(b byte) bool { return b == '\n' || b == '\r' }

func blankFollows(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsSpace(r) && r != '\n' && r != '\r'
}

func isWord(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

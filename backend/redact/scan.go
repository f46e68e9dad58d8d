package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// rule looks at the place at in text. It returns the end of what it takes out
// and what is shown instead, or at when it has nothing to say.
type rule func(text string, at int) (end int, shown string)

// scan applies the rules in one pass from left to right. The first one that
// matches at a place wins, and no rule sees what another one has put in.
func scan(text string) string {
	rules := [...]rule{keyBlock, link, pairs, option, nameValue, scheme, absolutePath, query, token}
	var out strings.Builder
next:
	for at := 0; at < len(text); {
		for _, r := range rules {
			if end, shown := r(text, at); end > at {
				out.WriteString(shown)
				at = end
				continue next
			}
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		out.WriteString(text[at : at+size])
		at += size
	}
	return out.String()
}

// atNameStart says whether no ASCII letter, digit or underscore stands before
// at. Names, schemes and credentials are ASCII: a letter of another script in
// front of one does not make it a part of a word.
func atNameStart(text string, at int) bool {
	return at == 0 || !isNameByte(text[at-1]) || text[at-1] == '-'
}

func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// blankAfter is the index of the next white space, or the end.
func blankAfter(text string, at int) int {
	if i := strings.IndexAny(text[at:], " \n"); i >= 0 {
		return at + i
	}
	return len(text)
}

// lineAfter is the index of the next line break, or the end.
func lineAfter(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(text)
}

// keyBlock takes out an armoured key, also one without its end.
func keyBlock(text string, at int) (int, string) {
	const begin, end = "-----BEGIN", "-----END"
	if !strings.HasPrefix(text[at:], begin) {
		return at, ""
	}
	if i := strings.Index(text[at:], end); i >= 0 {
		return lineAfter(text, at+i), hidden
	}
	return len(text), hidden
}

package redact

import (
	"regexp"
	"strings"
	"unicode"
)

// ansi matches terminal control sequences: CSI, OSC up to its end, and single
// ones. They are dropped as a whole: a colour code right before a path must
// not hide where the path begins. For the same reason no slash, backslash, tilde
// or free blank is taken for a part of one, though the standard allows some.
var ansi = regexp.MustCompile(`(?:\x1b\[|\x{9b})[0-?]*(?:[@-\[\]-}]| q|!p|"q|\$[a-z])|(?:\x1b\]|\x{9d})[^\x07\x1b\x{9c}\n]*(?:\x07|\x1b\\|\x{9c}|\n|$)|\x1b[#%()*+]?[0-Z^-}]`)

// clean makes a text harmless to show. Line breaks stay, for the rules that
// end at one; other white space becomes a blank; control characters become
// their visible symbols; characters that only turn or hide text are dropped.
func clean(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = ansi.ReplaceAllString(text, "")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' || r == '\u0085':
			return '\n'
		case unicode.IsSpace(r):
			return ' '
		case r < ' ':
			return '\u2400' + r
		case r == 0x7f:
			return '\u2421'
		case unicode.Is(unicode.Cc, r):
			return '\ufffd'
		case isHidden(r):
			return -1
		}
		return r
	}, text)
}

// isHidden says whether a character reorders the text around it or cannot be
// seen. Joiners stay: scripts and emoji need them.
func isHidden(r rune) bool {
	return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' ||
		r == '\u200b' || r == '\u200e' || r == '\u200f' || r == '\u061c' || r == '\ufeff' ||
		r >= 0xe0000 && r <= 0xe007f
}

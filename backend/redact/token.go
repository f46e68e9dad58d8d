package redact

import (
	"regexp"
	"strings"
)

// issued matches the prefixes that well-known issuers give their credentials.
var issued = regexp.MustCompile(`^(?:(?:sk|pk|rk)[-_]|gh[opsur]_|github_pat_|glpat-|gl[a-z]{2,5}-|xox[a-z]-|xapp-|A[KS]IA|AIza|ya29\.|eyJ|npm_|hf_|pypi-|whsec_|SG\.|lin_|ntn_|secret_|dop_v1_|figd_|kdv_)`)

// pair matches a user and a password before a host, without a scheme.
var pair = regexp.MustCompile(`^[^\s:@]+:[^\s@]+@`)

// word looks at a whole word: it takes out what looks like a credential, and
// what stands in a query string.
func word(text string, at int) (int, string) {
	if !atWordStart(text, at) || !isTokenByte(text[at]) {
		return at, ""
	}
	end := blankAfter(text, at)
	whole := text[at:end]
	if strings.Contains(whole, "@") && pair.MatchString(whole) {
		return end, hidden
	}
	if i := strings.IndexByte(whole, '?'); i >= 0 && strings.Contains(whole[i:], "=") {
		return end, whole[:i] + "?" + hidden
	}
	n := 0
	for n < len(whole) && isTokenByte(whole[n]) {
		n++
	}
	if looksIssued(whole[:n]) {
		return at + n, hidden
	}
	return at, ""
}

func isTokenByte(b byte) bool {
	return isNameByte(b) || strings.IndexByte("+/=.~", b) >= 0
}

// looksIssued says whether s was made by a machine to be secret: a known
// prefix, or long with letters and digits mixed, or very long.
func looksIssued(s string) bool {
	if len(s) >= 8 && issued.MatchString(s) {
		return true
	}
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '/' || r == '.' || r == '=' }) {
		digits, letters := 0, 0
		for i := range len(part) {
			switch b := part[i]; {
			case '0' <= b && b <= '9':
				digits++
			case b != '_' && b != '-':
				letters++
			}
		}
		if len(part) >= 20 && digits > 0 && letters > 0 || len(part) >= 48 {
			return true
		}
	}
	return false
}

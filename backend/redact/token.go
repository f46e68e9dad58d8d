package redact

import (
	"regexp"
	"strings"
)

// issued matches the prefixes that well-known issuers give their credentials.
var issued = regexp.MustCompile(`^(?:(?:sk|pk|rk)[-_]|gh[opsur]_|github_pat_|glpat-|gl[a-z]{2,5}-|xox[a-z]-|xapp-|A[KS]IA|AIza|ya29\.|eyJ|npm_|hf_|pypi-|whsec_|SG\.|lin_|ntn_|secret_|dop_v1_|figd_|kdv_)`)

// pair matches a user and a password before a host, without a scheme.
var pair = regexp.MustCompile(`^[^\s:@]+:[^\s@]+@`)

// pairs takes out a word with a user and a password in it, whatever it is.
func pairs(text string, at int) (int, string) {
	if at > 0 && text[at-1] != ' ' && text[at-1] != '\n' {
		return at, ""
	}
	end := blankAfter(text, at)
	if whole := text[at:end]; strings.Contains(whole, "@") && pair.MatchString(whole) && !strings.Contains(whole, "://") {
		return end, hidden
	}
	return at, ""
}

// query takes out a query string that stands outside a URL.
func query(text string, at int) (int, string) {
	if text[at] != '?' {
		return at, ""
	}
	end := blankAfter(text, at)
	if !strings.Contains(text[at:end], "=") {
		return at, ""
	}
	return end, "?" + hidden
}

// token takes out a run of characters that looks like a credential.
func token(text string, at int) (int, string) {
	if !atNameStart(text, at) || !isTokenByte(text[at]) {
		return at, ""
	}
	whole := text[at:blankAfter(text, at)]
	if at > 0 && isTokenByte(text[at-1]) && !issued.MatchString(whole[:min(len(whole), 16)]) {
		return at, "" // a part of a run that was looked at from its start
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
		if len(part) >= 8 && issued.MatchString(part) {
			return true
		}
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

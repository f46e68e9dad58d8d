package redact

import (
	"regexp"
	"strings"
)

// named matches a name that holds a credential, with what stands between it
// and its value: `api_key=`, `"X-Api-Key": `, `Authorization: `.
var named = regexp.MustCompile(`(?i)^[\w.-]*(?:api[_-]?key|access[_-]?key|private[_-]?key|[_-]key|\bkey|token|secret|passw(?:or)?d|passwd|passphrase|pwd|authorization|\bauth|[_-]auth|credentials?|cookie|session[_-]?id|\bsid|signature|\bsig|bearer|jwt)[\w.-]*["'\x60\]]?\s{0,4}(?:=>|:=|[:=])[ \t]*`)

// toLineEnd matches the names whose values may have blanks in them.
var toLineEnd = regexp.MustCompile(`(?i)authorization|cookie|passw|passphrase|secret`)

// innocent matches names that only look like one of a credential: words of
// error texts, and an amount of tokens.
var innocent = regexp.MustCompile(`(?i)^[\w.-]*(?:(?:auth(?:entication)?[_-]?required|authentication|keyboard|keywords?)\W|tokens["'\x60]?\s*[:=]\s*\d[\d,._]*(?:[^\w-]|$))`)

// authScheme matches the word of an Authorization value before the credential.
var authScheme = regexp.MustCompile(`(?i)^(?:bearer|basic|digest|negotiate|token|apikey|api-key)[ =:]+`)

// nameValue takes out the value of a name that holds a credential.
func nameValue(text string, at int) (int, string) {
	if !isNameByte(text[at]) || at > 0 && (isNameByte(text[at-1]) || text[at-1] == '.') {
		return at, ""
	}
	name := named.FindString(text[at:min(len(text), at+256)])
	if name == "" || innocent.MatchString(text[at:min(len(text), at+256)]) {
		return at, ""
	}
	value := at + len(name)
	end := value + len(authScheme.FindString(text[value:]))
	switch {
	case end < len(text) && strings.IndexByte("\"'`", text[end]) >= 0:
		end = quoteEnd(text, end)
	case toLineEnd.MatchString(name):
		end = lineAfter(text, end)
	default:
		end = blankAfter(text, end)
	}
	return end, strings.TrimSpace(name) + " " + hidden
}

func isNameByte(b byte) bool {
	return b == '_' || b == '-' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
}

// quoteEnd is the index after the closing quote, or the end of the text when
// there is none. A backslash keeps the next character inside.
func quoteEnd(text string, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[at]:
			return i + 1
		}
	}
	return len(text)
}

// scheme takes out what follows "Bearer" and the like.
func scheme(text string, at int) (int, string) {
	if !atNameStart(text, at) {
		return at, ""
	}
	head := authScheme.FindString(text[at:])
	if head == "" {
		return at, ""
	}
	if name := strings.ToLower(strings.TrimRight(head, " =:")); name == "token" && strings.HasSuffix(head, " ") {
		return at, "" // "token expired": a sentence; a real token is seen by itself
	}
	return blankAfter(text, at+len(head)), head + hidden
}

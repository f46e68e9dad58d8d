package redact

import (
	"strings"
	"unicode"
)

// link takes a URL down to scheme, host and port. It ends at white space only:
// a password may hold quotes and brackets. A file URL is a path. It is looked for
// at every letter, so nothing that stands right before it hides it.
func link(text string, at int) (int, string) {
	name, ok := schemeAt(text[at:])
	if !ok {
		return at, ""
	}
	if strings.EqualFold(name, "file") {
		return pathEnd(text, at+len("file://")), path
	}
	end := blankAfter(text, at)
	inside := strings.TrimRight(text[at:end], "\"'`),.;:>") // the sentence's own
	return at + len(inside), network(inside)
}

// schemeAt reads the scheme of "scheme://".
func schemeAt(text string) (string, bool) {
	for i := range min(len(text), 32) {
		switch b := text[i]; {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z':
		case i > 0 && ('0' <= b && b <= '9' || b == '+' || b == '.' || b == '-'):
		case i > 0 && strings.HasPrefix(text[i:], "://"):
			return text[:i], true
		default:
			return "", false
		}
	}
	return "", false
}

// network keeps scheme, host and port of a URL, given from its scheme on. An
// authority that is not plainly a host with an optional port is not shown.
func network(raw string) string {
	name, _ := schemeAt(raw)
	name = strings.ToLower(name)
	rest := raw[len(name)+len("://"):]
	if i := strings.IndexAny(rest, "/\\?#"); i >= 0 {
		// A raw slash in a password: what is left of it would pass for a host.
		if j := strings.IndexByte(rest[i:], '@'); j >= 0 && strings.Contains(rest[:i], ":") && !strings.ContainsAny(rest[i:i+j], "?#") && !strings.Contains(rest[:i], "@") {
			return name + "://" + hidden
		}
		rest = rest[:i]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	rest = strings.TrimRight(rest, "\"'`)]}>,.;:")
	if strings.HasPrefix(rest, "[") && !strings.Contains(rest, "]") {
		rest += "]" // an IPv6 address that the line above has opened
	}
	if !isHost(rest) {
		return name + "://" + hidden
	}
	return name + "://" + rest
}

func isHost(s string) bool {
	host, port := s, ""
	if i := strings.LastIndexByte(s, ':'); i > strings.LastIndexByte(s, ']') {
		host, port = s[:i], s[i+1:]
		if len(port) == 0 || len(port) > 5 || strings.Trim(port, "0123456789") != "" {
			return false
		}
	}
	if inner, ok := strings.CutPrefix(host, "["); ok {
		inner, ok = strings.CutSuffix(inner, "]")
		return ok && inner != "" && strings.Trim(inner, "0123456789abcdefABCDEF:.") == ""
	}
	if host == "" || len(host) > 253 {
		return false
	}
	for _, r := range host {
		if r != '.' && r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			return false
		}
	}
	return true
}

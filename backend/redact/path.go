package redact

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// pathStart matches the beginning of an absolute path of any system: a drive,
// a UNC or device name, a home directory by ~ or by its variable, a slash. The
// last two alternatives find a home wherever it begins.
var pathStart = regexp.MustCompile(`(?i)^(?:[a-z]:[\\/]|\\\\[^\s\\]|\\[^\s\\]+\\|~(?:[\\/]|[\pL_][\w.-]*|$|[\s"'])|%(?:userprofile|homepath|appdata|localappdata)%|\$\{?home\b\}?|/[^\s/]|//[^\s/])`)

// home matches the start of the place where users' homes are.
var home = regexp.MustCompile(`(?i)^[\\/]+(?:home|users|root|documents and settings)[\\/]`)

// userFolder matches a path that ends in the name of a user's home.
var userFolder = regexp.MustCompile(`(?i)[\\/](?:home|users|documents and settings)[\\/]+[^\\/]*$`)

// absolutePath takes out a path, with the blanks in it.
func absolutePath(text string, at int) (int, string) {
	switch text[at] {
	case '/', '\\':
		if at > 0 && strings.IndexByte(`/\`, text[at-1]) >= 0 {
			return at, "" // the first of a run has spoken for it
		}
		if !startsPath(text, at) && !home.MatchString(text[at:]) {
			return at, ""
		}
	case '~', '%', '$':
		if !startsPath(text, at) {
			return at, ""
		}
	default:
		if at+2 >= len(text) || text[at+1] != ':' || !atNameStart(text, at) {
			return at, ""
		}
	}
	if !pathStart.MatchString(text[at:]) && !home.MatchString(text[at:]) {
		return at, ""
	}
	return pathEnd(text, at), path
}

// startsPath says whether a path can begin after what stands before at: "n/a",
// "../x" and "text/html" go on there.
func startsPath(text string, at int) bool {
	r, _ := utf8.DecodeLastRuneInString(text[:at])
	return at == 0 || !isWord(r) && !strings.ContainsRune(".-+*)]}/\\~", r)
}

// pathEnd is where the path that starts at at ends. In quotes that is the
// closing quote. Else it is the end of the last word that holds a separator,
// before a line break, a quote, a bracket, a comma or a colon with a blank: the
// words between are taken for a folder with blanks in its name. A path that
// ends with the name of a home takes the words after it along.
func pathEnd(text string, at int) int {
	if at > len(text) {
		return len(text)
	}
	if at > 0 && strings.IndexByte("\"'`", text[at-1]) >= 0 {
		line := text[at:lineAfter(text, at)]
		if i := strings.IndexByte(line, text[at-1]); i >= 0 {
			return at + i
		}
		return at + len(line)
	}
	end := at + limit(text[at:])
	whole := text[at:end]
	last := max(strings.LastIndexAny(whole, `/\`), 0)
	wordEnd := blankAfter(whole, last)
	if userFolder.MatchString(whole[:wordEnd]) {
		return end
	}
	return at + wordEnd
}

// limit is the length of text up to something that ends a path for certain.
func limit(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\n', '"', '`', '<', '>', '|', ',', ';', '(', ')', '[', ']', '{', '}':
			return i
		case '\'':
			if i+1 == len(text) || !isWord(rune(text[i+1])) && text[i+1] < utf8.RuneSelf {
				return i
			}
		case ':':
			if i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\n' {
				return i
			}
		}
	}
	return len(text)
}

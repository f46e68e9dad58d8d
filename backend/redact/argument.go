package redact

import "regexp"

// optionRun matches an option and what follows it on its line, up to a colon
// with a blank outside quotes: after the first option of a command line
// nothing tells a value from a word of the error text.
var optionRun = regexp.MustCompile(`^--?[A-Za-z](?:"[^"\n]*"|'[^'\n]*'|[^\n])*?(?:["'\x60)\]]*:(?: |\n|$)|\n|$)`)

// option takes out the arguments of a command line, from its first option on.
func option(text string, at int) (int, string) {
	if text[at] != '-' || !startsOption(text, at) {
		return at, ""
	}
	found := optionRun.FindString(text[at:])
	end := at + len(found)
	if found == "" {
		return at, ""
	}
	switch text[end-1] {
	case '\n':
		return end - 1, arguments
	case ' ':
		return end, arguments + ": "
	}
	return end, arguments
}

func startsOption(text string, at int) bool {
	if at == 0 {
		return true
	}
	switch text[at-1] {
	case ' ', '\n', '"', '\'', '`', '(', '[', ',', '=':
		return true
	}
	return false
}

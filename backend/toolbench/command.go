package toolbench

import (
	"strings"
	"unicode"
)

type verb int

const (
	verbHelp verb = iota
	verbTools
	verbSchema
	verbCall
)

// reserved are the words that are commands. A tool of such a name is reached as `call NAME` or `SERVER/NAME`.
var reserved = []string{"tools", "schema", "help", "call"}

// command is what a person asked for. Nothing in it is checked against the tools yet.
type command struct {
	verb verb
	name string // verbSchema, verbCall: the tool as typed
	rest string // verbTools: the filter; verbCall: the arguments as typed, "" for none
	line string // verbCall: name and arguments together, for names with blanks in them
}

// parse reads one prompt. It accepts everything; unknown words are calls. A leading slash is optional before a command
// and before a tool's name, and so is the word `call`.
func parse(text string) command {
	line := unslash(strings.TrimSpace(text))
	word, rest := cutWord(line)
	switch strings.ToLower(word) {
	case "", "help":
		if !strings.HasPrefix(line, "{") {
			return command{verb: verbHelp}
		}
	case "tools":
		return command{verb: verbTools, rest: rest}
	case "schema":
		return command{verb: verbSchema, name: unslash(rest)}
	case "call":
		// `call {…}` is a call of a tool that is itself named call.
		if !strings.HasPrefix(rest, "{") {
			line = unslash(rest)
			word, rest = cutWord(line)
		}
	}
	return command{verb: verbCall, name: word, rest: rest, line: line}
}

func unslash(s string) string {
	return strings.TrimSpace(strings.TrimPrefix(s, "/"))
}

// cutWord splits at the first white space or before the first brace, so that `tool{"a":1}` works too.
func cutWord(s string) (word, rest string) {
	i := strings.IndexFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '{' })
	if i < 0 {
		return s, ""
	}
	return s[:i], strings.TrimSpace(s[i:])
}

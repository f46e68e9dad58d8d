package agent

import (
	"errors"
	"strings"
	"unicode"
)

// errQuote says that a command line cannot be taken apart.
var errQuote = errors.New("it has a quote that is not closed")

// SplitCommand takes a command line apart into words. Blanks separate. Between
// single quotes everything is literal, between double ones everything but \".
// Elsewhere a backslash makes a quote or a blank literal and is itself literal
// before anything else, so that paths of Windows stay whole. Nothing else is
// special: no variables, no patterns, no pipes; no shell runs.
func SplitCommand(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	begun := false // there is a word, which may be empty
	runes := []rune(line)
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		switch {
		case r == '\'' || r == '"':
			end, text := quoted(runes[i+1:], r)
			if end < 0 {
				return nil, errQuote
			}
			word.WriteString(text)
			begun, i = true, i+1+end
		case r == '\\' && i+1 < len(runes) && escapes(runes[i+1]):
			i++
			word.WriteRune(runes[i])
			begun = true
		case unicode.IsSpace(r):
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words, nil
}

// ShellWord is a word as it is typed in a POSIX shell, quoted where that would
// not take it as one word or would do something with it. It is for showing and
// copying: nothing of ours runs it.
func ShellWord(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\n\"'\\$`;&|<>()*?[]{}~#!") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

func escapes(r rune) bool { return r == '\'' || r == '"' || unicode.IsSpace(r) }

// quoted reads up to the closing quote; end is its place, -1 when there is none.
func quoted(runes []rune, quote rune) (end int, text string) {
	var out strings.Builder
	for i := 0; i < len(runes); i++ {
		switch r := runes[i]; {
		case r == quote:
			return i, out.String()
		case r == '\\' && quote == '"' && i+1 < len(runes) && runes[i+1] == '"':
			i++
			out.WriteRune('"')
		default:
			out.WriteRune(r)
		}
	}
	return -1, ""
}

// Package redact takes out of a text what no attachment record, log, crash
// report or diagnostic copy may hold.
//
// Purpose: targets of servers, error summaries, and the last lines an agent
// wrote to stderr. Source of the rules: spec/attachment.md, "What may be where".
//
// Guarantees: pure; every result is valid UTF-8, without control characters
// and at most MaxSummary bytes (per line for Stderr); a secret that was given
// is in no result, also not in its URL, JSON or base64 spelling; time is
// bounded for any input. When it is not clear where a path or an argument
// ends, too much is taken out rather than too little.
//
// It cannot know a secret that it was not given and that looks like a word,
// and it does not touch relative paths. What it returns is for showing; it is
// no place to parse from.
package redact

import (
	"strings"
	"unicode/utf8"
)

const (
	// MaxSummary is the size of a result in bytes.
	MaxSummary = 256
	// MaxLines is how many of the last lines Stderr keeps.
	MaxLines = 20
	// maxInput bounds what the rules read of one text, maxRaw what is cleaned
	// before: terminal sequences may be most of it. Given secrets are gone then.
	maxInput = 4 << 10
	maxRaw   = 128 << 10
)

// What stands in the place of what was taken out.
const (
	hidden    = "[redacted]"
	path      = "[path]"
	arguments = "[arguments]"
)

// Summary returns an error text on one line without secrets, credentials,
// command arguments, absolute paths, home directories, and URLs beyond their
// host. secrets are the values that are known, such as environment and header
// values and our bearer; blank ones are passed over. A longer text ends in "…".
func Summary(text string, secrets ...string) string {
	known := spellings(secrets)
	return finish(scan(bound(prepare(text, known), maxInput)), known)
}

// Secrets returns a text without the given secrets, in every spelling that
// Summary knows. Nothing else is taken out and nothing is cut.
func Secrets(text string, secrets ...string) string { return remove(text, spellings(secrets)) }

// Stderr returns the last lines of a process that did not start, each treated
// as by Summary. Blank lines are left out. The result is to be shown to the
// person, not logged.
func Stderr(lines []string, secrets ...string) []string {
	known := spellings(secrets)
	if len(lines) > 2*MaxLines { // some of them may be blank
		lines = lines[len(lines)-2*MaxLines:]
	}
	// Joined, because a secret may have several lines.
	text := prepare(strings.Join(lines, "\n"), known)
	out := []string{}
	for line := range strings.SplitSeq(text, "\n") {
		if line = finish(scan(bound(line, maxInput)), known); line != "" {
			out = append(out, line)
		}
	}
	return out[max(0, len(out)-MaxLines):]
}

// prepare takes the known secrets out before and after the text is cleaned: a
// colour code may stand inside one.
func prepare(text string, known []string) string {
	text = remove(strings.ToValidUTF8(text, "\ufffd"), known)
	return remove(clean(bound(text, maxRaw)), known)
}

// bound shortens an over-long text. It drops the last, perhaps halved word:
// half a credential is not recognised as one.
func bound(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	i := strings.LastIndexAny(text[:limit], " \n\t")
	if i < 0 {
		return hidden // one word, and no telling of what
	}
	return text[:i]
}

// finish puts a text on one line, cuts it, and makes sure of the promise: what
// was joined by taking something out, or by our own words, is looked at again.
func finish(text string, known []string) string {
	text = strings.Join(strings.Fields(text), " ")
	const mark = "…"
	if len(text) > MaxSummary {
		end := MaxSummary - len(mark)
		for !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end] + mark
	}
	return erase(text, known)
}

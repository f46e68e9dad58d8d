package toolbench

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"
)

// plain makes foreign text safe for one line: white space becomes one blank, control characters and bidirectional
// overrides vanish, and bytes that are not UTF-8 become U+FFFD.
func plain(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	var b strings.Builder
	blank := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			blank = b.Len() > 0
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
		default:
			if blank {
				b.WriteByte(' ')
				blank = false
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}

// literal escapes plain text so that Markdown shows it as it is: no HTML, no links, no emphasis.
func literal(s string) string {
	var b strings.Builder
	for _, r := range plain(s) {
		if strings.ContainsRune("\\`*_{}[]()<>#+!|~&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// code sets foreign text as a Markdown code span, with more backticks around it than it has inside.
func code(s string) string {
	s = cut(plain(s), 200)
	if !strings.Contains(s, "`") {
		return "`" + s + "`"
	}
	ticks := strings.Repeat("`", longestRun(s)+1)
	return ticks + " " + s + " " + ticks
}

// fence sets text as a Markdown code block that its content cannot end.
func fence(language, s string) string {
	ticks := strings.Repeat("`", max(3, longestRun(s)+1))
	return ticks + language + "\n" + strings.TrimSuffix(s, "\n") + "\n" + ticks
}

func longestRun(s string) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return longest
}

// cut shortens s to at most limit characters, never inside one, and marks it.
func cut(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	n := 0
	for i := range s {
		if n == limit-1 {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// firstSentence is the start of a description up to the first full stop that ends a sentence, at most 200 characters.
func firstSentence(description string) string {
	if head, _, ok := strings.Cut(strings.TrimSpace(description), "\n\n"); ok {
		description = head
	}
	s := plain(cut(description, 2000))
	for i, r := range s {
		if strings.ContainsRune(".!?", r) && (i+1 == len(s) || s[i+1] == ' ') && !abbreviation(s[:i]) {
			s = s[:i+1]
			break
		}
	}
	return cut(s, 200)
}

// abbreviation keeps "e.g." and "i.e." from ending a sentence.
func abbreviation(before string) bool {
	return strings.HasSuffix(before, "e.g") || strings.HasSuffix(before, "i.e")
}

// reindent sets valid JSON text in lines. It keeps the spelling of numbers and the order of keys.
func reindent(valid string) string {
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(valid), "", "  "); err != nil {
		return valid
	}
	return b.String()
}

func base64Of(data []byte) string { return base64.StdEncoding.EncodeToString(data) }

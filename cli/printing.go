package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// printing keeps the first error and writes nothing after it.
type printing struct {
	w   io.Writer
	err error
}

func (p *printing) f(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

// writeJSON writes one document.
func writeJSON(w io.Writer, v any) error {
	document, err := unescaped(v, "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, printable(document))
	return err
}

// unescaped writes JSON without Go's escapes for web pages.
func unescaped(v any, indent string) ([]byte, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	err := enc.Encode(v)
	return []byte(b.String()), err
}

// printable is a JSON document in which what a terminal would obey or hide is escaped; it stands in strings only.
func printable(document []byte) string {
	var b strings.Builder
	for _, r := range string(document) {
		if r == '\n' || unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(strings.Trim(ascii(string(r)), `"`))
	}
	return b.String()
}

// shown is a text of a plugin for a terminal: its lines stay, what a terminal would obey is escaped.
func shown(text string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(text, "\r\n", "\n") {
		if r == '\n' || r == '\t' || unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
	}
	return b.String()
}

// size is a number of bytes for a person.
func size(n int) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}

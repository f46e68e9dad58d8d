package acp

import (
	"bytes"
	"unicode/utf8"
)

// cutControl removes what terminals and editors put before a line: blanks, a
// byte order mark, control characters, and escape sequences with their text
// (a window title may hold anything, braces too).
func cutControl(b []byte) []byte {
	for len(b) > 0 {
		switch {
		case b[0] == 0x1b:
			b = cutEscape(b)
		case b[0] <= ' ' || b[0] == 0x7f:
			b = b[1:]
		case bytes.HasPrefix(b, []byte("\uFEFF")):
			b = b[len("\uFEFF"):]
		default:
			return b
		}
	}
	return b
}

// cutEscape removes one ECMA-48 sequence from b, which starts with ESC.
func cutEscape(b []byte) []byte {
	if len(b) == 1 {
		return nil
	}
	switch b[1] {
	case '[': // CSI: parameters, intermediates, one final byte
		i := 2
		for i < len(b) && b[i] >= 0x20 && b[i] <= 0x3f {
			i++
		}
		if i < len(b) && b[i] >= 0x40 && b[i] <= 0x7e && b[i] != '{' {
			i++
		}
		return b[i:]
	case ']', 'P', 'X', '^', '_': // strings, up to BEL or ST
		return cutString(b)
	}
	i := 1
	for i < len(b) && b[i] >= 0x20 && b[i] <= 0x2f {
		i++
	}
	if i < len(b) && b[i] >= 0x30 && b[i] <= 0x7e && b[i] != '{' {
		i++
	}
	return b[i:]
}

// cutString removes a control string. One that has no end is taken to end at
// the first brace: no JSON holds a raw BEL or ESC, so none was cut in two.
func cutString(b []byte) []byte {
	for i := 2; i < len(b); i++ {
		if b[i] == 0x07 {
			return b[i+1:]
		}
		if b[i] == 0x1b && i+1 < len(b) && b[i+1] == '\\' {
			return b[i+2:]
		}
	}
	if i := bytes.IndexByte(b, '{'); i >= 0 {
		return b[i:]
	}
	return nil
}

// blank reports whether a line holds nothing worth telling.
func blank(line []byte) bool {
	return len(bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\uFEFF")))) == 0
}

// validUTF8 replaces what is not UTF-8: raw parts of a frame are stored and
// shown as they came, and JSON must be UTF-8.
func validUTF8(line []byte) []byte {
	if utf8.Valid(line) {
		return line
	}
	return bytes.ToValidUTF8(line, []byte("\uFFFD"))
}

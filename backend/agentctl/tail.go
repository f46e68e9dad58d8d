package agentctl

import (
	"bytes"
	"unicode/utf8"
)

// tail keeps at least the last keep bytes of what was written, and at most
// twice as many.
type tail struct {
	keep int
	buf  []byte
	lost bool // something before buf was dropped
}

func (t *tail) add(b []byte) {
	if len(b) > t.keep {
		b, t.buf, t.lost = b[len(b)-t.keep:], t.buf[:0], true
	}
	if len(t.buf)+len(b) > 2*t.keep {
		n := copy(t.buf, t.buf[len(t.buf)-(t.keep-len(b)):])
		t.buf, t.lost = t.buf[:n], true
	}
	t.buf = append(t.buf, b...)
}

// text is the end of what was written, at most limit bytes of valid UTF-8 that
// begin with a whole character. cut: the beginning is missing. Without whole
// more may come, and a character that is not complete yet is left out.
func (t *tail) text(limit int, whole bool) (text string, cut bool) {
	b, cut := t.buf, t.lost
	if !whole {
		b = b[:len(b)-incomplete(b)]
	}
	if over := len(b) - limit; over > 0 {
		b, cut = b[over:], true
	}
	if cut {
		b = fromCharacter(b)
	}
	if utf8.Valid(b) {
		return string(b), cut
	}
	text = string(bytes.ToValidUTF8(b, []byte("\uFFFD"))) // can be longer than what it replaces
	if over := len(text) - limit; over > 0 {
		return string(fromCharacter([]byte(text[over:]))), true
	}
	return text, cut
}

// fromCharacter skips the rest of a character whose beginning was cut off.
func fromCharacter(b []byte) []byte {
	for n := 0; n < utf8.UTFMax-1 && len(b) > 0 && !utf8.RuneStart(b[0]); n++ {
		b = b[1:]
	}
	return b
}

// incomplete counts the bytes at the end that begin a character and lack its rest.
func incomplete(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if end := b[len(b)-n:]; utf8.RuneStart(end[0]) {
			if utf8.FullRune(end) {
				return 0
			}
			return n
		}
	}
	return 0
}

package main

import (
	"unicode/utf8"
	"unsafe"
)

// answer ends a call with a text in MCP's form. It quotes the text itself: the
// app interprets this code, and a general encoder costs several times as much.
func answer(text string) int32 {
	b := append(make([]byte, 0, len(text)+64), `{"content":[{"type":"text","text":"`...)
	return output(string(append(appendQuoted(b, text), `"}]}`...)))
}

// appendQuoted writes the inside of a JSON string.
func appendQuoted(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	done := 0 // written up to here
	for i := plain(s, 0); i < len(s); i = plain(s, i) {
		size, escape := 1, ""
		switch c := s[i]; {
		case c == '"' || c == '\\':
			escape = "\\" + string(c)
		case c < ' ':
			escape = "\\u00" + string(hex[c>>4]) + string(hex[c&15])
		default:
			var r rune
			if r, size = utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError && size == 1 {
				escape = "\\ufffd"
			}
		}
		if escape != "" {
			b = append(append(b, s[done:i]...), escape...)
			done = i + size
		}
		i += size
	}
	return append(b, s[done:]...)
}

// plain is the end of the text from i on that is ASCII and needs no escape. It
// looks at eight bytes at a time: a high bit stays where one of them is special.
func plain(s string, i int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	first := unsafe.Pointer(unsafe.StringData(s))
	for ; i+8 <= len(s); i += 8 {
		w := *(*uint64)(unsafe.Add(first, i))
		quote, slash := w^'"'*ones, w^'\\'*ones
		if (w|(w-' '*ones)|(quote-ones)&^quote|(slash-ones)&^slash)&tops != 0 {
			break
		}
	}
	for i < len(s) && s[i] >= ' ' && s[i] != '"' && s[i] != '\\' && s[i] < utf8.RuneSelf {
		i++
	}
	return i
}

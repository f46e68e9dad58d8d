package tokens

import "unicode/utf8"

// replaceInvalid puts one U+FFFD in the place of each maximal subpart that is
// not UTF-8 (Unicode 16.0, chapter 3, "U+FFFD Substitution of Maximal
// Subparts"): as many bytes as begin some character, or one byte. The reference
// takes text, and gets it from bytes through decoders that do so.
func replaceInvalid(s []byte) []byte {
	valid := make([]byte, 0, len(s)+len(s)/2)
	for len(s) > 0 {
		r, width := utf8.DecodeRune(s)
		if r == utf8.RuneError && width == 1 {
			valid = utf8.AppendRune(valid, utf8.RuneError)
			s = s[subpart(s):]
			continue
		}
		valid = append(valid, s[:width]...)
		s = s[width:]
	}
	return valid
}

// subpart returns the length of the maximal subpart that s begins with. No
// character begins with s.
func subpart(s []byte) int {
	low, high := byte(0x80), byte(0xbf) // of the second byte
	switch s[0] {
	case 0xe0:
		low = 0xa0
	case 0xed:
		high = 0x9f
	case 0xf0:
		low = 0x90
	case 0xf4:
		high = 0x8f
	}
	most := 1 // all bytes but the last of a character of this first byte
	switch b := s[0]; {
	case 0xe0 <= b && b <= 0xef:
		most = 2
	case 0xf0 <= b && b <= 0xf4:
		most = 3
	}
	n := 1
	for n < min(most, len(s)) && low <= s[n] && s[n] <= high {
		low, high = 0x80, 0xbf
		n++
	}
	return n
}

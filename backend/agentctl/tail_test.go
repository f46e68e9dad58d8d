package agentctl

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzTail: whatever is written in whatever pieces, what is read is valid UTF-8
// within the limit, and of a valid text its very end, less than a character
// short.
func FuzzTail(f *testing.F) {
	f.Add([]byte("aé€😀\xff\xfe\xe2\x82"), uint8(3), uint8(5))
	f.Add(bytes.Repeat([]byte("€"), 40), uint8(7), uint8(9))
	f.Add(bytes.Repeat([]byte("\xff"), 99), uint8(1), uint8(4))
	f.Fuzz(func(t *testing.T, all []byte, piece, limit uint8) {
		w := tail{keep: int(limit)}
		for rest := all; len(rest) > 0; {
			n := min(int(piece)+1, len(rest))
			w.add(rest[:n])
			rest = rest[n:]
			if text, _ := w.text(int(limit), false); !utf8.ValidString(text) || len(text) > int(limit) {
				t.Fatalf("%q of %q", text, all)
			}
		}
		text, cut := w.text(int(limit), true)
		if !utf8.ValidString(text) || len(text) > int(limit) || len(w.buf) > 2*w.keep {
			t.Fatalf("%q, %d kept", text, len(w.buf))
		}
		if !utf8.Valid(all) {
			return
		}
		if short := len(all) - len(text); !strings.HasSuffix(string(all), text) || cut != (short > 0) || cut && len(text) <= int(limit)-utf8.UTFMax {
			t.Fatalf("%q of %q, cut %v", text, all, cut)
		}
	})
}

package redact

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func FuzzSummary(f *testing.F) {
	f.Add("open /home/a b/c: failed, Bearer abc", "abc")
	f.Add("https://u:p@h/x?api_key=sk-123", "sk-123")
	f.Add(`C:\Users\Анна Б\x.exe --key v`, "v")
	f.Add("\xff\x1b[31m\u202e-----BEGIN", "redacted")
	f.Add("…", "…")
	f.Fuzz(func(t *testing.T, text, secret string) {
		out := Summary(text+secret+text, secret)
		lines := Stderr([]string{text, secret, text + secret}, secret)
		for _, s := range append(lines, out, Target(text), Target(secret+text), Executable(text)) {
			if !utf8.ValidString(s) || len(s) > MaxSummary || strings.ContainsFunc(s, unicode.IsControl) {
				t.Errorf("%q", s)
			}
		}
		if trimmed := strings.TrimSpace(secret); trimmed != "" && utf8.ValidString(secret) {
			for _, s := range append(lines, out) {
				if strings.Contains(s, trimmed) {
					t.Errorf("%q is in %q", trimmed, s)
				}
			}
		}
	})
}

// Around what a path can stand between, none of its folders comes out.
func FuzzPathIsGone(f *testing.F) {
	f.Add("open ", ": failed")
	f.Add("'", "'")
	f.Add("\x1b[1m", "\n")
	f.Add("\x1b ", "0")
	f.Add("\x1b[", "")
	f.Add("d\x1b[", "0\xc8000Î0")
	f.Add("", "")
	f.Fuzz(func(t *testing.T, before, after string) {
		for _, path := range []string{"/home/qzxfolder/f", `C:\Users\qzxfolder\f`, `\\qzxfolder\share\f`, "~/qzxfolder/f"} {
			if before != "" && !strings.HasSuffix(before, " ") {
				before += " "
			}
			if out := Summary(before + path + after); strings.Contains(out, "qzxfolder") {
				t.Errorf("%q + %q + %q: %q", before, path, after, out)
			}
		}
	})
}

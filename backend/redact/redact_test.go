package redact

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// summaries holds a text and what is left of it.
var summaries = map[string]string{
	"":                                    "",
	"connection refused":                  "connection refused",
	"2 of 3 tools, 50% done (n/a)":        "2 of 3 tools, 50% done (n/a)",
	"bad content type text/html; v=1":     "bad content type text/html; v=1",
	"exit status 41 - see the log":        "exit status 41 - see the log",
	"well-known and/or built-in servers":  "well-known and/or built-in servers",
	"Get \"https://u:p@h:1/x?k=v\": EOF":  `Get "https://h:1": EOF`,
	"see https://h/a/b?c=d.":              "see https://h.",
	"jdbc:postgresql://u:p@h/db failed":   "jdbc:postgresql://h failed",
	"proxy u:p4ss@h:8080 refused":         "proxy [redacted] refused",
	"юзер:пароль@h, éu:p@h refused":       "[redacted] [redacted] refused",
	"éhttps://u:p@h/x _https://u:p@h/x":   "éhttps://h _https://h",
	"1https://u:p@h/x":                    "1https://h",
	"ключapi_key=a éBearer b éghp_123456": "ключapi_key= [redacted] éBearer [redacted] é[redacted]",
	"éC:\\Users\\x":                       "é[path]",
	"ghp_12345678?a=b":                    "[redacted]?[redacted]",
	"GET x?api_key=sk-1 failed":           "GET x?[redacted] failed",
	"a\tb\r\nc\u2028d":                    "a b c d",

	"Authorization: Bearer abc def":                       "Authorization: [redacted]",
	"sent Bearer abc to the server":                       "sent Bearer [redacted] to the server",
	"sent basic dTpw twice":                               "sent basic [redacted] twice",
	`header "X-Api-Key": "a b c", refused`:                `header "X-Api-Key": [redacted], refused`,
	"OPENAI_API_KEY=hunter2 is invalid":                   "OPENAI_API_KEY= [redacted] is invalid",
	"password: a b c":                                     "password: [redacted]",
	"Cookie: a=b; c=d\nnext":                              "Cookie: [redacted] next",
	"auth_required: please log in":                        "auth_required: please log in",
	"Authentication: none given":                          "Authentication: none given",
	"max_tokens: 4096 is over 2,048":                      "max_tokens: 4096 is over 2,048",
	"access_tokens=4a, x":                                 "access_tokens= [redacted] x",
	"token expired":                                       "token expired",
	"the key sk-proj-12345678 is invalid":                 "the key [redacted] is invalid",
	"got eyJhbGciOiJI.eyJzdWIi.c2ln here":                 "got [redacted] here",
	"see x-sk-12345678, x/ghp_12345678":                   "see x-[redacted], [redacted]",
	"id 0123456789abcdef0123456789abcdef":                 "id [redacted]",
	"-----BEGIN KEY-----\nabc\n-----END KEY-----\nfailed": "[redacted] failed",
	"-----BEGIN KEY-----\nabc":                            "[redacted]",

	"exec npx -y foo --key v w: not found":             "exec npx [arguments]: not found",
	`exec: "npx -y foo --key 'a: b'": not found`:       `exec: "npx [arguments]: not found`,
	"unknown option --frobnicate\nsecond line":         "unknown option [arguments] second line",
	"x --msg \"not closed: it's\nsecond":               "x [arguments]: it's second",
	"\x1b[31m/home/anna/x\x1b[0m failed":               "[path] failed",
	"\x1b]0;PWNED\x07hello \x1b[2J\x00":                "hello ␀",
	"abc\u202edef\u200b":                               "abcdef",
	"open /home/a b/c: no such file or directory":      "open [path]: no such file or directory",
	"open '/home/a b/c' failed":                        "open '[path]' failed",
	`open "C:\Users\Анна Б\x.exe" failed`:              `open "[path]" failed`,
	`open C:\Users\Анна Б\x.exe: failed`:               `open [path]: failed`,
	"spawn /usr/bin/x ENOENT":                          "spawn [path] ENOENT",
	`\\srv\share\x is gone`:                            "[path] is gone",
	"file:///home/anna/x is gone":                      "[path] is gone",
	"file:///C:/Users/Anna B/x is gone":                "[path] is gone",
	"in ~/x, in ~anna, in ~":                           "in [path], in [path], in [path]",
	`in %USERPROFILE%\x and $HOME/x`:                   "in [path]",
	"no home /home/Anna Maria was found":               "no home [path]",
	`no home C:\Users\Anna Maria, was found`:           "no home [path], was found",
	"prefix:/home/anna/x":                              "prefix:[path]",
	"x/home/anna/y":                                    "x[path]",
	"(/opt/x) <C:\\y> `/z`":                            "([path]) <[path]> `[path]`",
	"root / is full":                                   "root / is full",
	"Cannot find module '/opt/it's/x' from '/opt/it'.": "Cannot find module '[path]'s/x' from '[path]'.",
}

func TestSummary(t *testing.T) {
	for in, want := range summaries {
		if got := Summary(in); got != want {
			t.Errorf("Summary(%q)\n got %q\nwant %q", in, got, want)
		}
	}
}

// Case 36: a cut never leaves half a character. Both sides of the limit.
func TestSummaryIsCut(t *testing.T) {
	at := strings.Repeat("ab ", 85) + "c" // 256 bytes
	if got := Summary(at); got != at {
		t.Errorf("at the limit: %q", got)
	}
	if got := Summary(at + "d"); len(got) > MaxSummary || !strings.HasSuffix(got, "…") {
		t.Errorf("over the limit: %d bytes, %q", len(got), got)
	}
	for shift := range 8 {
		text := strings.Repeat("a", shift) + strings.Repeat(" 😀", 80)
		if got := Summary(text); !utf8.ValidString(got) || len(got) > MaxSummary || len(got) < MaxSummary-8 {
			t.Errorf("shift %d: %d bytes, %q", shift, len(got), got)
		}
	}
}

func TestGivenSecrets(t *testing.T) {
	const secret = `pa"ss w&rd`
	for _, form := range []string{
		secret, "pa%22ss+w%26rd", "pa%22ss%20w&rd", `pa\"ss w\u0026rd`, "pa\"ss\x1b[1m w&rd", "pa\"ss\nw&rd",
		base64.StdEncoding.EncodeToString([]byte(secret)), base64.RawURLEncoding.EncodeToString([]byte(secret)),
	} {
		got := Summary("got <"+form+"> here", secret)
		if strings.Contains(got, form) || !strings.HasPrefix(got, "got <") || !strings.HasSuffix(got, "> here") || len(got) > 24 {
			t.Errorf("%q: %q", form, got)
		}
	}
	if got := Summary("a b c", "", " ", "\n"); got != "a b c" {
		t.Errorf("blank secrets: %q", got)
	}
	if got := Summary("one redacted e", "red", "e"); strings.ContainsAny(got, "e") {
		t.Errorf("a secret in our own words: %q", got)
	}
	if got := Summary("xababyy z", "ab", "xy"); strings.Contains(got, "xy") || strings.Contains(got, "ab") {
		t.Errorf("joined by a deletion: %q", got)
	}
	// Half a secret at the cut and at the bound of the input.
	long := strings.Repeat("word ", 50) + "hunter2hunter2"
	if got := Summary(long, "hunter2hunter2"); strings.Contains(got, "hunt") {
		t.Errorf("at the cut: %q", got)
	}
	long = strings.Repeat("/a/b ", maxInput/5) + "sk-123456789"
	if got := Summary(long[:maxInput+4]); strings.Contains(got, "sk-") {
		t.Errorf("at the bound: %q", got)
	}
}

// Secrets takes out what it is given, in every spelling, and nothing else.
func TestSecrets(t *testing.T) {
	const secret = `pa"ss w&rd`
	text := "https://u:p@h/x /home/a\n" + `pa\"ss w\u0026rd pa%22ss+w%26rd ` + base64.StdEncoding.EncodeToString([]byte(secret)) + " " + secret
	want := "https://u:p@h/x /home/a\n[redacted] [redacted] [redacted] [redacted]"
	if got := Secrets(text, secret, "", " "); got != want {
		t.Errorf("got %q, not %q", got, want)
	}
	if got := Secrets(text); got != text {
		t.Errorf("without a secret: %q", got)
	}
}

// Case 99: one text with everything in it.
func TestCase99(t *testing.T) {
	text := `connect https://u:p4ssw0rd@h.example/x?api_key=sk-123 failed: 401, header X-Api-Key: tok-987, ` +
		`env TOKEN=abc-xyz, in /home/annalena/project dir/x, C:\Users\annalena\y, bearer qwertz, run npx srv --key v4lue`
	got := Summary(text, "abc-xyz")
	for _, leak := range []string{"u:p", "p4ss", "sk-123", "api_key=", "tok-987", "abc-xyz", "annalena", "project", "qwertz", "v4lue", "/x"} {
		if strings.Contains(got, leak) {
			t.Errorf("%q leaks: %q", leak, got)
		}
	}
	if !strings.Contains(got, "https://h.example") || !strings.Contains(got, "401") {
		t.Errorf("lost what may stay: %q", got)
	}
}

func TestStderr(t *testing.T) {
	lines := []string{"first", "", "  at /home/anna/x.js:1:2", "KEY line one", "line two secret", "\x1b[31mlast\x1b[0m"}
	got := Stderr(lines, "line one\nline two")
	want := []string{"first", "at [path]", "KEY [redacted] secret", "last"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q, not %q", got, want)
	}
	many := make([]string, 1000)
	for i := range many {
		many[i] = strings.Repeat("x ", i)
	}
	got = Stderr(many)
	if len(got) != MaxLines {
		t.Errorf("%d lines", len(got))
	}
	for _, line := range got {
		if len(line) > MaxSummary {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
	if got := Stderr(nil); got == nil || len(got) != 0 {
		t.Errorf("nothing gives %v", got)
	}
}

// Case 78: a process may write any amount of anything.
func TestTimeIsBounded(t *testing.T) {
	for _, unit := range []string{"a.", "-a ", "/", "/a", "/a ", "a:", "a@", `"`, "'/", "token", "key=", "a=", "~", "\\", "\x1b[", "\x1b]", "C:\\", "--", "?=", "https://", "'a ", "a-", "😀"} {
		text := strings.Repeat(unit, 4<<20/len(unit))
		start := time.Now()
		Summary(text, "some secret")
		Target(text)
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%q: %v", unit, took)
		}
	}
}

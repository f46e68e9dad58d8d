package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestCompact(t *testing.T) {
	for in, want := range map[string]string{
		` { "b" : 1 , "a" : [ 1 , 2 ] } `:               `{"b":1,"a":[1,2]}`,
		"[\t{\r\n}\n,[ ] ]":                             `[{},[]]`,
		`{"a":"x  y\t"}`:                                `{"a":"x  y\t"}`,
		`"\u003c\u003C\u003e\u003E\u0026"`:              `"<<>>&"`,
		`{"\u003cb":"a<b>&c"}`:                          `{"<b":"a<b>&c"}`,
		`"\\u003c"`:                                     `"\\u003c"`,
		`"\\\u003c"`:                                    `"\\<"`,
		`"\u2028\u003d\u00e9\ud800\/\b"`:                `"\u2028\u003d\u00e9\ud800\/\b"`,
		"\"\u2028\x7f\"":                                "\"\u2028\x7f\"",
		"\"\xff\"":                                      "\"\xff\"",
		`{"a":1e400,"a":-0.0E+10,"n":9007199254740993}`: `{"a":1e400,"a":-0.0E+10,"n":9007199254740993}`,
		`true`: `true`, `[false,null]`: `[false,null]`, `""`: `""`, `{}`: `{}`, `-0`: `-0`,
	} {
		got, err := Compact([]byte(in))
		if err != nil || string(got) != want {
			t.Errorf("Compact(%s) = %s, %v, not %s", in, got, err, want)
		}
	}
}

func TestCompactRefusesWhatIsNoJSON(t *testing.T) {
	for _, in := range []string{
		"", " ", "{", "[", "[1", "[1,", "[1,]", "{,}", `{"a"`, `{"a":`, `{"a":}`, `{"a":1,}`, `{a:1}`, `{"a":1]`, "[}",
		"1 2", "{}}", "tru", "nul", "01", "1.", "1e", "-", "+1", ".5", `"`, `"\`, `"\x"`, `"\u12"`, `"\u12g4"`, "\"\n\"", "\x00", "{}\x00",
	} {
		if got, err := Compact([]byte(in)); !errors.Is(err, ErrNotJSON) || got != nil {
			t.Errorf("Compact(%q) = %q, %v", in, got, err)
		}
	}
}

// encoding/json gives up at 10,000 levels.
func TestCompactHasNoDepthLimit(t *testing.T) {
	const levels = 200_000
	deep := strings.Repeat(`{"a":[`, levels) + "1" + strings.Repeat("]}", levels)
	got, err := Compact([]byte(deep))
	if err != nil || string(got) != deep {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func FuzzCompact(f *testing.F) {
	f.Add([]byte(` {"a" : "\u003c\\u003c", "b":[1e400,true]} `))
	f.Add([]byte(`"\ud800` + "\xff" + `"`))
	f.Add([]byte(`[[[{"":{}}]]]`))
	f.Fuzz(func(t *testing.T, in []byte) {
		before := bytes.Clone(in)
		got, err := Compact(in)
		if !bytes.Equal(in, before) {
			t.Fatal("the input was changed")
		}
		if (err == nil) != json.Valid(in) {
			t.Fatalf("%q: %v, encoding/json says %v", in, err, json.Valid(in))
		}
		if err != nil {
			return
		}
		again, err := Compact(got)
		if err != nil || !bytes.Equal(again, got) {
			t.Fatalf("%q is not stable: %q, %v", got, again, err)
		}
		var plain bytes.Buffer
		if err := json.Compact(&plain, in); err != nil {
			t.Fatal(err)
		}
		if want := unescapeMarkup(plain.String()); want != string(got) {
			t.Fatalf("%q: got %q, not %q", in, got, want)
		}
	})
}

// unescapeMarkup is a second way to the same: escapes are split off in pairs.
func unescapeMarkup(s string) string {
	var out strings.Builder
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			return out.String() + s
		}
		out.WriteString(s[:i])
		s = s[i:]
		if len(s) >= 6 {
			if c, ok := map[string]string{`\u003c`: "<", `\u003e`: ">", `\u0026`: "&"}[strings.ToLower(s[:6])]; ok && s[1] == 'u' {
				out.WriteString(c)
				s = s[6:]
				continue
			}
		}
		out.WriteString(s[:2])
		s = s[2:]
	}
}

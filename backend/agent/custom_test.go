package agent

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestSplitCommand(t *testing.T) {
	for line, want := range map[string][]string{
		"":                                nil,
		" \t\n ":                          nil,
		"agent --acp":                     {"agent", "--acp"},
		`  npx   -y "@scope/my agent"  `:  {"npx", "-y", "@scope/my agent"},
		`a 'it"s $HOME \n' "b\"c" ''`:     {"a", `it"s $HOME \n`, `b"c`, ""},
		`C:\Tools\agent.exe --in C:\new`:  {`C:\Tools\agent.exe`, "--in", `C:\new`},
		`"C:\Program Files\agent.exe" x`:  {`C:\Program Files\agent.exe`, "x"},
		`my\ agent it\'s \"q\" a\\b end\`: {"my agent", "it's", `"q"`, `a\\b`, `end\`},
		`--x="a b"c'd e'`:                 {"--x=a bcd e"},
		"agent | tee $LOG && ls *":        {"agent", "|", "tee", "$LOG", "&&", "ls", "*"},
		"agent\u00a0x":                    {"agent", "x"}, // a blank as pages have them
	} {
		if got, err := SplitCommand(line); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v", line, got, err)
		}
	}
	for _, line := range []string{`a "b`, `a 'b`, `"\"`, `'`} {
		if got, err := SplitCommand(line); err == nil {
			t.Errorf("%q: %q", line, got)
		}
	}
}

// A word that is shown is one word again when it is taken apart, and a plain one
// is shown as it is.
func TestShellWord(t *testing.T) {
	for word, want := range map[string]string{
		"plain/a-b.c=1": "plain/a-b.c=1", "": "''", "two words": "'two words'", "it's": `'it'\''s'`, `C:\x`: `'C:\x'`,
		"$HOME": "'$HOME'", "~/x": "'~/x'", "a;b": "'a;b'", "!!": "'!!'", "line\nbreak": "'line\nbreak'",
	} {
		if got := ShellWord(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
		if words, err := SplitCommand(ShellWord(word)); err != nil || len(words) != 1 || words[0] != word {
			t.Errorf("%q comes back as %q, %v", word, words, err)
		}
	}
}

func TestCustomCheck(t *testing.T) {
	good := Custom{ID: "custom_a", Name: "Mine", Line: "agent", Bearer: BearerHeader}
	others := []Custom{good, {ID: "custom_b", Name: "Other"}}
	env := func(names ...string) (out []Kept) {
		for _, n := range names {
			out = append(out, Kept{Name: n})
		}
		return out
	}
	for want, change := range map[string]func(*Custom){
		"":                                   func(c *Custom) { c.Env = env("A", "a", "HTTP_PROXY") },
		"it needs a name":                    func(c *Custom) { c.Name = " " },
		"more than 64 characters":            func(c *Custom) { c.Name = strings.Repeat("ü", 65) },
		"characters that cannot be seen":     func(c *Custom) { c.Name = "a\u202eb" },
		"another agent is named Codex":       func(c *Custom) { c.Name = "codex" },
		"another agent is named Other":       func(c *Custom) { c.Name = "OTHER" },
		"it needs a command":                 func(c *Custom) { c.Line = "  " },
		": it needs a command":               func(c *Custom) { c.Line = `"" --acp` },
		"longer than 4096 bytes":             func(c *Custom) { c.Line = strings.Repeat("x", 10000) },
		"line has characters that cannot":    func(c *Custom) { c.Line = "a\x00b" },
		"a quote that is not closed":         func(c *Custom) { c.Line = "a 'b" },
		"more than 256 arguments":            func(c *Custom) { c.Line = strings.Repeat("x ", 258) },
		`not by "file"`:                      func(c *Custom) { c.Bearer = "file" },
		"a variable needs a name":            func(c *Custom) { c.Env = env("") },
		`variable "A=B" has characters`:      func(c *Custom) { c.Env = env("A=B") },
		"the variable A is there twice":      func(c *Custom) { c.Env = env("A", "B", "A") },
		"KANDEV_MCP_TOKEN is Kandev's own":   func(c *Custom) { c.Env = env("KANDEV_MCP_TOKEN") },
		"the variable kandev_x is Kandev's":  func(c *Custom) { c.Env = env("kandev_x") },
		"it has more than 64 variables":      func(c *Custom) { c.Env = make([]Kept, 65) },
		"there are 64 already":               func(c *Custom) { c.ID = "custom_new" },
		"its command line has characters th": func(c *Custom) { c.Line = "a\xffb" },
	} {
		c, beside := good, others
		change(&c)
		if want == "there are 64 already" {
			beside = make([]Custom, MaxCustom)
		}
		err := c.Clean().Check(beside)
		if want == "" && err == nil {
			continue
		}
		if err == nil || !errors.Is(err, ErrCustom) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	if err := CheckCustomValue("A", "secret\x00"); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
}

// No id of a known agent looks like one of the person's, and what is not given
// is what the specifications say.
func TestCustomDefinition(t *testing.T) {
	for _, d := range Known() {
		if strings.HasPrefix(d.ID, CustomPrefix) {
			t.Error(d.ID)
		}
	}
	d := Custom{ID: "custom_a", Name: "Mine", Line: `node "my agent.mjs" --acp`}.Clean().Definition()
	if want := (Definition{ID: "custom_a", Name: "Mine", Command: "node", Args: []string{"my agent.mjs", "--acp"}, Capabilities: Capabilities{BearerFrom: BearerHeader}}); fmt.Sprint(d) != fmt.Sprint(want) {
		t.Errorf("%+v", d)
	}
}

// FuzzSplitCommand: words put between single quotes come back as they were.
func FuzzSplitCommand(f *testing.F) {
	f.Add(`a 'b c' "d\"e" \ `)
	f.Fuzz(func(t *testing.T, line string) {
		words, err := SplitCommand(line)
		if err != nil {
			return
		}
		var again []string
		for _, w := range words {
			again = append(again, "'"+strings.ReplaceAll(w, "'", `'\''`)+"'")
		}
		if got, err := SplitCommand(strings.Join(again, " ")); err != nil || !slices.Equal(got, words) {
			t.Errorf("%q: %q, then %q, %v", line, words, got, err)
		}
	})
}

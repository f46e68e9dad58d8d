package toolbench

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParse(t *testing.T) {
	for in, want := range map[string]command{
		"":                       {verb: verbHelp},
		" /help ":                {verb: verbHelp},
		"Help me":                {verb: verbHelp},
		"tools":                  {verb: verbTools},
		"/tools  a b ":           {verb: verbTools, rest: "a b"},
		"schema":                 {verb: verbSchema},
		"/schema /x":             {verb: verbSchema, name: "x"},
		"x":                      {verb: verbCall, name: "x", line: "x"},
		"/x {}":                  {verb: verbCall, name: "x", rest: "{}", line: "x {}"},
		"x{\"a\":1}":             {verb: verbCall, name: "x", rest: "{\"a\":1}", line: "x{\"a\":1}"},
		"x\n{\n}":                {verb: verbCall, name: "x", rest: "{\n}", line: "x\n{\n}"},
		"/call /s/x {}":          {verb: verbCall, name: "s/x", rest: "{}", line: "s/x {}"},
		"call {}":                {verb: verbCall, name: "call", rest: "{}", line: "call {}"},
		"call tools {}":          {verb: verbCall, name: "tools", rest: "{}", line: "tools {}"},
		"call":                   {verb: verbCall},
		"{}":                     {verb: verbCall, rest: "{}", line: "{}"},
		"tool\u00a0name {}":      {verb: verbCall, name: "tool", rest: "name {}", line: "tool\u00a0name {}"},
		"x not json":             {verb: verbCall, name: "x", rest: "not json", line: "x not json"},
		"\u202ex":                {verb: verbCall, name: "\u202ex", line: "\u202ex"},
		"schema Get File":        {verb: verbSchema, name: "Get File"},
		"/tools {\"filter\": 1}": {verb: verbTools, rest: "{\"filter\": 1}"},
	} {
		if got := parse(in); got != want {
			t.Errorf("%q: got %+v, want %+v", in, got, want)
		}
	}
}

func TestArguments(t *testing.T) {
	for in, want := range map[string]string{
		"":               "",
		`{"a":[1e400]}`:  "",
		`[1]`:            "must be one JSON object",
		`"x"`:            "must be one JSON object",
		`null`:           "must be one JSON object",
		`{`:              "line 1, column 2",
		`{"a":1`:         "line 1, column 7",
		`{"a" 1}`:        "line 1, column 6",
		`name`:           "line 1, column 2",
		"{\n\"é\":\tx}":  "line 2, column 6",
		`{"a":1}}`:       "line 1, column 8",
		`{"a":1} // why`: "line 1, column 9",
		strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000): "exceeded max depth",
	} {
		raw, problem := arguments(in)
		if want == "" && (problem != "" || len(raw) == 0) || !strings.Contains(problem, want) {
			t.Errorf("%.40q: got %q, %q", in, raw, problem)
		}
	}
}

func TestNamesWithBlanks(t *testing.T) {
	one := table{{&server{name: "s"}, toolNamed("Get File")}, {&server{name: "s"}, toolNamed("Get")}}
	for in, want := range map[string][2]string{
		`Get File {"a":1}`: {"Get File", `{"a":1}`},
		`s/Get File`:       {"s/Get File", ""},
		`Get {}`:           {"Get", "{}"},
		`GetFile`:          {"", ""},
	} {
		name, rest := one.startOf(in)
		if name != want[0] || rest != want[1] {
			t.Errorf("%q: got %q, %q", in, name, rest)
		}
	}
}

func TestFind(t *testing.T) {
	s := &server{name: "kandev"}
	both := table{{s, toolNamed("a")}, {s, toolNamed("a_kandev")}, {s, toolNamed("b_kandev")}, {s, toolNamed("c")}}
	for in, want := range map[string]string{
		"a": "a", "a_kandev": "a_kandev", "b": "b_kandev", "kandev/b": "b_kandev", "c_kandev": "c", "d": "", "": "", "_kandev": "",
	} {
		got := ""
		for _, e := range both.find(in) {
			got += e.tool.Name
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"abc", "ab", 1}, {"kitten", "sitting", 3}, {"abc", "xyzvw", 5}} {
		if got := distance(c.a, c.b, 5); got != c.want {
			t.Errorf("%q %q: %d", c.a, c.b, got)
		}
	}
}

func FuzzPrompt(f *testing.F) {
	for _, s := range []string{"", "/", "tools x", "schema", "call call call", `x {"a":`, "x\x00{", "```", "é{\n\n]"} {
		f.Add(s)
	}
	t := table{{&server{name: "s"}, toolNamed("wipe")}, {&server{name: "r"}, toolNamed("wipe")}, {&server{name: "s"}, toolNamed("Get File")}}
	f.Fuzz(func(tt *testing.T, text string) {
		c := parse(text)
		if c.verb == verbCall && !strings.HasPrefix(c.line, c.name) {
			tt.Errorf("%+v: the name is not the start of the line", c)
		}
		raw, problem := arguments(c.rest)
		if (raw == nil) == (problem == "") {
			tt.Errorf("%q: %q and %q", c.rest, raw, problem)
		}
		t.startOf(c.line)
		e, sentence := t.pick(c.name)
		if (e.tool == nil) == (sentence == "") {
			tt.Errorf("%q: both or neither", c.name)
		}
		answers := []string{sentence, toolList(t, c.rest), schemaOf(t, c.name)}
		if utf8.ValidString(text) { // what comes over JSON is
			answers = append(answers, wrongArguments(problem, c.name, c.rest))
		}
		for _, s := range answers {
			if !utf8.ValidString(s) {
				tt.Errorf("%q gives invalid UTF-8", text)
			}
		}
	})
}

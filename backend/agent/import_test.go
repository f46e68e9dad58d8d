package agent

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// summary is an import as one line a test can read.
func summary(i Imported) string {
	s := i.Server
	return strings.TrimSpace(fmt.Sprintf("%s %s %s%s %v env%v headers%v off=%t | %s", s.Name, s.Transport, s.Command, s.URL, s.Args, i.Env, i.Headers, s.Off, strings.Join(i.Notes, " ")))
}

// TestParseServers: the forms in which other products write them.
func TestParseServers(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
		others     []string
	}{
		{
			"Claude Desktop", `{"mcpServers":{"files":{"command":"npx","args":["-y","@x/files","/src"],"env":{"TOKEN":"t1"}}},"globalShortcut":""}`,
			[]string{"files stdio npx [-y @x/files /src] env[{TOKEN t1}] headers[] off=false |"},
			[]string{"globalShortcut"},
		},
		{
			"Claude Code", `{"mcpServers":{"b":{"type":"http","url":"https://h/mcp","headers":{"Authorization":"Bearer ${KEY}"}},"a":{"type":"sse","url":"https://h/sse"}}}`,
			[]string{
				"b http https://h/mcp [] env[] headers[{Authorization Bearer ${KEY}}] off=false | ${…} was left as it is: Kandev does not expand it, the agent may.",
				"a sse https://h/sse [] env[] headers[] off=false |",
			},
			nil,
		},
		{
			"Cursor", `{"mcpServers":{"s":{"url":"https://h/mcp"}}}`,
			[]string{"s http https://h/mcp [] env[] headers[] off=false | No type is given: HTTP was assumed."},
			nil,
		},
		{
			"VS Code", "{ // mine\n\"servers\": {\"g\": {\"type\": \"stdio\", \"command\": \"gh\", \"envFile\": \"x\",},}, /* asks */ \"inputs\": [],\n}",
			[]string{`g stdio gh [] env[] headers[] off=false | "envFile" is not known here and was left out.`},
			[]string{"inputs"},
		},
		{
			"VS Code settings", `{"editor.x":1,"mcp":{"servers":{"g":{"command":"gh"}}}}`,
			[]string{"g stdio gh [] env[] headers[] off=false |"},
			[]string{"editor.x"},
		},
		{
			"Gemini", `{"mcpServers":{"a":{"httpUrl":"https://h/a"},"b":{"url":"https://h/b","timeout":5,"trust":true}}}`,
			[]string{
				"a http https://h/a [] env[] headers[] off=false |",
				`b sse https://h/b [] env[] headers[] off=false | "timeout" is not known here and was left out. "trust" is not known here and was left out.`,
			},
			nil,
		},
		{
			"OpenCode", `{"$schema":"s","mcp":{"l":{"type":"local","command":["bun","x","y"],"environment":{"A":1,"B":true},"enabled":false},"r":{"type":"remote","url":"https://h"}}}`,
			[]string{"l stdio bun [x y] env[{A 1} {B true}] headers[] off=true |", "r http https://h [] env[] headers[] off=false |"},
			[]string{"$schema"},
		},
		{"Windsurf", `{"mcpServers":{"w":{"serverUrl":"https://h","disabled":true}}}`, []string{"w http https://h [] env[] headers[] off=true |"}, nil},
		{"Zed", `{"context_servers":{"z":{"command":"c","args":[]}}}`, []string{"z stdio c [] env[] headers[] off=false |"}, nil},
		{"entries alone", `{"one":{"command":"c"},"two":{"x":1}}`, []string{"one stdio c [] env[] headers[] off=false |"}, []string{"two"}},
		{"a key twice", `{"mcpServers":{"a":{"command":"old"},"a":{"command":"new"}}}`, []string{"a stdio new [] env[] headers[] off=false |"}, nil},
		{
			"wrong kinds", `{"mcpServers":{"a":{"command":7,"args":"x","env":{"A":null,"B":{}},"headers":[],"url":null,"transport":"pigeon"},"b":1}}`,
			[]string{
				`a pigeon  [] env[] headers[] off=false | "command" is no list of texts and was left out. "args" is no list of texts and was left out. The value of A is no text and was left out. The value of B is no text and was left out. "headers" is no object and was left out.`,
				"b   [] env[] headers[] off=false | The entry is no object.",
			},
			nil,
		},
		{"comment marks in texts", `{"mcpServers":{"a":{"url":"http://h/*x*/,]","type":"http"}}}`, []string{"a http http://h/*x*/,] [] env[] headers[] off=false |"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			servers, others, err := ParseServers([]byte("\ufeff" + c.text))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range servers {
				got = append(got, summary(s))
			}
			if !reflect.DeepEqual(got, c.want) || !reflect.DeepEqual(others, c.others) {
				t.Errorf("got  %q %q\nwant %q %q", got, others, c.want, c.others)
			}
		})
	}
}

// TestNoServers: a sentence, and no byte of what was pasted.
func TestNoServers(t *testing.T) {
	for _, text := range []string{"", "hidden", `"hidden"`, `{"hidden":`, `{}`, `{"mcpServers":{}}`, `{"mcpServers":"hidden"}`, `[{"command":"hidden"}]`, `{"a":{"command":"x"}} hidden`, "{/*hidden"} {
		servers, _, err := ParseServers([]byte(text))
		if !errors.Is(err, ErrImport) || servers != nil || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%q: %v %v", text, servers, err)
		}
	}
	if _, _, err := ParseServers(make([]byte, MaxImport+1)); !errors.Is(err, ErrImport) {
		t.Errorf("too long: %v", err)
	}
}

func FuzzParseServers(f *testing.F) {
	f.Add([]byte(`{"mcpServers":{"a":{"command":["x",1],"args":[1,null],"env":{"A":1e5},"url":"${X}","type":"sse"}}}`))
	f.Add([]byte("{\"servers\":{\"a\":{\"url\":\"\\\"//\",},},}//"))
	f.Fuzz(func(t *testing.T, text []byte) {
		began := time.Now()
		servers, _, err := ParseServers(text)
		if (err == nil) != (len(servers) > 0) {
			t.Errorf("%d servers, %v", len(servers), err)
		}
		for _, i := range servers {
			s := i.Server.Clean()
			_ = s.Check(nil)
		}
		if time.Since(began) > 5*time.Second {
			t.Error("too slow")
		}
	})
}

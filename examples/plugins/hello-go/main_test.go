package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func TestCall(t *testing.T) {
	for _, c := range []struct {
		name, input, greeting, output, err string
	}{
		{"greets", `{"params":{"name":"hello","arguments":{"name":"Ada"}}}`, "", `{"content":[{"type":"text","text":"Hello, Ada!"}]}`, ""},
		{"as the person set it", `{"params":{"name":"hello","arguments":{"name":"Ada"}}}`, "Ahoy", `{"content":[{"type":"text","text":"Ahoy, Ada!"}]}`, ""},
		{"what JSON escapes", `{"params":{"name":"hello","arguments":{"name":"\"\\\u0001 Zoë \ud83d\ude00 0123456789"}}}`, "", `{"content":[{"type":"text","text":"Hello, \"\\\u0001 Zoë 😀 0123456789!"}]}`, ""},
		{"another tool", `{"params":{"name":"bye"}}`, "", "", "there is no tool bye"},
		{"not JSON", `{`, "", "", "the request is not valid JSON"},
	} {
		t.Run(c.name, func(t *testing.T) {
			host.input, host.output, host.err = c.input, "", ""
			host.config = map[string]string{"greeting": c.greeting}
			code := call()
			if host.output != c.output || host.err != c.err || (code != 0) != (c.err != "") {
				t.Errorf("call() = %d, output %q, error %q", code, host.output, host.err)
			}
		})
	}
}

// What answer quotes is read back as it was.
func TestAnswer(t *testing.T) {
	for _, text := range []string{"", "plain", "\x00\x1f \x7f", `\\"`, "01234567\"0123456789é", "日本語🙂", "bad \xff byte"} {
		answer(text)
		var got struct{ Content []struct{ Text string } }
		if err := json.Unmarshal([]byte(host.output), &got); err != nil || got.Content[0].Text != strings.ToValidUTF8(text, "\ufffd") {
			t.Errorf("%q became %q (%v)", text, host.output, err)
		}
	}
}

// The app refuses a module that describes a tool which plugin.json does not declare.
func TestDescribeAgreesWithManifest(t *testing.T) {
	type list struct {
		Tools []struct{ Name, Description string }
	}
	var declared, described list
	text, err := os.ReadFile("plugin.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &declared); err != nil {
		t.Fatal(err)
	}
	if describe() != 0 {
		t.Fatal(host.err)
	}
	if err := json.Unmarshal([]byte(host.output), &described); err != nil {
		t.Fatal(err)
	}
	if len(declared.Tools) != len(described.Tools) {
		t.Fatalf("plugin.json declares %d tools, the module describes %d", len(declared.Tools), len(described.Tools))
	}
	for i, d := range declared.Tools {
		if d != described.Tools[i] {
			t.Errorf("plugin.json declares %+v, the module describes %+v", d, described.Tools[i])
		}
	}
}

package toolbench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

const helpText = "Here you call the session's tools by hand. No model reads what you write.\n\n" +
	"- `tools [filter]` lists what can be called\n" +
	"- `schema TOOL` shows a tool's arguments as JSON Schema\n" +
	"- `TOOL {\"name\": \"value\"}` calls a tool; without arguments, only its name\n" +
	"- `help` shows this\n\n" +
	"A leading `/` is optional. `_kandev` at the end of a name may be left out. `SERVER/TOOL` picks a server."

// schemaLimit bounds a message; the window's explorer shows any schema whole.
const schemaLimit = 512 << 10

// run does what one prompt asks for. It returns when it is done or soon after ctx ends.
func (s *session) run(ctx context.Context, text string) {
	c := parse(text)
	t := s.table()
	switch c.verb {
	case verbHelp:
		s.say(ctx, helpText)
	case verbTools:
		s.say(ctx, toolList(t, c.rest))
	case verbSchema:
		s.say(ctx, schemaOf(t, c.name))
	case verbCall:
		s.runCall(ctx, t, c)
	}
}

func (s *session) runCall(ctx context.Context, t table, c command) {
	if len(t.find(c.name)) == 0 {
		if name, rest := t.startOf(c.line); name != "" {
			c.name, c.rest = name, rest
		}
	}
	if c.name == "" {
		s.say(ctx, "Name a tool. `tools` lists what can be called.")
		return
	}
	e, problem := t.pick(c.name)
	if problem != "" {
		s.say(ctx, problem)
		return
	}
	args, problem := arguments(c.rest)
	if problem != "" {
		s.say(ctx, wrongArguments(problem, c.name, c.rest))
		return
	}
	s.call(ctx, e, t.shown(e), args)
}

// toolList is a Markdown list of the tools whose name or description has the filter in it.
func toolList(t table, filter string) string {
	if len(t) == 0 {
		return "No tools are connected to this session."
	}
	var b strings.Builder
	needle := strings.ToLower(filter)
	for _, e := range t {
		if !strings.Contains(strings.ToLower(e.qualified()+" "+e.tool.Description), needle) {
			continue
		}
		fmt.Fprintf(&b, "- %s", code(t.shown(e)))
		if d := firstSentence(e.tool.Description); d != "" {
			fmt.Fprintf(&b, " — %s", literal(d))
		}
		b.WriteByte('\n')
	}
	if b.Len() == 0 {
		return "No tool's name or description contains " + code(filter) + "."
	}
	return b.String()
}

// schemaOf is a tool's input schema as a JSON block.
func schemaOf(t table, name string) string {
	if name == "" {
		return "Name a tool: `schema TOOL`. `tools` lists what can be called."
	}
	e, problem := t.pick(name)
	if problem != "" {
		return problem
	}
	text, err := indented(e.tool.InputSchema)
	if err != nil {
		return "The schema of " + code(t.shown(e)) + " could not be written as JSON."
	}
	if len(text) > schemaLimit {
		return fmt.Sprintf("The schema of %s is too long for a message (%d bytes).", code(t.shown(e)), len(text))
	}
	return fence("json", text)
}

// indented writes v as JSON for people: indented, and without the HTML escapes of encoding/json.
func indented(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

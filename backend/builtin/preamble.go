package builtin

import (
	"strings"
)

// Preamble is what Kandev tells an agent about its tools: the MCP instructions
// and the first text block of the first prompt of an attempt. The same for
// every agent; a line that names a tool outside the profile is left out.
func Preamble(p Profile) string {
	served := map[string]bool{}
	for _, d := range Tools(p, Host{}) {
		served[strings.TrimSuffix(d.Name, "_kandev")] = true
	}
	var out strings.Builder
	for line := range strings.Lines(text("preamble")) {
		if tool, rest, ok := cutTool(line); !ok {
			out.WriteString(line)
		} else if served[tool] {
			out.WriteString(rest)
		}
	}
	return out.String()
}

// cutTool splits "{{tool}}rest".
func cutTool(line string) (tool, rest string, ok bool) {
	after, found := strings.CutPrefix(line, "{{")
	if !found {
		return "", line, false
	}
	return strings.Cut(after, "}}")
}

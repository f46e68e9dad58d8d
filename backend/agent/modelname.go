package agent

import "strings"

// ToolName is the programmatic name that this agent's client gives to a tool of
// an MCP server. "" when the form is not known, when it does not name the
// server, so that other servers' tools could have the same name, or when the
// client would change a name of that length.
func (c Capabilities) ToolName(server, served string) string {
	if !strings.Contains(c.ModelName, "{server}") || !strings.Contains(c.ModelName, "{tool}") {
		return ""
	}
	name := strings.NewReplacer("{server}", server, "{tool}", served).Replace(c.ModelName)
	if c.NameLimit > 0 && len(name) > c.NameLimit {
		return ""
	}
	return name
}

// CouldName reports whether a tool of another server could have this name, in
// the form of this client: one that begins and ends as its names do. Clients
// replace characters of server names, so they are compared as letters and
// digits only.
func (c Capabilities) CouldName(server, name string) bool {
	before, after, _ := strings.Cut(strings.ReplaceAll(c.ModelName, "{server}", server), "{tool}")
	plain := letters(name)
	return strings.HasPrefix(plain, letters(before)) && strings.HasSuffix(plain, letters(after))
}

func letters(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, s)
}

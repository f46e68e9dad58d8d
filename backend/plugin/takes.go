package plugin

import (
	"fmt"
	"strings"
)

// Takes says in words for a person why a file of this plugin's id is no update
// of it; nil when it is one, and is told as one. The id of a package stands in
// its manifest. That of a module without one is the name of its file, which many
// have: it never takes the place of a package, and where either side is such a
// module they have to have a tool in common. What was granted to one file would
// else be another's.
func (i Installation) Takes(m Manifest) error {
	switch {
	case !m.Bare && !i.Manifest.Bare:
		return nil
	case m.Bare && !i.Manifest.Bare:
		return fmt.Errorf("a plugin %q is installed that came with a plugin.json, and this module has none: give the file another name, or remove that plugin first", m.ID)
	}
	for _, t := range m.Tools {
		if _, has := i.Manifest.Tool(t.Name); has {
			return nil
		}
	}
	way := "give the file another name, or remove that one first"
	if !m.Bare {
		way = "remove that one first"
	}
	return fmt.Errorf("another module is installed as %q, and this one has none of its tools (%s): %s", m.ID, strings.Join(i.Manifest.ToolNames(), ", "), way)
}

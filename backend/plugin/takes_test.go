package plugin

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestTakes: which file may take the place of an installed plugin of its id. A
// module without a manifest has only the name of its file.
func TestTakes(t *testing.T) {
	made := func(bare bool, tools ...string) Manifest {
		m := Manifest{ID: "plugin", Bare: bare}
		for _, name := range tools {
			m.Tools = append(m.Tools, Tool{Name: name, Description: "d", InputSchema: json.RawMessage(`{}`)})
		}
		return m
	}
	for name, c := range map[string]struct {
		have, next Manifest
		says       string // empty: it may
	}{
		"packages":                        {made(false, "a"), made(false, "b"), ""},
		"a module over a package":         {made(false, "a"), made(true, "a"), "came with a plugin.json"},
		"another build of a module":       {made(true, "a", "b"), made(true, "b", "c"), ""},
		"another module":                  {made(true, "a", "b"), made(true, "c"), "none of its tools (a, b)"},
		"a package of the module":         {made(true, "a"), made(false, "a", "b"), ""},
		"a package of another's name":     {made(true, "a"), made(false, "b"), "none of its tools (a)"},
		"names count letter by letter":    {made(true, "a"), made(true, "A"), "none of its tools"},
		"a module that describes no tool": {made(true, "a"), made(true), "none of its tools"},
	} {
		err := FirstInstalled(c.have, installedAt).Takes(c.next)
		if (err == nil) != (c.says == "") || err != nil && (!strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), `"plugin"`)) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}

package toolbench

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// suffix ends the names of our own tools; a person may leave it out, and a server may have left it out before.
const suffix = "_kandev"

// entry is one tool of one server.
type entry struct {
	server *server
	tool   *mcp.Tool
}

func (e entry) qualified() string { return e.server.name + "/" + e.tool.Name }

// table is what can be called at one moment, sorted by name, then in the order of the servers.
type table []entry

func (s *session) table() table {
	s.mu.Lock()
	defer s.mu.Unlock()
	var t table
	for _, srv := range s.servers {
		for _, tool := range srv.tools {
			t = append(t, entry{srv, tool})
		}
	}
	slices.SortStableFunc(t, func(a, b entry) int { return strings.Compare(a.tool.Name, b.tool.Name) })
	return t
}

// find returns the tools a typed name can mean: the exact name wins over the one with, then without the suffix.
func (t table) find(name string) []entry {
	for _, form := range []string{name, name + suffix, strings.TrimSuffix(name, suffix)} {
		var found []entry
		for _, e := range t {
			if form != "" && (e.tool.Name == form || e.qualified() == form) {
				found = append(found, e)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// startOf finds a tool whose name has blanks in it at the start of a line, the longest one, and what follows it.
func (t table) startOf(line string) (name, rest string) {
	for _, e := range t {
		for _, n := range []string{e.tool.Name, e.qualified()} {
			after, ok := strings.CutPrefix(line, n)
			r, _ := utf8.DecodeRuneInString(after)
			if ok && len(n) > len(name) && (after == "" || r == '{' || unicode.IsSpace(r)) {
				name, rest = n, strings.TrimSpace(after)
			}
		}
	}
	return name, rest
}

// shown is the name under which a tool is listed: its own, or SERVER/TOOL where that would not be enough.
func (t table) shown(e entry) string {
	if slices.Contains(reserved, strings.ToLower(e.tool.Name)) {
		return e.qualified()
	}
	same := 0
	for _, other := range t {
		if other.tool.Name == e.tool.Name {
			same++
		}
	}
	if same > 1 {
		return e.qualified()
	}
	return e.tool.Name
}

// pick finds the one tool that is meant, or says what to do instead.
func (t table) pick(name string) (entry, string) {
	found := t.find(name)
	switch len(found) {
	case 1:
		return found[0], ""
	case 0:
		return entry{}, t.unknown(name)
	}
	names := make([]string, len(found))
	for i, e := range found {
		names[i] = code(e.qualified())
	}
	return entry{}, fmt.Sprintf("%s is offered by %d servers. Name one of them: %s.", code(name), len(found), strings.Join(names, ", "))
}

// unknown names the nearest tool or command.
func (t table) unknown(name string) string {
	sentence := "There is no tool or command " + code(cut(name, 80)) + "."
	if near := t.nearest(name); near != "" {
		sentence += " Did you mean " + code(near) + "?"
	}
	return sentence + " `tools` lists what can be called."
}

func (t table) nearest(name string) string {
	name = strings.ToLower(name)
	if name == "" || len(name) > 100 {
		return ""
	}
	best, least := "", max(2, len(name)/3)+1
	consider := func(candidate, answer string) {
		candidate = strings.ToLower(candidate)
		d := distance(name, candidate, least)
		if len(name) >= 3 && strings.Contains(candidate, name) {
			d = min(d, 1)
		}
		if d < least {
			best, least = answer, d
		}
	}
	for _, c := range reserved[:3] {
		consider(c, c)
	}
	for _, e := range t {
		consider(e.tool.Name, t.shown(e))
		consider(strings.TrimSuffix(e.tool.Name, suffix), t.shown(e))
	}
	return best
}

// distance is the edit distance of two names in bytes, or limit when it is not below it.
func distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			above := row[j+1]
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(above+1, row[j]+1, diagonal+cost)
			diagonal = above
		}
	}
	return min(row[len(b)], limit)
}

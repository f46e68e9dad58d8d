package event

import (
	"encoding/json"
	"slices"
	"unicode/utf8"
)

// MaxSummary bounds the JSON of one attachment in a snapshot, in bytes.
const MaxSummary = 2 << 10

// Lengths that texts are cut to, in bytes, when a view is too large.
const (
	shortText  = 120
	shortName  = 40
	shortNames = 12 // agents of a quit question
)

// Fit returns the view with as much left out as it takes to stay within limit
// bytes of JSON. Texts are cut first; then an attachment's further servers keep
// name and status only; then the last of those go that are neither failed nor
// disconnected, and at the very end the others. The built-in server stays
// longest. What is left out is in the backend's Attachment, whole; the window
// tells by a row with name and status only that it has to look there
// (frontend/src/state/servers.ts).
func (v View) Fit(limit int) View {
	if v.size() <= limit {
		return v
	}
	switch {
	case v.Attachment != nil:
		a := v.Attachment.fit(limit)
		v.Attachment = &a
	case v.Session != nil:
		s := *v.Session
		s.Reason, s.AgentName = cut(s.Reason, shortText), cut(s.AgentName, shortText)
		v.Session = &s
	case v.Notice != nil:
		n := *v.Notice
		n.Text = cut(n.Text, shortText)
		v.Notice = &n
	case v.Project != nil:
		p := *v.Project
		p.Name, p.Path = cut(p.Name, shortText), cut(p.Path, shortText)
		v.Project = &p
	case v.Quit != nil:
		agents := slices.Clone(v.Quit.Agents[:min(len(v.Quit.Agents), shortNames)])
		for i := range agents {
			agents[i] = cut(agents[i], shortText/2)
		}
		v.Quit = &QuitRequest{Agents: agents}
	}
	return v
}

// size is the length of the view's JSON; a view is strings and numbers, and
// always has one.
func (v View) size() int {
	b, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	return len(b)
}

// fit takes each step server by server, from the last to the second, until the
// view is small enough. It counts sizes, so that it encodes nothing twice.
func (a Attachment) fit(limit int) Attachment {
	a.EndReason = cut(a.EndReason, shortText)
	servers := slices.Clone(a.Servers)
	a.Servers = []Server{}
	size := View{Attachment: &a}.size()
	for i := range servers {
		servers[i].shorten()
		size += servers[i].size()
	}
	for i := len(servers) - 1; i > 0 && size > limit; i-- {
		size -= servers[i].size()
		servers[i] = servers[i].bare()
		size += servers[i].size()
	}
	for _, calm := range []bool{true, false} {
		for i := len(servers) - 1; i > 0 && size > limit; i-- {
			if servers[i].calm() == calm {
				size -= servers[i].size()
				servers = slices.Delete(servers, i, i+1)
			}
		}
	}
	if len(servers) > 0 && size > limit {
		servers[0] = servers[0].bare()
	}
	a.Servers = servers
	return a
}

// size is the length of a server's JSON with the comma after it.
func (s Server) size() int {
	b, err := json.Marshal(s)
	if err != nil {
		return 0
	}
	return len(b) + 1
}

func (s *Server) shorten() {
	for _, text := range []*string{&s.Name, &s.Target, &s.Reason, &s.Summary, &s.Protocol, &s.Client} {
		*text = cut(*text, shortText)
	}
}

// bare is a server's name and status, and whether it was delivered.
func (s Server) bare() Server {
	return Server{
		Name: cut(s.Name, shortName), Source: s.Source, Transport: cut(s.Transport, shortName), Status: s.Status,
		ToolCount: s.ToolCount, Times: Times{Delivered: s.Times.Delivered},
	}
}

// calm says that the rail's dot does not depend on the server.
func (s Server) calm() bool { return s.Status != "failed" && s.Status != "disconnected" }

func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	n := limit
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

package event

import (
	"slices"
	"unicode/utf8"
)

// Bounds of a shortened view.
const (
	shortText    = 120
	shortServers = 12
)

// Shortened returns the view with its texts cut, so that it fits MaxView: an
// attachment keeps at most twelve servers, the built-in one first.
func (v View) Shortened() View {
	switch {
	case v.Attachment != nil:
		a := *v.Attachment
		a.Servers = slices.Clone(a.Servers[:min(len(a.Servers), shortServers)])
		for i := range a.Servers {
			s := &a.Servers[i]
			for _, text := range []*string{&s.Name, &s.Target, &s.Reason, &s.Summary, &s.Protocol, &s.Client} {
				*text = cut(*text)
			}
		}
		a.EndReason = cut(a.EndReason)
		v.Attachment = &a
	case v.Session != nil:
		s := *v.Session
		s.Reason, s.AgentName = cut(s.Reason), cut(s.AgentName)
		v.Session = &s
	case v.Notice != nil:
		n := *v.Notice
		n.Text = cut(n.Text)
		v.Notice = &n
	case v.Project != nil:
		p := *v.Project
		p.Name, p.Path = cut(p.Name), cut(p.Path)
		v.Project = &p
	case v.Quit != nil:
		v.Quit = &QuitRequest{Agents: v.Quit.Agents[:min(len(v.Quit.Agents), shortServers)]}
	}
	return v
}

func cut(s string) string {
	if len(s) <= shortText {
		return s
	}
	n := shortText
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

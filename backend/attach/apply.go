package attach

import (
	"slices"
	"time"

	"kandev/backend/redact"
)

// apply changes one server by one piece of evidence, by the table of
// spec/attachment.md, "Evidence kinds and status".
func (s *Server) apply(e Evidence, a *Attempt) bool {
	switch e.Kind {
	case Configured:
		s.configure(e)
	case Filtered, Unavailable:
		return s.refuse(e)
	case Delivered, Accepted:
		s.deliver(e)
	case HandshakeObserved:
		s.connect(e)
	case ToolsListObserved:
		return s.list(e, a)
	case ToolsListCounted:
		return s.count(e)
	case ToolsChanged:
		changed := e.Reason != ReasonBack
		if s.Source != SourceBuiltin || s.ToolsChanged == changed {
			return false
		}
		s.ToolsChanged = changed
	case ToolCallObserved:
		s.Times.Used = later(s.Times.Used, e.At)
	case Failed:
		s.fail(e)
	case ConnectionClosed:
		return s.close(e)
	default:
		return false
	}
	return true
}

func (s *Server) configure(e Evidence) {
	s.Times.Configured = &e.At
	if e.Source != "" {
		s.Source = e.Source
	}
	if e.Transport != "" {
		s.Transport = e.Transport
	}
	switch {
	case e.Target == "":
	case s.Transport == "stdio": // a command, whose folders and arguments are nobody's business
		s.Target = redact.Executable(e.Target)
	default:
		s.Target = redact.Target(e.Target)
	}
}

// refuse is for servers that were never given to the agent; it never takes
// back what was observed, nor the decision that was made first.
func (s *Server) refuse(e Evidence) bool {
	switch s.Status {
	case StatusUnknown, StatusDelivered:
	default:
		return false
	}
	s.Status = StatusFiltered
	if e.Kind == Unavailable {
		s.Status = StatusUnavailable
	}
	s.Reason, s.Summary = redact.Summary(e.Reason), redact.Summary(e.Summary)
	return true
}

func (s *Server) deliver(e Evidence) {
	if e.Kind == Delivered {
		s.Times.Delivered = &e.At
	} else {
		s.Times.Accepted = &e.At
	}
	switch s.Status {
	case StatusUnknown, StatusFiltered, StatusUnavailable:
		s.improve(StatusDelivered)
	}
}

func (s *Server) connect(e Evidence) {
	if s.Times.Connected == nil {
		s.Times.Connected = &e.At
	}
	if e.Protocol != "" {
		s.Protocol = redact.Summary(e.Protocol)
	}
	if e.Client != "" {
		s.Client = redact.Summary(e.Client)
	}
	s.opened(e.Connection)
	if s.Status != StatusActive && s.Status != StatusFailed {
		s.improve(StatusConnected)
	}
}

func (s *Server) fail(e Evidence) {
	if s.Status != StatusFailed {
		s.Times.Failed = &e.At
	}
	s.Status = StatusFailed
	s.Reason, s.Summary = redact.Summary(e.Reason), redact.Summary(e.Summary)
}

// close forgets one connection; the server is disconnected when none is left.
func (s *Server) close(e Evidence) bool {
	i := slices.Index(s.open, e.Connection)
	if i < 0 && len(s.open) > 0 {
		return false
	}
	if i >= 0 {
		s.open = slices.Delete(slices.Clone(s.open), i, i+1)
	}
	if len(s.open) > 0 {
		return true
	}
	return s.disconnect(e.At) || i >= 0
}

func (s *Server) disconnect(at time.Time) bool {
	s.open = nil
	if s.Status != StatusConnected && s.Status != StatusActive {
		return false
	}
	s.Times.Closed = &at
	s.improve(StatusDisconnected)
	return true
}

// improve sets a status that is not a failure; what was said of the old one goes.
func (s *Server) improve(to Status) {
	s.Status, s.Reason, s.Summary = to, "", ""
}

func (s *Server) opened(connection string) {
	if connection == "" || slices.Contains(s.open, connection) {
		return
	}
	s.open = append(slices.Clone(s.open), connection)
	if over := len(s.open) - MaxConnections; over > 0 {
		s.open = slices.Clone(s.open[over:])
	}
}

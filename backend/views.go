package backend

import (
	"time"

	"kandev/backend/attach"
	"kandev/backend/event"
	"kandev/backend/project"
	"kandev/backend/session"
	"kandev/backend/task"
)

// millis is how times travel to the window; 0 = not there.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func millisOf(t *time.Time) int64 {
	if t == nil {
		return 0
	}
	return millis(*t)
}

func (b *Backend) sessionView(s session.Session, waiting int) *event.Session {
	name := s.AgentName
	if name == "" {
		name = b.agentName(s.Agent)
	}
	known, ok := b.o.agents(s.Agent)
	if !ok {
		s.Reason = agentGone
	}
	return &event.Session{
		ID: string(s.ID), Project: string(s.Project), Task: string(s.Task), Agent: s.Agent, AgentName: name,
		Embedded: known.Embedded, Gone: !ok, Executor: s.Executor, State: string(s.State), Waiting: waiting, Reason: s.Reason, Archived: s.Archived,
		Seq: s.Seq, Revision: s.Revision, Since: millis(s.UpdatedAt), CreatedAt: millis(s.CreatedAt),
	}
}

// ProjectView is a project as the window is told of it.
func ProjectView(p project.Project, missing bool) *event.Project {
	return &event.Project{
		ID: string(p.ID), Name: p.Name, Path: p.Path, Agent: p.Agent, Missing: missing, Sample: p.Sample, UsedAt: millis(p.UsedAt),
	}
}

func taskView(t task.Task) *event.Task {
	return &event.Task{
		ID: string(t.ID), Project: string(t.Project), Parent: string(t.Parent), Title: t.Title,
		Step: string(t.Step), Seq: t.Seq, Archived: t.Archived,
	}
}

// attachmentView is the summary of the current attempt; no definitions. live says
// that its agent runs.
func attachmentView(id session.ID, h attach.History, live bool) event.Attachment {
	v := event.Attachment{Session: string(id), CatalogRev: h.CatalogRev, Servers: []event.Server{}}
	a := h.Current()
	if a == nil {
		return v
	}
	v.Attempt, v.Number = a.ID, h.Number()
	v.Live = live
	v.StartedAt, v.EndedAt, v.EndReason = millis(a.StartedAt), millisOf(a.EndedAt), a.EndReason
	for _, s := range a.Servers {
		v.Servers = append(v.Servers, ServerView(s))
	}
	return v
}

// ServerView is what the window is told of one server, without definitions.
func ServerView(s attach.Server) event.Server {
	v := event.Server{
		Name: s.Name, Source: string(s.Source), Transport: s.Transport, Target: s.Target, Status: string(s.Status),
		Reason: s.Reason, Summary: s.Summary, Protocol: s.Protocol, Client: s.Client, ToolCount: s.ToolCount,
		TokensTotal: s.TokensTotal, TokensCover: s.TokensCover, Method: s.Method, Counting: s.Counting,
		ToolsChanged: s.ToolsChanged, Stored: s.Stored, Truncated: s.Truncated,
	}
	t := s.Times
	v.Times = event.Times{
		Configured: millisOf(t.Configured), Delivered: millisOf(t.Delivered), Accepted: millisOf(t.Accepted),
		Connected: millisOf(t.Connected), Listed: millisOf(t.Listed), Used: millisOf(t.Used),
		Closed: millisOf(t.Closed), Failed: millisOf(t.Failed), Observed: millisOf(t.Observed),
	}
	return v
}

package app

import (
	"time"

	"kandev/backend"
	"kandev/backend/permission"
	"kandev/backend/question"
	"kandev/backend/session"
)

// unixMilli is how times travel; the zero time is 0.
func unixMilli(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func unixMilliOf(t *time.Time) int64 {
	if t == nil {
		return 0
	}
	return unixMilli(*t)
}

func transcriptView(id string, after int64, items []session.Item, more bool) Transcript {
	v := Transcript{Session: id, Revision: after, More: more, Items: make([]Item, 0, len(items))}
	for _, i := range items {
		v.Revision = max(v.Revision, i.Revision)
		v.Items = append(v.Items, itemView(i))
	}
	return v
}

func itemView(i session.Item) Item {
	v := Item{
		Number: i.Number, Revision: i.Revision, Kind: string(i.Kind), Text: i.Text, Ref: i.Ref, Raw: string(i.Raw),
		Cut: i.Cut, At: unixMilli(i.At), UpdatedAt: unixMilli(i.UpdatedAt),
	}
	for _, p := range i.Plan {
		v.Plan = append(v.Plan, PlanEntry{Content: p.Content, Priority: p.Priority, Status: p.Status})
	}
	if t := i.Tool; t != nil {
		v.Tool = &ToolCall{
			CallID: t.CallID, Title: t.Title, Name: t.Name, Kind: t.Kind, Status: t.Status, Input: string(t.Input),
			Output: t.Output, Paths: t.Paths, Started: unixMilli(t.Started), Finished: unixMilliOf(t.Finished),
		}
		for _, d := range t.Diffs {
			v.Tool.Diffs = append(v.Tool.Diffs, Diff{Path: d.Path, Old: d.Old, New: d.New})
		}
		for _, one := range t.Terminals {
			v.Tool.Terminals = append(v.Tool.Terminals, Terminal(one))
		}
	}
	return v
}

func questionView(b question.Bundle, revision int64) Question {
	v := Question{
		ID: b.ID, Session: string(b.Session), Context: b.Context, State: string(b.State), Reason: b.Reason, Revision: revision,
		Questions: []QuestionPart{}, Answers: []Answer{},
		AskedAt: unixMilli(b.AskedAt), Deadline: unixMilli(b.Deadline), EndedAt: unixMilliOf(b.EndedAt),
	}
	for _, q := range b.Questions {
		part := QuestionPart{ID: q.ID, Title: q.Title, Prompt: q.Prompt, Multiple: q.Multiple, Options: []QuestionOption{}}
		for _, o := range q.Options {
			part.Options = append(part.Options, QuestionOption{Label: o.Label, Description: o.Description})
		}
		v.Questions = append(v.Questions, part)
	}
	for _, a := range b.Answers {
		v.Answers = append(v.Answers, Answer{Question: a.Question, Chosen: append([]string{}, a.Chosen...), Text: a.Text})
	}
	return v
}

func answersOf(in []Answer) []question.Answer {
	out := make([]question.Answer, 0, len(in))
	for _, a := range in {
		out = append(out, question.Answer{Question: a.Question, Chosen: a.Chosen, Text: a.Text})
	}
	return out
}

func storageView(s backend.Storage) Storage {
	v := Storage{
		Folder: s.Folder, Bytes: s.Bytes, Worktrees: s.Worktrees, Memory: s.Memory, Aside: s.Aside,
		Projects: []ProjectSize{}, Broken: append([]string{}, s.Broken...),
	}
	for _, p := range s.Projects {
		v.Projects = append(v.Projects, ProjectSize{ID: string(p.ID), Bytes: p.Bytes, Sessions: p.Sessions})
	}
	return v
}

func permissionView(r permission.Request, revision int64) Permission {
	v := Permission{
		ID: r.ID, Session: string(r.Session), CallID: r.CallID, Title: r.Title, Kind: r.Kind, Input: string(r.Input),
		State: string(r.State), Chosen: r.Chosen, Reason: r.Reason, ByRule: r.ByRule, Revision: revision,
		Options: []PermissionOption{}, AskedAt: unixMilli(r.AskedAt), EndedAt: unixMilliOf(r.EndedAt),
	}
	for _, o := range r.Options {
		v.Options = append(v.Options, PermissionOption{ID: o.ID, Name: o.Name, Kind: o.Kind})
	}
	return v
}

package event

import (
	"time"

	"kandev/backend/permission"
	"kandev/backend/question"
)

// subject names what a view is of, and how often it may be sent. A subject
// that is gone shares the name of what it was, so that it replaces it.
func (v View) subject() (string, time.Duration) {
	switch {
	case v.Attachment != nil:
		return "attachment/" + v.Attachment.Session, PaceAttachment
	case v.Transcript != nil:
		return "transcript/" + v.Transcript.Session, PaceTranscript
	case v.Session != nil:
		return "session/" + v.Session.ID, 0
	case v.SessionGone != "":
		return "session/" + v.SessionGone, 0
	case v.Project != nil:
		return "project/" + v.Project.ID, 0
	case v.ProjectGone != "":
		return "project/" + v.ProjectGone, 0
	case v.Task != nil:
		return "task/" + v.Task.ID, 0
	case v.TaskGone != "":
		return "task/" + v.TaskGone, 0
	case v.Question != nil:
		return "question/" + v.Question.ID, 0
	case v.Permission != nil:
		return "permission/" + v.Permission.ID, 0
	case v.Notice != nil:
		return "notice/" + v.Notice.ID, 0
	case v.NoticeGone != "":
		return "notice/" + v.NoticeGone, 0
	case v.Plugins != nil:
		return "plugins", PacePlugins
	}
	return "quit", 0
}

// credit is how much of its share a subject may use ahead of time.
func (v View) credit(pace time.Duration) time.Duration {
	if v.Attachment != nil {
		return (burst - 1) * pace
	}
	return 0
}

// kept reports whether a snapshot holds the view: the rows, and what still
// waits for the person. A transcript's revision stands in its session's row.
func (v View) kept() bool {
	switch {
	case v.Question != nil:
		return question.State(v.Question.State).Answerable()
	case v.Permission != nil:
		return permission.State(v.Permission.State) == permission.Open
	case v.Quit != nil:
		return len(v.Quit.Agents) > 0
	}
	return v.Transcript == nil && v.SessionGone == "" && v.TaskGone == "" && v.ProjectGone == "" && v.NoticeGone == ""
}

package builtin

import (
	"context"
	"errors"

	"kandev/backend/question"
	"kandev/backend/session"
	"kandev/backend/task"
)

// ErrReach says that a session asked for something outside its own task tree.
var ErrReach = errors.New("only this session's own task and tasks below it can be changed")

// Host is what the tools act through. Errors that wrap one of the nouns'
// sentinels, question.ErrNotFound and the like, or ErrReach, are told to the
// model; any other is a fault of ours.
type Host struct {
	// Ask shows a bundle to the person and waits until it ended or ctx did.
	// Only Context and Questions of the given bundle are read.
	Ask func(ctx context.Context, b question.Bundle, callID string, progress func(string)) (question.Bundle, error)
	// SetTitle replaces a provisional title, once.
	SetTitle func(ctx context.Context, title string) error
	// Tasks lists tasks of the session's project in the order of the board.
	Tasks func(ctx context.Context, f Filter) (Page, error)
	// Task returns one task of the project; "" is the session's own.
	Task func(ctx context.Context, id task.ID) (Detail, error)
	// Create makes a task. With an external id that exists, it returns that one and false.
	Create func(ctx context.Context, n NewTask) (task.Task, bool, error)
	// Update changes title and description of the session's task or one below it.
	Update func(ctx context.Context, c Change) error
}

// Filter narrows a list. The zero value is the first page of everything.
type Filter struct {
	Step   task.Step
	Limit  int
	Cursor string // of the page before, opaque
}

// Page is a list of tasks; Cursor is empty on the last one.
type Page struct {
	Tasks  []task.Task
	Cursor string
}

// Detail is one task and who works on it.
type Detail struct {
	Task     task.Task
	Sessions []session.Session
}

// NewTask is a task to be made. Parent is "" for a root task.
type NewTask struct {
	Title, Prompt, ExternalID string
	Parent                    task.ID // "self" is the session's task
}

// Change sets what is not nil.
type Change struct {
	Task        task.ID // "" = the session's own
	Title       *string
	Description *string
}

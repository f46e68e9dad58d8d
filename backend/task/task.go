// Package task holds what a task is: a title, a description and a step on the
// board of one project. A session works on exactly one task. Pure.
package task

import (
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"kandev/backend/project"
)

// Errors that say which rule a task breaks; their texts are fit for a model.
var (
	ErrNotFound    = errors.New("task not found")
	ErrTitle       = errors.New("a title has 1 to 200 characters")
	ErrDescription = errors.New("a description has at most 256 KiB")
	ErrTitleKept   = errors.New("the title was set by a person or an earlier call and stays")
)

// Bounds of the texts that person and agent write.
const (
	MaxTitle       = 200       // characters
	MaxDescription = 256 << 10 // bytes
)

// ID is the durable id of a task, "t_" and a random part.
type ID string

// Step is a column of the board.
type Step string

// Steps in the board's order.
const (
	Backlog Step = "backlog"
	Plan    Step = "plan"
	Build   Step = "build"
	Review  Step = "review"
	Done    Step = "done"
)

// Steps lists the columns in order.
var Steps = []Step{Backlog, Plan, Build, Review, Done}

// Task is one piece of work.
type Task struct {
	ID          ID
	Project     project.ID
	Parent      ID // "" = a root task
	Title       string
	Provisional bool // the title was made by us; set_task_title may replace it once
	Description string
	Step        Step
	ExternalID  string // idempotency key of create_task, unique per project
	Seq         int64  // order of creation; never the clock
	Archived    bool
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// CleanTitle trims and checks a title: one line, 1 to MaxTitle characters.
func CleanTitle(s string) (string, error) {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	if n := utf8.RuneCountInString(s); n == 0 || n > MaxTitle {
		return "", ErrTitle
	}
	return s, nil
}

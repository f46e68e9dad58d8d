// Package question holds a bundle of one to four questions that an agent asks
// the person through ask_user_question, and the rule by which its state moves:
// the first answer wins, everywhere, and an end is final. Pure.
package question

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"kandev/backend/session"
	"kandev/backend/timelimit"
)

// Errors of answers; the texts are fit for a person.
var (
	ErrNotFound = errors.New("question not found")
	ErrClosed   = errors.New("the question is no longer open")
	ErrAnswer   = errors.New("the answer does not fit the question")
	ErrAsked    = errors.New("the question cannot be asked")
)

// State of a bundle, spec/tools.md "ask_user_question".
type State string

// States. Open and Detached can be answered; all others are final.
const (
	Open      State = "open"
	Detached  State = "detached" // the client is gone; the answer goes out as the next prompt
	Answered  State = "answered"
	Rejected  State = "rejected"
	Cancelled State = "cancelled"
	Expired   State = "expired"
)

// Answerable reports whether the person can still answer.
func (s State) Answerable() bool { return s == Open || s == Detached }

// Limits of a bundle.
const (
	MaxQuestions = 4
	MinOptions   = 2
	MaxOptions   = 6
)

// Wait is how long a question stays open.
const Wait = timelimit.Question

// Bundle is one call of ask_user_question.
type Bundle struct {
	ID        string
	Session   session.ID
	Attempt   string
	CallID    string
	Context   string
	Questions []Question
	State     State
	Reason    string // why it was rejected or cancelled
	Answers   []Answer
	AskedAt   time.Time
	Deadline  time.Time
	EndedAt   *time.Time
}

// Question is one question of a bundle.
type Question struct {
	ID       string   `json:"id"`
	Title    string   `json:"title,omitempty"`
	Prompt   string   `json:"prompt"`
	Options  []Option `json:"options,omitempty"` // none = a free text is asked for
	Multiple bool     `json:"multiple,omitempty"`
}

// Option is one choice.
type Option struct {
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
}

// Answer is what the person chose or wrote for one question. Chosen holds
// labels; Text is free text, allowed beside options as "something else".
type Answer struct {
	Question string   `json:"question"`
	Chosen   []string `json:"chosen,omitempty"`
	Text     string   `json:"text,omitempty"`
}

// Answer returns the bundle answered, or why the answers do not fit.
func (b Bundle) Answer(answers []Answer, at time.Time) (Bundle, error) {
	if !b.State.Answerable() {
		return b, fmt.Errorf("%w: it was %s", ErrClosed, b.State)
	}
	byID := make(map[string]Answer, len(answers))
	for _, a := range answers {
		byID[a.Question] = a
	}
	ordered := make([]Answer, 0, len(b.Questions))
	for _, q := range b.Questions {
		a, ok := byID[q.ID]
		if !ok {
			return b, fmt.Errorf("%w: %q has no answer", ErrAnswer, q.Prompt)
		}
		if err := q.check(a); err != nil {
			return b, err
		}
		ordered = append(ordered, a)
	}
	b.State, b.Answers, b.EndedAt = Answered, ordered, &at
	return b, nil
}

// End moves an open bundle to a final state other than Answered, or to
// Detached. An end is final: ending an ended bundle changes nothing.
func (b Bundle) End(to State, reason string, at time.Time) (Bundle, bool) {
	if !b.State.Answerable() || to == b.State || to == Open || to == Answered {
		return b, false
	}
	b.State, b.Reason = to, reason
	if !to.Answerable() {
		b.EndedAt = &at
	}
	return b, true
}

func (q Question) check(a Answer) error {
	if len(a.Chosen) == 0 && strings.TrimSpace(a.Text) == "" { // blanks answer nothing
		return fmt.Errorf("%w: %q has no answer", ErrAnswer, q.Prompt)
	}
	if len(a.Chosen) > 1 && !q.Multiple {
		return fmt.Errorf("%w: %q takes one choice", ErrAnswer, q.Prompt)
	}
	for _, label := range a.Chosen {
		if !q.has(label) {
			return fmt.Errorf("%w: %q has no option %q", ErrAnswer, q.Prompt, label)
		}
	}
	return nil
}

func (q Question) has(label string) bool {
	for _, o := range q.Options {
		if o.Label == label {
			return true
		}
	}
	return false
}

// Package permission holds one session/request_permission of an agent: what it
// wants to do, the options it offers, and how it ended. Answered by option id,
// since option kinds may repeat. Pure.
package permission

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kandev/backend/session"
)

// Errors of answers.
var (
	ErrNotFound = errors.New("permission request not found")
	ErrClosed   = errors.New("the permission request is no longer open")
	ErrOption   = errors.New("the agent did not offer this option")
)

// State of a request.
type State string

// States. Only Open can be answered.
const (
	Open      State = "open"
	Selected  State = "selected"
	Cancelled State = "cancelled"
)

// Request is one question of an agent before it acts.
type Request struct {
	ID      string
	Session session.ID
	CallID  string // the tool call it is about
	Title   string
	Kind    string
	Input   json.RawMessage
	Options []Option
	State   State
	Chosen  string // option id
	Reason  string // why it was cancelled
	ByRule  bool   // answered by rule, not by the person
	AskedAt time.Time
	EndedAt *time.Time
}

// Option is one answer the agent offers.
type Option struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Kind string `json:"kind"` // allow_once, allow_always, reject_once, reject_always
}

// Select returns the request answered with an option.
func (r Request) Select(option string, at time.Time) (Request, error) {
	if r.State != Open {
		return r, fmt.Errorf("%w: it was %s", ErrClosed, r.State)
	}
	for _, o := range r.Options {
		if o.ID == option {
			r.State, r.Chosen, r.EndedAt = Selected, option, &at
			return r, nil
		}
	}
	return r, fmt.Errorf("%w: %q", ErrOption, option)
}

// Cancel ends an open request without an answer.
func (r Request) Cancel(reason string, at time.Time) (Request, bool) {
	if r.State != Open {
		return r, false
	}
	r.State, r.Reason, r.EndedAt = Cancelled, reason, &at
	return r, true
}

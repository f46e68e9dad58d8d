package acp

import (
	"cmp"
	"time"

	"kandev/backend/timelimit"
)

// MaxFrame is the longest frame that is read, in bytes without its line end
// (spec/agents.md, Processes). One that is longer is dropped, not the connection.
const MaxFrame = 64 << 20

const (
	maxQueued  = 64 << 20 // outgoing bytes that wait for an agent that does not read
	maxServing = 256      // requests of the agent that are open at once
	maxKept    = 1 << 20  // a read buffer beyond this is not kept for the next frame
	maxHead    = 4 << 10  // of a dropped frame, searched for its id
	maxMessage = 4 << 10  // bytes of an error's message
	maxLabel   = 64       // bytes of a method name in the log
	maxID      = 4 << 10  // bytes of an id, and of a word beside it
	maxChoices = 64       // options of a permission request, ways to log in, words of one
)

// Limits are the waits of the ACP calls, rows of the table in timelimit. A zero field means its value in DefaultLimits.
type Limits struct {
	Initialize   time.Duration
	Authenticate time.Duration // a person may be in a browser meanwhile
	New          time.Duration // session/new and session/load
	Cancel       time.Duration // from session/cancel to the end of its turn
	Drain        time.Duration // from a failed write to the end of the agent's output
}

// DefaultLimits returns the product's limits.
func DefaultLimits() Limits {
	return Limits{
		Initialize:   timelimit.Initialize,
		Authenticate: timelimit.Authenticate,
		New:          timelimit.Session,
		Cancel:       timelimit.Cancel,
		Drain:        2 * time.Second,
	}
}

func (l Limits) orDefault() Limits {
	d := DefaultLimits()
	return Limits{
		Initialize:   cmp.Or(l.Initialize, d.Initialize),
		Authenticate: cmp.Or(l.Authenticate, d.Authenticate),
		New:          cmp.Or(l.New, d.New),
		Cancel:       cmp.Or(l.Cancel, d.Cancel),
		Drain:        cmp.Or(l.Drain, d.Drain),
	}
}

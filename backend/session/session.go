// Package session holds what a session is: one conversation of one agent on
// one task, its states, and the items of its transcript. Pure: no clock, no
// I/O. The MCP attachment of a session is package attach's.
package session

import (
	"errors"
	"time"

	"kandev/backend/project"
	"kandev/backend/task"
)

// Errors of sessions.
var (
	ErrNotFound = errors.New("session not found")
	ErrRemoving = errors.New("the session or its worktree is being removed")
	ErrBusy     = errors.New("the agent is still working on the last prompt")
	ErrNotLive  = errors.New("the agent of this session is not running")
	ErrLive     = errors.New("the agent of this session is running")
)

// ID is the durable id of a session, "s_" and a random part.
type ID string

// State is where a session stands. Whether it waits for the person is derived
// from its open questions and permissions, not stored.
type State string

// States. Starting, Ready, Working and Cancelling have a live agent.
const (
	Starting    State = "starting"    // process, initialize, session/new
	Ready       State = "ready"       // waits for a prompt
	Working     State = "working"     // a turn runs
	Cancelling  State = "cancelling"  // session/cancel was sent, the turn has not ended
	Stopped     State = "stopped"     // ended by the person or at quit
	Failed      State = "failed"      // could not start, or the agent ended by itself
	Interrupted State = "interrupted" // the app ended while the agent was live
)

// MaxAgentSession bounds an agent's own session id, in bytes; a longer one is
// not kept, and the session cannot be loaded.
const MaxAgentSession = 1 << 10

// Live reports whether a session in this state has an agent process.
func (s State) Live() bool {
	return s == Starting || s == Ready || s == Working || s == Cancelling
}

// Session is one conversation.
type Session struct {
	ID           ID
	Project      project.ID
	Task         task.ID
	Agent        string // agent id
	Executor     string // "local"
	State        State
	Reason       string // a sentence, when State is Failed, Stopped or Interrupted
	Execution    string // id of the current or last life of the agent process
	AgentSession string // the agent's own id of the conversation, for session/load; "" = none
	AgentName    string // what the agent called itself in initialize, with its version
	Archived     bool
	Seq          int64 // order of creation; never the clock
	Revision     int64 // newest transcript revision
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// AfterBoot is the state a stored session has when the app starts: one that
// was live was interrupted.
func (s Session) AfterBoot() Session {
	if s.State.Live() {
		s.State, s.Reason = Interrupted, "Kandev ended while the agent was running."
	}
	return s
}

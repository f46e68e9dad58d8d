package agentctl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"kandev/backend/acp"
	"kandev/backend/agent"
	"kandev/backend/session"
	"kandev/backend/task"
)

// ErrRequest says that an instance request cannot be understood.
var ErrRequest = errors.New("instance request not understood")

// CreateInstanceRequest is everything an instance is made from. Its JSON is a
// contract: every executor builds it, [Create] decodes it again, also inside
// one process, and refuses fields it does not know. It holds no secret of
// ours; the values of Servers are the person's and go to the agent alone.
type CreateInstanceRequest struct {
	Session      session.ID         `json:"session"`
	Task         task.ID            `json:"task"`
	Execution    string             `json:"execution"`
	WorkDir      string             `json:"work_dir"`
	Command      []string           `json:"command"`     // argv; the first element is an absolute path
	Environment  []string           `json:"environment"` // names; the values come from the host
	Capabilities agent.Capabilities `json:"capabilities"`
	Servers      []agent.Server     `json:"servers"` // the person's, without ours
	Profile      Profile            `json:"profile"`
	Limits       Limits             `json:"limits"`
}

// Profile says which tools a session is served, spec/tools.md "Who may do what".
type Profile struct {
	Depth       int  `json:"depth"`       // 0 = a session that a person started
	Provisional bool `json:"provisional"` // the task's title is ours; set_task_title is served
	NoPreamble  bool `json:"no_preamble"` // the person switched the preamble off for this agent
}

// Limits are the time limits of an instance in milliseconds; 0 = that of the
// table in timelimit.
type Limits struct {
	Initialize   int64 `json:"initialize_ms"`
	Authenticate int64 `json:"authenticate_ms"`
	New          int64 `json:"new_ms"` // session/load too
	Cancel       int64 `json:"cancel_ms"`
	Tool         int64 `json:"tool_ms"` // a handler that states none
}

// acp are those of the connection.
func (l Limits) acp() acp.Limits {
	return acp.Limits{Initialize: ms(l.Initialize), Authenticate: ms(l.Authenticate), New: ms(l.New), Cancel: ms(l.Cancel)}
}

// Encode gives the request its wire form.
func (r CreateInstanceRequest) Encode() ([]byte, error) { return json.Marshal(r) }

// Decode reads a request; unknown fields and trailing bytes are refused.
func Decode(b []byte) (CreateInstanceRequest, error) {
	var r CreateInstanceRequest
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return r, fmt.Errorf("%w: %w", ErrRequest, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return r, fmt.Errorf("%w: more than one value", ErrRequest)
	}
	if r.Session == "" || r.Execution == "" || len(r.Command) == 0 || r.WorkDir == "" {
		return r, fmt.Errorf("%w: session, execution, command and work_dir are required", ErrRequest)
	}
	return r, nil
}

func ms(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

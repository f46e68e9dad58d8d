package acp

import (
	"context"
	"fmt"

	"kandev/backend/agent"
)

// LoadSession is the request of one session/load: a session that the agent made
// before, in this process or an earlier one.
type LoadSession struct {
	SessionID string
	Cwd       string // absolute
	Servers   []agent.Server
}

type loadSessionParams struct {
	Session string `json:"sessionId"`
	newSessionParams
}

const methodLoad = "session/load"

// LoadSession asks for an earlier session, within Limits.New. The agent repeats
// its conversation before it answers: those updates are marked Replayed. Only
// an agent that advertises LoadSession may be asked. As with NewSession no lock
// is held while it waits.
func (c *Conn) LoadSession(ctx context.Context, r LoadSession) (NewSessionResult, error) {
	servers, err := wireServers(r.Servers)
	if err != nil {
		return NewSessionResult{}, fmt.Errorf("%s: %w", methodLoad, err)
	}
	params := loadSessionParams{Session: r.SessionID, newSessionParams: newSessionParams{Cwd: r.Cwd, Servers: servers}}
	raw, err := c.roundTrip(ctx, c.o.Limits.New, methodLoad, params)
	if err != nil {
		return NewSessionResult{}, err
	}
	return NewSessionResult{SessionID: r.SessionID, Modes: decodeModes(parseObject(raw)["modes"]), Raw: raw}, nil
}

// replaying reports whether a load has not been answered yet. On the reading
// goroutine this is exact: an answer ends its call there.
func (c *Conn) replaying() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.pending {
		if p.method == methodLoad {
			return true
		}
	}
	return false
}

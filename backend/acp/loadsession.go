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
// its conversation before it answers, or right after: those updates are marked
// Replayed. Only
// an agent that advertises LoadSession may be asked. As with NewSession no lock
// is held while it waits.
func (c *Conn) LoadSession(ctx context.Context, r LoadSession) (NewSessionResult, error) {
	servers, err := wireServers(r.Servers)
	if err != nil {
		return NewSessionResult{}, fmt.Errorf("%s: %w", methodLoad, err)
	}
	params := loadSessionParams{Session: r.SessionID, newSessionParams: newSessionParams{Cwd: r.Cwd, Servers: servers}}
	c.owe(r.SessionID, true)
	raw, err := c.roundTrip(ctx, c.o.Limits.New, methodLoad, params)
	if err != nil {
		c.owe(r.SessionID, false)
		return NewSessionResult{}, err
	}
	return NewSessionResult{SessionID: r.SessionID, Modes: decodeModes(parseObject(raw)["modes"]), Raw: raw}, nil
}

// replay is how far a loaded session has got with repeating its conversation.
type replay int

const (
	replayOwed  replay = iota + 1 // no turn has begun since the load was asked for
	replayGoing                   // and a text of the person was repeated after the answer
)

// replayed reports whether an update repeats what was said before: what comes
// before the answer of a load, and what follows a text of the person that comes
// after it, until a turn begins. The protocol wants all of it before the answer;
// Gemini CLI 0.61.0 sends it after. On the reading goroutine this is exact: an
// answer ends its call there.
func (c *Conn) replayed(session string, u Update) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.pending {
		if p.method == methodLoad {
			return true
		}
	}
	switch {
	case c.loaded[session] == 0:
		return false
	case u.Kind == KindUserChunk:
		c.loaded[session] = replayGoing
	}
	return c.loaded[session] == replayGoing && (u.Chunk != nil || u.Tool != nil || u.Plan != nil)
}

// owe expects a session to repeat its conversation, or no longer.
func (c *Conn) owe(session string, owed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if owed {
		c.loaded[session] = replayOwed
	} else {
		delete(c.loaded, session)
	}
}

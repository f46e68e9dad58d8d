package acp

import (
	"context"
	"encoding/json"
	"fmt"

	"kandev/backend/agent"
)

// NewSession is the request of one session/new. The servers go out in this
// order, their header and environment values exactly as given here.
type NewSession struct {
	Cwd     string // absolute
	Servers []agent.Server
}

// NewSessionResult is what the agent answered.
type NewSessionResult struct {
	SessionID string
	Modes     *Modes // nil = the agent has none
	Raw       json.RawMessage
}

// Modes are the agent's ways to work and the one it is in.
type Modes struct {
	Current   string
	Available []Mode
}

// Mode is one of them.
type Mode struct{ ID, Name, Description string }

type newSessionParams struct {
	Cwd     string `json:"cwd"`
	Servers []any  `json:"mcpServers"`
}

// remoteServer and stdioServer are the two forms of McpServer in the ACP
// schema; stdio is the one without a type.
type remoteServer struct {
	Type    string        `json:"type"`
	Name    string        `json:"name"`
	URL     string        `json:"url"`
	Headers []agent.Value `json:"headers"`
}

type stdioServer struct {
	Name    string        `json:"name"`
	Command string        `json:"command"`
	Args    []string      `json:"args"`
	Env     []agent.Value `json:"env"`
}

// NewSession asks for a session, within Limits.New. No lock is held while it
// waits: agents list our tools before they answer. ErrTransport, before
// anything is sent, names a server of an unknown transport.
func (c *Conn) NewSession(ctx context.Context, r NewSession) (NewSessionResult, error) {
	servers, err := wireServers(r.Servers)
	if err != nil {
		return NewSessionResult{}, fmt.Errorf("session/new: %w", err)
	}
	params := newSessionParams{Cwd: r.Cwd, Servers: servers}
	raw, err := c.roundTrip(ctx, c.o.Limits.New, "session/new", params)
	if err != nil {
		return NewSessionResult{}, err
	}
	o := parseObject(raw)
	id := o.text("sessionId")
	if id == "" {
		return NewSessionResult{}, fmt.Errorf("session/new: %w: no session id", ErrAnswer)
	}
	return NewSessionResult{SessionID: id, Modes: decodeModes(o["modes"]), Raw: raw}, nil
}

// wireServers builds the wire forms. The schema allows no null for an array.
func wireServers(servers []agent.Server) ([]any, error) {
	out := make([]any, 0, len(servers))
	for _, s := range servers {
		switch s.Transport {
		case "http", "sse":
			out = append(out, remoteServer{s.Transport, s.Name, s.URL, notNil(s.Headers)})
		case "stdio":
			out = append(out, stdioServer{s.Name, s.Command, notNil(s.Args), notNil(s.Env)})
		default:
			return nil, fmt.Errorf("server %q: %w %q", s.Name, ErrTransport, s.Transport)
		}
	}
	return out, nil
}

func notNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

func decodeModes(raw json.RawMessage) *Modes {
	o := parseObject(raw)
	if o == nil {
		return nil
	}
	m := &Modes{Current: o.text("currentModeId")}
	for _, item := range o.list("availableModes") {
		mode := parseObject(item)
		if id := mode.text("id"); id != "" {
			m.Available = append(m.Available, Mode{id, mode.text("name"), mode.text("description")})
		}
	}
	return m
}

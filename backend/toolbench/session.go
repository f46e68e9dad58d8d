package toolbench

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"sync"

	acp "github.com/coder/acp-go-sdk"
)

// session is one ACP session: its MCP servers, the table of their tools, and at most one running prompt.
type session struct {
	id        string
	agent     *agent
	announced <-chan struct{} // closed when the client knows the id

	ctx    context.Context // ends first: turns and watchers hang on it
	endCtx context.CancelFunc
	work   sync.WaitGroup // every goroutine of the session and every turn

	turns sync.WaitGroup // the running turn

	publishing sync.Mutex // one available_commands_update at a time, in order

	mu        sync.Mutex
	stopped   bool
	servers   []*server // in the order of session/new; the slice is set once, the tools in it change
	turn      context.CancelFunc
	published []byte               // the last commands sent, as JSON
	grants    map[string]bool      // "Allow for this session", by server and definition
	calls     map[string]*toolCall // running calls by progress token
}

// newSessionParams is what is read of session/new. mcpServers is decoded by ourselves: with the SDK's type one unknown
// transport fails the whole request.
type newSessionParams struct {
	Cwd        string            `json:"cwd"`
	McpServers []json.RawMessage `json:"mcpServers"`
}

func (a *agent) newSession(ctx context.Context, params json.RawMessage) (any, *acp.RequestError) {
	var p newSessionParams
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, refusal(codeInvalidParams, "The session's settings could not be read.")
	}
	s := &session{id: "toolbench-" + rand.Text(), agent: a, grants: map[string]bool{}, calls: map[string]*toolCall{}}
	s.ctx, s.endCtx = context.WithCancel(a.life)
	if !a.add(s) || !s.hold() {
		return nil, refusal(codeInternal, "The agent is ending.")
	}
	defer s.work.Done()
	s.announced = a.out.announced(s.id)
	notices := s.connect(ctx, decodeServers(p.McpServers), p.Cwd)
	if ctx.Err() != nil || s.ctx.Err() != nil { // the client took its request back, or is gone
		a.remove(s.id)
		a.out.forget(s.id)
		s.stop()
		s.disconnect()
		return nil, acp.NewRequestCancelled(nil)
	}
	s.work.Go(func() { s.open(notices) })
	return acp.NewSessionResponse{SessionId: acp.SessionId(s.id)}, nil
}

// open sends what the client is told first, once it knows the session.
func (s *session) open(notices []string) {
	select {
	case <-s.announced:
	case <-s.ctx.Done():
		return
	}
	for _, n := range notices {
		s.say(s.ctx, n+"\n\n") // a paragraph each: a client may join chunks
	}
	s.publish()
}

// hold counts the caller as work of the session, unless the session is stopping. Release it with work.Done.
func (s *session) hold() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return false
	}
	s.work.Add(1)
	return true
}

// begin makes the caller the session's only turn. The turn ends with ctx, session/cancel or the session.
func (s *session) begin(ctx context.Context) (turn context.Context, done func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped || s.turn != nil {
		return nil, nil, false
	}
	s.work.Add(1)
	s.turns.Add(1)
	turn, s.turn = context.WithCancel(ctx)
	cancel := s.turn
	unhook := context.AfterFunc(s.ctx, cancel)
	return turn, func() {
		s.mu.Lock()
		s.turn = nil
		s.mu.Unlock()
		unhook()
		cancel()
		s.turns.Done()
		s.work.Done()
	}, true
}

// stop ends the turn and the watchers; no new work starts after it.
func (s *session) stop() {
	s.mu.Lock()
	s.stopped = true
	s.mu.Unlock()
	s.endCtx()
}

// cancel ends the running turn, if there is one.
func (s *session) cancel() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turn != nil {
		s.turn()
	}
}

// disconnect closes the MCP sessions, all at once. It may take as long as the servers do; requests of a server that
// does not answer end with the agent's life.
func (s *session) disconnect() {
	waitAtMost(&s.turns, 2*cancelGrace) // a call that was cancelled is told to the server first
	s.mu.Lock()
	servers := s.servers
	s.mu.Unlock()
	var closing sync.WaitGroup
	for _, srv := range servers {
		closing.Go(srv.close)
	}
	closing.Wait()
}

// update sends one session/update. The variant structs are sent as they are: the SDK's union passes through a map and
// would round large numbers in arguments.
func (s *session) update(ctx context.Context, variant any) {
	// A client that is gone is noticed by the reader.
	_ = s.agent.conn.SendNotification(context.WithoutCancel(ctx), acp.ClientMethodSessionUpdate, struct {
		SessionID string `json:"sessionId"`
		Update    any    `json:"update"`
	}{s.id, variant})
}

// say adds a message of the agent, as Markdown.
func (s *session) say(ctx context.Context, markdown string) {
	s.update(ctx, acp.SessionUpdateAgentMessageChunk{SessionUpdate: "agent_message_chunk", Content: acp.TextBlock(markdown)})
}

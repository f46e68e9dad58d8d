package agentctl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"kandev/backend/acp"
	"kandev/backend/agent"
	"kandev/backend/attach"
	"kandev/backend/mcpserver"
	"kandev/backend/proc"
)

// ErrEnded says that the agent's process is gone.
var ErrEnded = errors.New("the agent has ended")

// cancelHeard is how long an agent has to end a turn before the calls that wait
// on our side are ended. Every agent measured needs less than 0.3 s.
const cancelHeard = time.Second

// closeLimit bounds the orderly end of an endpoint.
const closeLimit = 2 * time.Second

// Instance is one execution: one agent process and its attempts. Safe for
// concurrent use. Whoever created it closes it.
type Instance struct {
	request CreateInstanceRequest
	host    Host
	process *proc.Process
	conn    *acp.Conn

	setting   sync.Mutex // orders what is served: held from asking for a tool set to serving it
	terminals *terminals

	mu       sync.Mutex
	profile  Profile
	bearer   string              // of the first attempt, when the environment holds it; "" once used
	endpoint *mcpserver.Endpoint // of the current attempt
	attempt  string
	session  string // the agent's own session id, "" before the first attempt was accepted
	agent    acp.Initialized
	ended    bool           // Close began: no new attempt
	reason   string         // of the first Close
	turn     chan struct{}  // closed when the newest turn has ended; nil before the first
	attempts sync.WaitGroup // attempts under way; added to only while ended is false
	closed   chan struct{}  // closed when the first Close is done
}

// Create decodes a request and starts its agent under the guard, connected
// over ACP. Nothing has been said to the agent yet. The error of a process
// that could not be started wraps proc's sentinels.
func Create(ctx context.Context, request []byte, host Host) (*Instance, error) {
	r, err := Decode(request)
	if err != nil {
		return nil, err
	}
	i := &Instance{request: r, host: host, profile: r.Profile, closed: make(chan struct{})}
	if r.Capabilities.BearerFrom == agent.BearerEnv {
		i.bearer = mcpserver.NewBearer()
	}
	process, err := proc.Start(ctx, proc.Command{
		Self: host.Guard, Path: r.Command[0], Args: r.Command[1:], Dir: r.WorkDir,
		Env: i.environment(), PIDDir: host.PIDDir,
	})
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", r.Session, err)
	}
	i.process = process
	i.terminals = newTerminals(r.WorkDir, i.terminalCommand, host)
	i.conn = acp.NewConn(process.Stdin(), io.NopCloser(process.Stdout()), acp.Options{
		Update: func(_ string, u acp.Update) {
			if !u.Replayed { // the transcript has it already
				host.Update(u)
			}
		},
		Permission: host.Permission,
		ReadFile:   files{r.WorkDir}.read, WriteFile: files{r.WorkDir}.write,
		Terminals: i.terminals.answers(),
		Noise:     host.Noise, Dropped: host.Dropped,
		Log: host.Log, Now: host.Now,
		Limits: r.Limits.acp(),
	})
	return i, nil
}

// Initialize negotiates ACP. What the agent says of itself is kept for the
// choice of transports.
func (i *Instance) Initialize(ctx context.Context) (acp.Initialized, error) {
	in, err := i.conn.Initialize(ctx, acp.InitializeRequest{
		Client: acp.Implementation{Name: "kandev-desktop", Title: "Kandev Desktop", Version: i.host.Version},
	})
	if err != nil {
		return in, err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.agent = in
	return in, nil
}

// Authenticate asks the agent to log in by one of the methods it offers.
func (i *Instance) Authenticate(ctx context.Context, method string) error {
	return i.conn.Authenticate(ctx, method)
}

// CanLoad reports whether this agent can be asked for an earlier session: it
// says so itself, and its definition does not know better. Valid after Initialize.
func (i *Instance) CanLoad() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.agent.LoadSession && i.request.Capabilities.NativeLoad
}

// AgentSession is the agent's own id of the current session, "" without one.
func (i *Instance) AgentSession() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.session
}

// Prompt runs one turn of the current attempt's session.
func (i *Instance) Prompt(ctx context.Context, blocks []acp.Block) (acp.StopReason, error) {
	turn := make(chan struct{})
	defer close(turn)
	i.mu.Lock()
	session := i.session
	if session != "" {
		i.turn = turn
	}
	i.mu.Unlock()
	if session == "" {
		return "", ErrEnded
	}
	return i.conn.Prompt(ctx, session, blocks)
}

// Cancel ends the running turn: the agent is told, and what waits on our side
// is resolved whatever the agent does, but not before it can have heard: an
// answer that overtakes the stop would let its model go on. It waits for the end
// of the turn, a second at most.
func (i *Instance) Cancel(cause error) error {
	i.mu.Lock()
	session, endpoint, turn := i.session, i.endpoint, i.turn
	i.mu.Unlock()
	if endpoint != nil {
		defer endpoint.CancelCalls(cause)
	}
	if session == "" || turn == nil { // the agent has nothing to end
		return nil
	}
	if err := i.conn.Cancel(session); err != nil {
		return err
	}
	timer := time.NewTimer(cancelHeard)
	defer timer.Stop()
	select {
	case <-turn:
	case <-i.conn.Done():
	case <-timer.C:
	}
	return nil
}

// SetProvisional swaps the served tool set in whole and tells the agent's
// client: set_task_title is served only while the task's title is provisional.
func (i *Instance) SetProvisional(provisional bool) {
	i.mu.Lock()
	i.profile.Provisional = provisional
	i.mu.Unlock()
	i.RefreshTools()
}

// RefreshTools asks for the tool set of the present profile and serves it. The
// client is told when it can see a difference. Of two refreshes at once the
// later one's set is served last.
func (i *Instance) RefreshTools() {
	i.setting.Lock()
	defer i.setting.Unlock()
	i.mu.Lock()
	profile, endpoint := i.profile, i.endpoint
	i.mu.Unlock()
	if endpoint != nil {
		endpoint.SetTools(i.host.Tools(profile))
	}
}

// Done is closed when the agent and everything it started are gone.
func (i *Instance) Done() <-chan struct{} { return i.process.Done() }

// Lost is closed when the connection to the agent has ended.
func (i *Instance) Lost() <-chan struct{} { return i.conn.Done() }

// Exit says how the agent ended, valid after Done, and what it wrote to stderr
// last: foreign text, to be redacted and shown, never logged.
func (i *Instance) Exit() (proc.Exit, []byte) { return i.process.Exit(), i.process.StderrTail() }

// Close stops the agent and its tree, ends what waits on it, closes connection
// and endpoint, and records the end of the execution. It comes back when all of
// that is gone, which proc bounds; ctx bounds what counts as an end in order, and
// its error is Close's when it ended before the agent did. Another Close waits
// for the first one, or for its own ctx.
func (i *Instance) Close(ctx context.Context, reason string) error {
	i.mu.Lock()
	endpoint, first := i.endpoint, !i.ended
	i.session, i.ended = "", true
	if first {
		i.reason = reason
	}
	i.mu.Unlock()
	if !first {
		select {
		case <-i.closed:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	defer close(i.closed)
	if endpoint != nil {
		endpoint.CancelCalls(ErrEnded)
	}
	i.terminals.end()
	err := errors.Join(i.process.Stop(ctx), i.conn.Close())
	i.terminals.wait()
	<-i.process.Done()
	i.attempts.Wait() // the connection has ended, and with it what they wait for
	i.mu.Lock()
	endpoint, i.endpoint = i.endpoint, nil
	attempt := i.attempt
	i.mu.Unlock()
	i.closeEndpoint(endpoint)
	if attempt != "" {
		i.record(attempt, attach.Evidence{Kind: attach.ExecutionEnded, Reason: reason})
	}
	return err
}

func (i *Instance) closeEndpoint(e *mcpserver.Endpoint) {
	if e == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
	defer cancel()
	if err := e.Close(ctx); err != nil {
		i.host.Log.Warn("endpoint did not close in order", "session", i.request.Session, "err", err)
	}
}

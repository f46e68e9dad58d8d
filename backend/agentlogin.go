package backend

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"kandev/backend/acp"
	"kandev/backend/agent"
	"kandev/backend/proc"
	"kandev/backend/redact"
)

// chooseLimit is how long a person may take to choose a way to log in. The
// login itself has the five minutes of acp.Limits.Authenticate.
const chooseLimit = 5 * time.Minute

// errNoLogin says that an agent has nothing to log in to.
var errNoLogin = errors.New("this agent needs no login")

// States of a login without a session.
const (
	LoginIdle      = ""          // none was begun since the app started
	LoginStarting  = "starting"  // the agent starts and says which ways it has
	LoginChoose    = "choose"    // it waits for one of Offer's methods
	LoginTold      = "told"      // it has no way that it carries out itself; Offer says what a person can do
	LoginRunning   = "running"   // the agent logs in; it may have opened a browser
	LoginDone      = "done"      // the agent said so
	LoginFailed    = "failed"    // Text says why
	LoginCancelled = "cancelled" // by the person or by the end of the app
)

// AgentLogin is how far a login stands.
type AgentLogin struct {
	State string
	Text  string // a sentence
	Offer LoginOffer
}

// agentLogin is one agent started for nothing but its login: initialize and
// authenticate, no session, no MCP server, no bearer, in a folder with nothing in
// it. Its goroutine owns the process and ends it.
type agentLogin struct {
	b      *Backend
	start  command
	cancel context.CancelFunc
	choice chan string // holds one
	over   chan struct{}

	mu   sync.Mutex
	view AgentLogin
	told []acp.AuthMethod
}

// StartAgentLogin starts an agent in a process of its own and asks how one logs
// in. It returns when that has begun; AgentLogin says how it goes on. Again
// while one runs is the same one.
func (b *Backend) StartAgentLogin(id string) error {
	start, err := b.command(b.ctx, id)
	switch {
	case err != nil:
		return err
	case start.Embedded && start.Login == "":
		return errNoLogin
	}
	b.logins.mu.Lock()
	defer b.logins.mu.Unlock()
	if l := b.logins.running[id]; l != nil && !isClosed(l.over) {
		return nil
	}
	if _, known := b.o.agents(id); !known { // removed meanwhile; from here on a removal ends this login
		return fmt.Errorf("%w: %q", agent.ErrUnknown, id)
	}
	if !b.enter() {
		return errClosing
	}
	ctx, cancel := context.WithCancel(b.ctx)
	l := &agentLogin{b: b, start: start, cancel: cancel, choice: make(chan string, 1), over: make(chan struct{})}
	l.view = AgentLogin{State: LoginStarting, Offer: LoginOffer{Command: start.Login, Env: slices.Clone(start.Credentials.Env), Methods: []LoginMethod{}}}
	if b.logins.running == nil {
		b.logins.running = map[string]*agentLogin{}
	}
	b.logins.running[id] = l
	go l.run(ctx)
	return nil
}

// AgentLogin is how far the login of an agent stands. It waits for nothing.
func (b *Backend) AgentLogin(id string) AgentLogin {
	l := b.loginOf(id)
	if l == nil {
		return AgentLogin{Offer: LoginOffer{Env: []string{}, Methods: []LoginMethod{}}}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.view
}

// ChooseAgentLogin begins the login by one of the methods of kind "agent" that
// were offered.
func (b *Backend) ChooseAgentLogin(id, method string) error {
	l := b.loginOf(id)
	if l == nil {
		return errAuthMethod
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	n := slices.IndexFunc(l.told, func(m acp.AuthMethod) bool { return m.ID == method && m.Type == authAgent })
	if l.view.State != LoginChoose || n < 0 {
		return errAuthMethod
	}
	l.view.State, l.view.Text = LoginRunning, fmt.Sprintf("Logging in: %s. The agent may open a browser.", redact.Summary(l.told[n].Name))
	l.choice <- method
	return nil
}

// CancelAgentLogin ends a login and its process; it waits until that is gone.
func (b *Backend) CancelAgentLogin(ctx context.Context, id string) error {
	l := b.loginOf(id)
	if l == nil {
		return nil
	}
	return l.end(ctx)
}

// end ends a login and waits until its process is gone.
func (l *agentLogin) end(ctx context.Context) error {
	l.cancel()
	select {
	case <-l.over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (b *Backend) loginOf(id string) *agentLogin {
	b.logins.mu.Lock()
	defer b.logins.mu.Unlock()
	return b.logins.running[id]
}

// run is the life of a login; its end is told last.
func (l *agentLogin) run(ctx context.Context) {
	defer l.b.wg.Done()
	defer l.cancel()
	ran, stderr, err := l.execute(ctx)
	l.ended(ctx, err, ran, stderr)
}

// execute is the life of the process. ran says what was run, "" when nothing was.
func (l *agentLogin) execute(ctx context.Context) (ran string, stderr []byte, err error) {
	folder, done, err := l.b.scratch(l.start.ID)
	if err != nil {
		return "", nil, err
	}
	defer done()
	p, err := proc.Start(ctx, proc.Command{
		Self: append(slices.Clone(l.b.o.Self), "guard"), Path: l.start.argv[0], Args: l.start.argv[1:], Dir: folder,
		Env: l.environment(), PIDDir: l.b.pidDir(),
	})
	if err != nil {
		return "", nil, err
	}
	conn := acp.NewConn(p.Stdin(), io.NopCloser(p.Stdout()), acp.Options{
		Log: l.b.log, Now: l.b.o.Now, Limits: acp.Limits{Initialize: time.Duration(l.b.o.limits.Initialize) * time.Millisecond},
	})
	err = l.talk(ctx, conn)
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopLimit)
	defer cancel()
	if stopErr := p.Stop(stop); stopErr != nil {
		l.b.log.Warn("the agent of a login did not end in order", "agent", l.start.ID, "err", redact.Summary(stopErr.Error()))
	}
	_ = conn.Close()
	ran = " It ran " + shownCommand(l.start.argv)
	if errors.Is(err, acp.ErrClosed) {
		ran += ": " + p.Exit().String()
	}
	return ran + ".", p.StderrTail(), err
}

func (l *agentLogin) environment() []string {
	set := map[string]string{}
	if l.start.path != "" {
		set["PATH"] = l.start.path
	}
	maps.Copy(set, l.start.Capabilities.EnvSet)
	return proc.Environ(l.b.environ(), l.start.Capabilities.EnvStrip, set)
}

// talk says hello, waits for the choice and logs in.
func (l *agentLogin) talk(ctx context.Context, conn *acp.Conn) error {
	in, err := conn.Initialize(ctx, acp.InitializeRequest{
		Client: acp.Implementation{Name: "kandev-desktop", Title: "Kandev Desktop", Version: l.b.o.Version},
	})
	if err != nil {
		return err
	}
	l.mu.Lock()
	l.told, l.view.State = in.AuthMethods, LoginChoose
	l.view.Offer.Methods = loginMethods(in.AuthMethods, l.start.program)
	l.mu.Unlock()
	if !slices.ContainsFunc(in.AuthMethods, func(m acp.AuthMethod) bool { return m.Type == authAgent }) {
		return errNoWays
	}
	limit := time.NewTimer(chooseLimit)
	defer limit.Stop()
	select {
	case method := <-l.choice:
		return conn.Authenticate(ctx, method)
	case <-conn.Done():
		return acp.ErrClosed
	case <-limit.C:
		return errNothingChosen
	case <-ctx.Done():
		return ctx.Err()
	}
}

// errNoWays ends a login of an agent that has nothing to choose: it was only
// asked.
var errNoWays = errors.New("the agent does not log in by itself")

var errNothingChosen = errors.New("no way to log in was chosen within 5 minutes")

// ended says how it went, and with it that another login can begin. An agent's
// own words are redacted.
func (l *agentLogin) ended(ctx context.Context, err error, ran string, stderr []byte) {
	if err == nil {
		l.b.logins.wantsLogin(l.start.ID, false)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	defer close(l.over)
	switch {
	case err == nil:
		l.view.State, l.view.Text = LoginDone, "Logged in."
	case errors.Is(err, errNoWays):
		l.view.State, l.view.Text = LoginTold, "This agent does not log in by itself."
	case ctx.Err() != nil:
		l.view.State, l.view.Text = LoginCancelled, ""
	case errors.Is(err, errNothingChosen):
		l.view.State, l.view.Text = LoginFailed, sentence(err)
	case l.view.State == LoginRunning && !errors.Is(err, acp.ErrClosed):
		l.view.State, l.view.Text = LoginFailed, failure(fmt.Errorf("%w: %w", errLogin, err), l.start.given...)
	default:
		text := failure(err, l.start.given...)
		if errors.Is(err, acp.ErrClosed) {
			text = "The agent ended before the login was done."
		}
		text = strings.Join([]string{AsSentence(text) + ran, lastOutput(stderr, l.start.given...)}, " ")
		l.view.State, l.view.Text = LoginFailed, strings.TrimSpace(text)
	}
	l.view.Text = without(l.view.Text, l.start.given)
}

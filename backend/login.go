package backend

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"kandev/backend/acp"
	"kandev/backend/agent"
	"kandev/backend/agentctl"
	"kandev/backend/redact"
	"kandev/backend/session"
)

// Errors of logging in.
var (
	errLogin      = errors.New("the login failed")
	errAuthMethod = errors.New("the agent does not offer this way to log in")
)

// Kinds of login methods. ACP says "agent" when a method names no type.
const (
	authAgent    = "agent"    // the agent carries it out itself: Authenticate
	authTerminal = "terminal" // a command that the person runs
	authEnv      = "env_var"  // variables that the person sets (unstable in ACP)
	authUnknown  = "unknown"  // told, and not known to this app
)

// maxLoginWord bounds a word of a command to copy, in bytes.
const maxLoginWord = 200

// LoginOffer is what a person can do to log in to an agent.
type LoginOffer struct {
	Command string   // the agent's own, to copy; "" = none is known
	Env     []string // variables that it is known to read a login from
	Methods []LoginMethod
}

// LoginMethod is one way to log in that an agent offered: foreign text, bounded
// and redacted. Types that are not known stay, as "unknown".
type LoginMethod struct {
	ID          string
	Name        string
	Description string
	Kind        string   // "agent", "terminal", "env_var", "unknown"
	Command     string   // of "terminal": to copy
	Vars        []string // of "env_var": names
}

// LoginMethods is what the agent of a session offered when it was started
// last; methods are not known after a restart of the app.
func (b *Backend) LoginMethods(id session.ID) (LoginOffer, error) {
	c, err := b.find(id)
	if err != nil {
		return LoginOffer{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.loginOffer(), nil
}

// loginOffer: lock held.
func (c *conversation) loginOffer() LoginOffer {
	o := LoginOffer{Env: []string{}, Methods: loginMethods(c.auth, c.program)}
	if d, ok := c.b.o.agents(c.row.Agent); ok {
		o.Command, o.Env = inProgram(d.Login, d.Command, c.program), append(o.Env, d.Credentials.Env...)
	}
	return o
}

// loginMethods makes what an agent offered fit to show. program is how the
// person calls it in a terminal.
func loginMethods(told []acp.AuthMethod, program string) []LoginMethod {
	out := []LoginMethod{}
	for _, m := range told {
		l := LoginMethod{ID: m.ID, Name: redact.Summary(m.Name), Description: redact.Summary(m.Description), Kind: m.Type, Vars: []string{}}
		if l.Name == "" {
			l.Name = redact.Summary(m.ID)
		}
		switch {
		case m.Type == authAgent:
		case m.Type == authTerminal && program != "" && !slices.ContainsFunc(m.Args, unseen):
			l.Command = commandLine(program, m.Args)
		case m.Type == authEnv && len(m.Vars) > 0:
			for _, name := range m.Vars {
				name, _ = bounded(name, maxLoginWord, false)
				l.Vars = append(l.Vars, name)
			}
		default:
			l.Kind = authUnknown
		}
		out = append(out, l)
	}
	return out
}

// unseen reports whether a word has characters that a person would not see in a
// command that they are about to paste.
func unseen(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsPrint(r) })
}

// commandLine is a program, as a person calls it, with what a method adds.
func commandLine(program string, args []string) string {
	words := []string{program}
	for _, w := range args {
		w, _ = bounded(w, maxLoginWord, false)
		words = append(words, agent.ShellWord(w))
	}
	return strings.Join(words, " ")
}

// inTerminal is a command of ours as the person's own terminal understands it:
// a program that only a place knows is called by its path.
func inTerminal(line, name string, found program) string {
	if found.place == onPath {
		return line
	}
	return inProgram(line, name, agent.ShellWord(found.path))
}

// inProgram puts how the program is called in the place of its name.
func inProgram(line, name, program string) string {
	first, rest, more := strings.Cut(line, " ")
	if first != name || program == "" {
		return line
	}
	if more {
		return program + " " + rest
	}
	return program
}

// Authenticate starts a session whose agent wants a login, and logs in by one
// of the methods it offers before anything else. How it goes on is told to the
// window; the agent may open a browser. ErrLive while the agent runs.
func (b *Backend) Authenticate(ctx context.Context, id session.ID, method string) error {
	if method == "" {
		return errAuthMethod
	}
	return b.start(ctx, id, beginning{auth: method})
}

// login carries a method out, within its five minutes.
func (c *conversation) login(ctx context.Context, i *agentctl.Instance, method string) error {
	c.mu.Lock()
	n := slices.IndexFunc(c.auth, func(m acp.AuthMethod) bool { return m.ID == method && m.Type == authAgent })
	if n >= 0 {
		c.note(fmt.Sprintf("Logging in: %s. The agent may open a browser.", redact.Summary(c.auth[n].Name)))
	}
	c.mu.Unlock()
	if n < 0 {
		return fmt.Errorf("%w: %w", errLogin, errAuthMethod)
	}
	err := i.Authenticate(ctx, method)
	switch {
	case err == nil:
		c.mu.Lock()
		c.wants.auth = ""
		c.mu.Unlock()
		return nil
	case errors.Is(err, acp.ErrClosed):
		return err
	}
	return fmt.Errorf("%w: %w", errLogin, err)
}

// failure is the sentence of a start that failed, with what was run. One for want
// of a login, which is no fault of the program's, keeps the ways to log in on
// offer. How a program ended that is gone is told when that is known.
func (c *conversation) failure(err error) string {
	required := acp.IsAuthRequired(err)
	if !required && !errors.Is(err, errLogin) {
		said := failure(err, c.secrets()...)
		if errors.Is(err, acp.ErrClosed) {
			return said
		}
		return AsSentence(said) + " It ran " + c.command() + "."
	}
	if required {
		c.b.logins.wantsLogin(c.row.Agent, true)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.loginAsk = true
	if errors.Is(err, errLogin) {
		return failure(err, c.given...)
	}
	return loginWanted
}

// loginWanted is what a session that failed says. How one logs in stands below it in the window.
const loginWanted = "The agent wants you to log in first."

// loginSentence says how to log in, in the transcript of a session that runs on. Lock held.
func (c *conversation) loginSentence() string {
	text := []string{loginWanted}
	o := c.loginOffer()
	if o.Command != "" {
		text = append(text, "Run in a terminal: "+o.Command+".")
	}
	var offered []string
	for _, m := range o.Methods {
		switch m.Kind {
		case authTerminal:
			text = append(text, "For "+m.Name+" run in a terminal: "+m.Command+".")
		case authEnv:
			text = append(text, "For "+m.Name+" set "+strings.Join(m.Vars, ", ")+" where Kandev is started.")
		case authAgent:
			offered = append(offered, m.Name)
		}
	}
	if len(offered) > 0 {
		text = append(text, "It also offers to log in by itself: "+strings.Join(offered, ", ")+".")
	}
	return strings.Join(append(text, "Then start the session again."), " ")
}

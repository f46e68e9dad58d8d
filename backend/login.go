package backend

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kandev/backend/acp"
	"kandev/backend/agentctl"
	"kandev/backend/redact"
	"kandev/backend/session"
)

// Errors of logging in.
var (
	errLogin      = errors.New("the login failed")
	errAuthMethod = errors.New("the agent does not offer this way to log in")
)

// authAgent is the type of a method that the agent carries out itself.
const authAgent = "agent"

// LoginMethod is one way to log in that a session's agent offered. One with a
// command is run by the person in a terminal, the others by Authenticate.
type LoginMethod struct {
	ID          string
	Name        string
	Description string
	Command     string // to copy; "" for Authenticate
}

// LoginMethods are what the agent of a session offered when it was started
// last; none are known after a restart of the app.
func (b *Backend) LoginMethods(id session.ID) ([]LoginMethod, error) {
	c, err := b.find(id)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.loginMethods(), nil
}

// loginMethods: foreign text, bounded and redacted. Types that are not known
// cannot be offered. Lock held.
func (c *conversation) loginMethods() []LoginMethod {
	out := []LoginMethod{}
	for _, m := range c.auth {
		l := LoginMethod{ID: m.ID, Name: redact.Summary(m.Name), Description: redact.Summary(m.Description)}
		if l.Name == "" {
			l.Name = redact.Summary(m.ID)
		}
		switch m.Type {
		case authAgent:
		case "terminal":
			if l.Command = c.loginCommand(m.Args); l.Command == "" {
				continue
			}
		default:
			continue
		}
		out = append(out, l)
	}
	return out
}

// loginCommand is the agent's own command with what its method adds.
func (c *conversation) loginCommand(args []string) string {
	d, ok := c.b.o.agents(c.row.Agent)
	if !ok || d.Command == "" {
		return ""
	}
	words := append([]string{d.Command}, args...)
	for i, w := range words {
		if w, _ = bounded(w, 200, false); strings.ContainsAny(w, " \t\n\"'\\$`;&|<>()*?") || w == "" {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		words[i] = w
	}
	return strings.Join(words, " ")
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

// failure is the sentence of a start that failed.
func (c *conversation) failure(err error) string {
	if !acp.IsAuthRequired(err) || errors.Is(err, errLogin) {
		return failure(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.loginSentence()
}

// loginSentence says how to log in: by the agent's own command, to copy, and by
// what it offers. Lock held.
func (c *conversation) loginSentence() string {
	text := []string{"The agent wants you to log in first."}
	if d, ok := c.b.o.agents(c.row.Agent); ok && d.Login != "" {
		text = append(text, "Run in a terminal: "+d.Login+".")
	}
	var offered []string
	for _, m := range c.loginMethods() {
		if m.Command != "" {
			text = append(text, "For "+m.Name+" run in a terminal: "+m.Command+".")
		} else {
			offered = append(offered, m.Name)
		}
	}
	if len(offered) > 0 {
		text = append(text, "It also offers to log in by itself: "+strings.Join(offered, ", ")+".")
	}
	return strings.Join(append(text, "Then start the session again."), " ")
}

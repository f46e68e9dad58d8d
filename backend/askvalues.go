package backend

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kandev/backend/agent"
	"kandev/backend/session"
)

// valuesLimit is how long a start waits for values that are not stored.
const valuesLimit = 10 * time.Minute

// errNotAsked says that a session waits for no values.
var errNotAsked = errors.New("this session does not wait for values any more")

// AskedServer is one of the person's servers whose values are not stored: a
// start waits for them.
type AskedServer struct {
	ID      string // of the server
	Name    string
	Headers []string // names, in order
	Env     []string
}

// TypedValue is what the person typed for one of them. It is never stored.
type TypedValue struct {
	Server string // its id
	Header bool   // else a variable
	Name   string
	Value  string
}

// valueAsk is a start that waits for values. done is closed once, under the
// conversation's lock.
type valueAsk struct {
	servers []AskedServer
	rows    []agent.OwnServer
	done    chan struct{}
	typed   []TypedValue // of servers that are to be given
}

// unstoredOf lists what a start has to ask for.
func unstoredOf(rows []agent.OwnServer) (out []AskedServer) {
	missing := func(kept []agent.Kept) []string {
		found := []string{}
		for _, k := range kept {
			if k.Secret == "" {
				found = append(found, k.Name)
			}
		}
		return found
	}
	for _, s := range rows {
		a := AskedServer{ID: s.ID, Name: s.Name, Headers: missing(s.Headers), Env: missing(s.Env)}
		if len(a.Headers)+len(a.Env) > 0 {
			out = append(out, a)
		}
	}
	return out
}

// typedFor waits for the values that this start needs and does not have. What
// was typed stays in memory to the end of the start's last process, so that an
// agent which is restarted for a new attempt does not ask again. nil: nothing
// was needed, nothing was typed, or the wait ended; then those servers are
// withheld.
func (c *conversation) typedFor(ctx context.Context, rows []agent.OwnServer) []TypedValue {
	servers := unstoredOf(rows)
	c.mu.Lock()
	if len(servers) == 0 || c.stopping != "" || c.typed != nil {
		defer c.mu.Unlock()
		return c.typed
	}
	ask := &valueAsk{servers: servers, rows: rows, done: make(chan struct{})}
	c.asking = ask
	c.publishRow()
	c.mu.Unlock()
	limit := time.NewTimer(c.b.o.valuesWait)
	defer limit.Stop()
	select {
	case <-ask.done:
	case <-limit.C:
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.endAsk(nil)
	if c.typed = ask.typed; c.typed == nil {
		c.typed = []TypedValue{} // answered: not asked again by this start
	}
	return c.typed
}

// endAsk lets a waiting start go on. Lock held.
func (c *conversation) endAsk(typed []TypedValue) {
	if c.asking == nil {
		return
	}
	c.asking.typed = typed
	close(c.asking.done)
	c.asking = nil
	c.publishRow()
}

// ValuesAsked is what a session's start waits for; empty when it does not.
func (b *Backend) ValuesAsked(id session.ID) ([]AskedServer, error) {
	c, err := b.find(id)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asking == nil {
		return nil, nil
	}
	return slices.Clone(c.asking.servers), nil
}

// GiveValues lets a waiting start go on with what was typed. A server that
// lacks one of its values is withheld; none at all withholds them all. A value
// that cannot be sent is an agent.ErrServer without the value, and the start
// waits on.
func (b *Backend) GiveValues(id session.ID, typed []TypedValue) error {
	c, err := b.find(id)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asking == nil {
		return errNotAsked
	}
	for _, s := range c.asking.rows {
		for _, v := range typed {
			if v.Server == s.ID {
				if err := agent.CheckValue(s.Transport, v.Name, v.Value); err != nil {
					return err
				}
			}
		}
	}
	c.endAsk(slices.Clone(typed))
	return nil
}

// typedValue finds what was typed for a value, "" = nothing.
func typedValue(typed []TypedValue, server string, header bool, name string) string {
	for _, v := range typed {
		if v.Server == server && v.Header == header && v.Name == name {
			return v.Value
		}
	}
	return ""
}

// AskValues says whether values of the person's servers are asked for at each
// start instead of stored. Switching it on forgets those that are stored.
func (b *Backend) AskValues(ctx context.Context, on bool) error {
	if !b.enter() {
		return errClosing
	}
	defer b.wg.Done()
	b.serversMu.Lock()
	defer b.serversMu.Unlock()
	s := b.Settings()
	s.AskValues = on
	b.SaveSettings(s)
	if !on {
		return nil
	}
	all, err := b.allServers(ctx)
	if err != nil {
		return err
	}
	for _, row := range all {
		stored := slices.DeleteFunc(slices.Concat(row.Env, row.Headers), func(k agent.Kept) bool { return k.Secret == "" })
		if len(stored) == 0 {
			continue
		}
		row.Env, row.Headers = unstored(row.Env), unstored(row.Headers)
		if err := b.db.SaveServers(ctx, row); err != nil {
			return err
		}
		for _, k := range stored {
			b.secrets.forget(ctx, k.Secret)
		}
	}
	return nil
}

func unstored(kept []agent.Kept) (out []agent.Kept) {
	for _, k := range kept {
		out = append(out, agent.Kept{Name: k.Name})
	}
	return out
}

// notGiven is the sentence of a server whose values were not typed.
func notGiven(names []string) string {
	return fmt.Sprintf("The value of %s is not stored, and was not given at this start.", strings.Join(names, ", "))
}

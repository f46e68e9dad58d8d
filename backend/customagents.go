package backend

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"kandev/backend/agent"
	"kandev/backend/session"
	"kandev/backend/sqlite"
)

// Errors of the person's own agents: one cannot be removed yet, a value is not
// there.
var (
	errAgentRuns = errors.New("the agent runs")
	errValue     = errors.New("a stored value could not be read")
)

// agentGone is what a session says whose agent is not there any more.
const agentGone = "The agent of this session is not there any more: it was removed. What was said stays. Begin a new session with another agent."

// customs are the person's own agents, read at start. Its lock is taken last:
// a definition is looked up under every other one.
type customs struct {
	changing sync.Mutex // orders changes, held across the store
	mu       sync.Mutex
	list     []agent.Custom // replaced, never written to
}

func (c *customs) all() []agent.Custom {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.list
}

func (c *customs) set(list []agent.Custom) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = list
}

func (c *customs) find(id string) (agent.Custom, bool) {
	for _, one := range c.all() {
		if one.ID == id {
			return one, true
		}
	}
	return agent.Custom{}, false
}

// CustomChange is an agent as the person wants it. Env of Agent is not read;
// Agent.ID is "" for a new one.
type CustomChange struct {
	Agent agent.Custom
	Env   []ServerValue
}

// SaveCustomAgent keeps an agent and answers its id. What is wrong with it is an
// agent.ErrCustom. Sessions that run keep what they were started with.
func (b *Backend) SaveCustomAgent(ctx context.Context, change CustomChange) (string, error) {
	if !b.enter() {
		return "", errClosing
	}
	defer b.wg.Done()
	b.customs.changing.Lock()
	defer b.customs.changing.Unlock()
	c, all := change.Agent, b.customs.all()
	var before agent.Custom
	if c.ID == "" {
		c.ID = newID(strings.TrimSuffix(agent.CustomPrefix, "_"))
	} else if known, ok := b.customs.find(c.ID); ok {
		before = known
	} else {
		return "", agent.ErrCustomGone
	}
	c.Env = named(change.Env)
	c = c.Clean()
	if err := c.Check(all); err != nil {
		return "", err
	}
	if err := b.storeCustom(ctx, &c, before, change.Env); err != nil {
		return "", err
	}
	next := slices.Clone(all)
	if i := slices.IndexFunc(next, func(o agent.Custom) bool { return o.ID == c.ID }); i >= 0 {
		next[i] = c
	} else {
		next = append(next, c)
	}
	b.customs.set(next)
	if before.Name != "" && before.Name != c.Name {
		b.agentRenamed(c.ID, before.Name, c.Name)
	}
	return c.ID, nil
}

// storeCustom stores the new values and the row, then forgets the values that
// the row no longer names.
func (b *Backend) storeCustom(ctx context.Context, c *agent.Custom, before agent.Custom, wanted []ServerValue) error {
	keep := keeping{owner: c.ID, missing: agent.ErrCustom, check: agent.CheckCustomValue, fresh: map[string]string{}}
	env, err := keep.plan(wanted, before.Env)
	if err != nil {
		return err
	}
	c.Env = env
	if err := b.secrets.keep(ctx, keep.fresh, func() error { return b.db.SaveCustomAgent(ctx, *c) }); err != nil {
		return err
	}
	for _, old := range before.Env {
		if !slices.ContainsFunc(c.Env, func(k agent.Kept) bool { return k.Secret == old.Secret }) {
			b.secrets.forget(ctx, old.Secret)
		}
	}
	return nil
}

// DeleteCustomAgent forgets an agent, its values and the servers that were kept
// for it. Its sessions stay and can be read. While one runs nothing is done.
func (b *Backend) DeleteCustomAgent(ctx context.Context, id string) error {
	if !b.enter() {
		return errClosing
	}
	defer b.wg.Done()
	b.customs.changing.Lock()
	defer b.customs.changing.Unlock()
	all := b.customs.all()
	one, ok := b.customs.find(id)
	if !ok {
		return agent.ErrCustomGone
	}
	// Taken away first: a session that begins to start from here on is refused.
	b.customs.set(slices.DeleteFunc(slices.Clone(all), func(o agent.Custom) bool { return o.ID == id }))
	err := errors.Join(b.idle(one), b.CancelAgentLogin(ctx, id))
	if err == nil {
		err = b.forgetServers(ctx, id)
	}
	if err == nil {
		err = b.db.DeleteCustomAgent(ctx, id)
	}
	if err != nil {
		b.customs.set(all)
		return err
	}
	for _, kept := range one.Env {
		b.secrets.forget(ctx, kept.Secret)
	}
	b.agentRenamed(id, "", one.Name)
	return nil
}

// idle says how many sessions of an agent run.
func (b *Backend) idle(one agent.Custom) error {
	n := len(b.rowsOf(func(s session.Session) bool { return s.Agent == one.ID && s.State.Live() }))
	switch n {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("%w: one session of %s has not ended. Stop it first", errAgentRuns, one.Name)
	}
	return fmt.Errorf("%w: %d sessions of %s have not ended. Stop them first", errAgentRuns, n, one.Name)
}

// forgetServers deletes the servers of an agent that is not known any more, in
// one go: one that is being kept for it comes before or is refused.
func (b *Backend) forgetServers(ctx context.Context, id string) error {
	b.serversMu.Lock()
	defer b.serversMu.Unlock()
	servers, err := b.OwnServers(ctx, id)
	for _, s := range servers {
		err = errors.Join(err, b.deleteServer(ctx, s))
	}
	return err
}

// agentRenamed tells every session of an agent by its new name, the version it
// told kept; a session that never had a name is given one.
func (b *Backend) agentRenamed(id, before, after string) {
	for _, c := range b.sessionsOf(func(s session.Session) bool { return s.Agent == id }) {
		c.mu.Lock()
		version, had := strings.CutPrefix(c.row.AgentName, before)
		switch {
		case c.row.AgentName == "":
			c.row.AgentName = after
		case before != "" && had:
			c.row.AgentName = after + version
		}
		c.publishRow()
		c.changed(true)
		c.mu.Unlock()
	}
}

// customEnvironment reads the values of an agent's environment; given are those
// to hide in what the agent says of a failure.
func (b *Backend) customEnvironment(ctx context.Context, one agent.Custom) (set map[string]string, given []string, err error) {
	for _, kept := range one.Env {
		value, err := b.secrets.Get(ctx, kept.Secret)
		if err != nil {
			b.log.Warn("secret not read", "secret", kept.Secret, "err", err)
			return nil, nil, &valueError{kept.Name}
		}
		if set == nil {
			set = map[string]string{}
		}
		set[kept.Name] = value
		if len(value) >= minGiven {
			given = append(given, value)
		}
	}
	return set, given, nil
}

// valueError says which stored value of an agent is not there.
type valueError struct{ name string }

// Error is a sentence for the person.
func (e *valueError) Error() string {
	return fmt.Sprintf("The stored value of %s could not be read. Type it again in Settings, Agents.", e.name)
}

func (e *valueError) Is(target error) bool { return target == errValue }

// readCustoms reads what is stored; a row that cannot be read costs itself.
func readCustoms(ctx context.Context, db *sqlite.DB) ([]agent.Custom, error) {
	list, err := db.CustomAgents(ctx)
	return slices.DeleteFunc(list, func(c agent.Custom) bool { return !strings.HasPrefix(c.ID, agent.CustomPrefix) }), err
}

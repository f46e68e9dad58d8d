package backend

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"kandev/backend/agent"
	"kandev/backend/redact"
	"kandev/backend/secret"
	"kandev/backend/sqlite"
)

// noticeServers stands while servers of the person cannot be read.
const noticeServers = "servers"

// SecretPlace says where values of servers go; asks the keychain the first time.
func (b *Backend) SecretPlace(ctx context.Context) secret.Place { return b.secrets.Place(ctx) }

// OwnServers lists the person's servers for one agent, in the order they were
// added. Kandev never connects to them: they are given to the agent.
func (b *Backend) OwnServers(ctx context.Context, agentID string) ([]agent.OwnServer, error) {
	all, err := b.allServers(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(s agent.OwnServer) bool { return s.Agent != agentID }), nil
}

// ServerValue is a header or variable as it is to be kept.
type ServerValue struct {
	Name  string
	Value string
	Keep  bool // the value that is stored under this name stays; Value is not read
}

// ServerChange is a server as the person wants it. Env and Headers of Server
// are not read; Server.ID is "" for a new one.
type ServerChange struct {
	Server  agent.OwnServer
	Env     []ServerValue
	Headers []ServerValue
}

// SaveOwnServer keeps a server and answers its id. What is wrong with it is an
// agent.ErrServer. Running agents are not touched: the next start gives it.
func (b *Backend) SaveOwnServer(ctx context.Context, change ServerChange) (string, error) {
	if !b.enter() {
		return "", errClosing
	}
	defer b.wg.Done()
	b.serversMu.Lock()
	defer b.serversMu.Unlock()
	return b.saveServer(ctx, change)
}

// saveServer stores the new values and the row, then forgets the values that
// the row no longer names. Lock held.
func (b *Backend) saveServer(ctx context.Context, change ServerChange) (string, error) {
	s := change.Server
	if _, ok := b.o.agents(s.Agent); !ok {
		return "", fmt.Errorf("%w: %q", agent.ErrUnknown, s.Agent)
	}
	others, err := b.OwnServers(ctx, s.Agent)
	if err != nil {
		return "", err
	}
	var before agent.OwnServer
	if s.ID == "" {
		s.ID = newID("m")
	} else if before, err = serverOf(others, s.ID); err != nil {
		return "", err
	}
	s.Env, s.Headers = named(change.Env), named(change.Headers)
	s = s.Clean()
	if err := s.Check(others); err != nil {
		return "", err
	}
	fresh := map[string]string{}
	s.Env, err = b.plan(s, change.Env, before.Env, s.Env, fresh)
	if err != nil {
		return "", err
	}
	if s.Headers, err = b.plan(s, change.Headers, before.Headers, s.Headers, fresh); err != nil {
		return "", err
	}
	if err := b.secrets.keep(ctx, fresh, func() error { return b.db.SaveServers(ctx, s) }); err != nil {
		return "", err
	}
	for _, kept := range slices.Concat(before.Env, before.Headers) {
		if !names(s, kept.Secret) {
			b.secrets.forget(ctx, kept.Secret)
		}
	}
	return s.ID, nil
}

// plan is keeping's. An empty list is what Clean left of values that the
// transport has no place for.
func (b *Backend) plan(s agent.OwnServer, wanted []ServerValue, before, cleaned []agent.Kept, fresh map[string]string) ([]agent.Kept, error) {
	if len(cleaned) == 0 {
		return nil, nil
	}
	check := func(name, value string) error { return agent.CheckValue(s.Transport, name, value) }
	return keeping{owner: s.ID, check: check, missing: agent.ErrServer, fresh: fresh, asked: b.Settings().AskValues}.plan(wanted, before)
}

// DeleteOwnServer forgets a server and its values.
func (b *Backend) DeleteOwnServer(ctx context.Context, id string) error {
	if !b.enter() {
		return errClosing
	}
	defer b.wg.Done()
	b.serversMu.Lock()
	defer b.serversMu.Unlock()
	all, err := b.allServers(ctx)
	if err != nil {
		return err
	}
	s, err := serverOf(all, id)
	if err != nil {
		return err
	}
	return b.deleteServer(ctx, s)
}

// deleteServer forgets a server and its values; serversMu is held.
func (b *Backend) deleteServer(ctx context.Context, s agent.OwnServer) error {
	if err := b.db.DeleteServer(ctx, s.ID); err != nil {
		return err
	}
	for _, kept := range slices.Concat(s.Env, s.Headers) {
		b.secrets.forget(ctx, kept.Secret)
	}
	return nil
}

// allServers are the person's servers for every agent; a bad row costs itself.
func (b *Backend) allServers(ctx context.Context) ([]agent.OwnServer, error) {
	all, err := b.db.Servers(ctx)
	if errors.Is(err, sqlite.ErrRow) {
		err = nil
	}
	return all, err
}

// ownServersOn are the person's servers that an agent is to be given.
func (b *Backend) ownServersOn(ctx context.Context, agentID string) []agent.OwnServer {
	all, err := b.db.Servers(ctx)
	if err != nil {
		b.log.Warn("own servers not read", "err", err)
		b.notice(noticeServers, "warning", "Some of your MCP servers could not be read from the database and were not given to the agent.", "open_data_folder")
	}
	return slices.DeleteFunc(all, func(s agent.OwnServer) bool { return s.Agent != agentID || s.Off })
}

// withValues is what an agent is given at a start: servers with their values,
// stored or typed. One that cannot be given says why; none is left out silently.
func (b *Backend) withValues(ctx context.Context, rows []agent.OwnServer, typed []TypedValue) (out []agent.Server) {
	for _, s := range rows {
		out = append(out, b.serverWithValues(ctx, s, typed))
	}
	return out
}

func (b *Backend) serverWithValues(ctx context.Context, s agent.OwnServer, typed []TypedValue) agent.Server {
	out := agent.Server{Name: s.Name, Transport: s.Transport, URL: s.URL, Command: s.Command, Args: s.Args}
	var missing []string
	read := func(kept []agent.Kept, header bool) (values []agent.Value) {
		for _, k := range kept {
			if k.Secret == "" {
				value := typedValue(typed, s.ID, header, k.Name)
				if value == "" {
					missing = append(missing, k.Name)
				}
				values = append(values, agent.Value{Name: k.Name, Value: value})
				continue
			}
			value, err := b.secrets.Get(ctx, k.Secret)
			if err != nil {
				b.log.Warn("secret not read", "secret", k.Secret, "err", err)
				out.Withheld = fmt.Sprintf("The stored value of %s could not be read. Type it again in Settings.", k.Name)
			}
			values = append(values, agent.Value{Name: k.Name, Value: value})
		}
		return values
	}
	out.Env, out.Headers = read(s.Env, false), read(s.Headers, true)
	if len(missing) > 0 {
		out.Withheld = notGiven(missing)
	}
	if s.Transport == "stdio" && filepath.Base(s.Command) == s.Command && !agent.HasVariable(s.Command) {
		// ACP asks for an absolute path, and the agent's own PATH may be another one.
		found, err := b.programs(ctx).find(s.Command)
		if err != nil {
			out.Withheld = notFound(s.Command)
		} else {
			out.Command = found.path
		}
	}
	return out
}

// notFound says why the program of a server was not found; arguments that were
// written beside it are nobody's business.
func notFound(command string) string {
	name := redact.Executable(command)
	if name != command {
		return fmt.Sprintf("The command that begins with %s is a whole command line. Write its arguments into the field below it, in Settings.", name)
	}
	return fmt.Sprintf("The program %s is not in the PATH of your login shell, nor where nvm, npm and other installers put theirs.", name)
}

func serverOf(all []agent.OwnServer, id string) (agent.OwnServer, error) {
	for _, s := range all {
		if s.ID == id {
			return s, nil
		}
	}
	return agent.OwnServer{}, agent.ErrServerNotFound
}

func named(values []ServerValue) (out []agent.Kept) {
	for _, v := range values {
		out = append(out, agent.Kept{Name: v.Name})
	}
	return out
}

func names(s agent.OwnServer, secretName string) bool {
	return slices.ContainsFunc(slices.Concat(s.Env, s.Headers), func(k agent.Kept) bool { return k.Secret == secretName })
}

package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"kandev/backend/plugin"
	"kandev/backend/tool"
)

const pluginCallUsage = `Usage: kandev-desktop plugin call [options] FILE TOOL < arguments.json

Runs one tool of a plugin's file once, as a session would: arguments are checked against the schema, and the call ends
after the time that the plugin asks for. TOOL is the plugin's own name for it, or the name it is served under.
Arguments are one JSON object on standard input; nothing is {}. The answer goes to standard output, an error and what
the module logs to standard error. Nothing is installed or remembered.

  --config KEY=VALUE   a setting, also a secret one; KEY alone takes the environment variable of that name, because
                       other users can read a command line. May be repeated
  --allow-host HOST    a host that the plugin may reach: a name, *.example.com, or *. May be repeated
  --private-network    this computer and private addresses as well, where their host is allowed
  --json               the answer as one JSON object, an error too

Exit code 0: the tool answered; 1: it answered with an error, crashed, ran out of time or could not be loaded;
2: the command line, the file or the arguments could not be read.
`

// maxArguments is what is read of standard input; the call itself takes less and says so.
const maxArguments = 4 << 20

// calling is one run of "plugin call".
type calling struct {
	surroundings
	asJSON  bool
	private bool
	hosts   []string
	config  map[string]string
	opened  opened
}

// pluginCall is "plugin call".
func pluginCall(ctx context.Context, args []string, s surroundings) int {
	c := &calling{surroundings: s}
	var settings []string
	rest, err := options{
		switches: map[string]*bool{"json": &c.asJSON, "private-network": &c.private},
		values:   map[string]*[]string{"config": &settings, "allow-host": &c.hosts},
	}.parse(args)
	if err == nil && len(rest) != 2 {
		err = errors.New("a file and the name of a tool are needed")
	}
	if err == nil {
		err = c.allow()
	}
	if err == nil {
		c.config, err = c.settings(settings)
	}
	if err != nil {
		return s.refused("call", err, pluginCallUsage)
	}
	pkg, unread, err := readPackage(rest[0])
	if err != nil {
		if code := s.failed("call", err); !unread {
			return code
		}
		return exitUsage
	}
	arguments, err := c.arguments(ctx)
	if err != nil {
		_ = s.failed("call", err)
		return exitUsage
	}
	c.opened = study(ctx, rest[0], pkg, pkg.Bare) // a module with a plugin.json is loaded once, by the call
	for _, problem := range c.opened.problems {
		_ = s.failed("call", errors.New(problem))
	}
	if len(c.opened.problems) > 0 {
		return exitFailed
	}
	if err := c.fit(); err != nil {
		return s.refused("call", err, pluginCallUsage)
	}
	return c.run(ctx, rest[1], arguments)
}

// allow brings the hosts into their one spelling.
func (c *calling) allow() error {
	for i, h := range c.hosts {
		pattern, err := plugin.HostPattern(h)
		if err != nil {
			return err
		}
		c.hosts[i] = pattern
	}
	return nil
}

// settings reads KEY=VALUE, and KEY from the environment. An error never holds a value.
func (c *calling) settings(given []string) (map[string]string, error) {
	out := map[string]string{}
	for _, g := range given {
		key, value, ok := strings.Cut(g, "=")
		if !ok {
			if value, ok = c.environment(key); !ok {
				return nil, fmt.Errorf("--config %s: there is no environment variable of that name", key)
			}
		}
		out[key] = value
	}
	return out, nil
}

func (c *calling) arguments(ctx context.Context) (json.RawMessage, error) {
	text, err := c.input(ctx, maxArguments)
	if err != nil {
		return nil, fmt.Errorf("the arguments: %w", err)
	}
	if strings.TrimSpace(string(text)) == "" {
		return json.RawMessage("{}"), nil
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(text, &object) != nil || object == nil {
		return nil, errors.New("the arguments on standard input are not one JSON object")
	}
	return text, nil
}

// fit holds the settings against the manifest; a bare module, which declares none, takes any.
func (c *calling) fit() error {
	m := &c.opened.manifest
	for key, value := range c.config {
		f, declared := m.Field(key)
		if !declared && !m.Bare {
			return fmt.Errorf("--config %s: plugin.json declares no setting of that name", key)
		}
		if !declared {
			f = plugin.Field{Key: key, Type: plugin.FieldString}
			with, err := m.WithConfig(f)
			if err != nil {
				return err
			}
			*m = with
		}
		if err := f.CheckValue(value); err != nil {
			return fmt.Errorf("--config: %w", err)
		}
	}
	return nil
}

// hints say what will be otherwise in the app, or is likely to be missing here.
func (c *calling) hints() {
	m := c.opened.manifest
	for _, key := range m.MissingConfig(func(key string, _ bool) bool { _, ok := c.config[key]; return ok }) {
		fmt.Fprintf(c.errs, "note: the setting %s is required and not set\n", key)
	}
	granted := plugin.Grant{Hosts: c.hosts}
	for _, h := range m.Permissions.Beyond(granted).Hosts {
		fmt.Fprintf(c.errs, "note: it asks for the host %s, which is not allowed here\n", h)
	}
	if m.Bare {
		return
	}
	asked := plugin.Request{Hosts: c.hosts, PrivateNetwork: c.private}.Beyond(plugin.Grant{Hosts: m.Permissions.Hosts, PrivateNetwork: m.Permissions.PrivateNetwork})
	for _, h := range asked.Hosts {
		fmt.Fprintf(c.errs, "note: plugin.json does not ask for the host %s\n", h)
	}
	if asked.PrivateNetwork {
		fmt.Fprintln(c.errs, "note: plugin.json does not ask for the private network")
	}
}

func (c *calling) run(ctx context.Context, name string, arguments json.RawMessage) int {
	p, err := c.opened.open(plugin.Grant{Hosts: c.hosts, PrivateNetwork: c.private}, func(_ context.Context, key string) (string, bool) {
		value, ok := c.config[key]
		return value, ok
	}, func(level, line string) { fmt.Fprintf(c.errs, "%s: %s\n", level, visible(line)) })
	if err != nil {
		return c.failed("call", err)
	}
	defer p.Close()
	set, _ := tool.NewSet(1, p.Definitions()...)
	def := c.find(set, name)
	if def == nil {
		_ = c.failed("call", fmt.Errorf("it has no tool %q; it has %s", name, strings.Join(c.opened.manifest.ToolNames(), ", ")))
		return exitUsage
	}
	c.hints()
	if err := p.Load(ctx); err != nil {
		return c.failed("call", err)
	}
	begun := time.Now()
	result, report := set.Call(ctx, def, tool.Call{Arguments: arguments}, tool.Limits{})
	return c.answer(def.Name, result, report.Outcome, time.Since(begun))
}

func (c *calling) find(set *tool.Set, name string) *tool.Definition {
	for _, t := range c.opened.tools {
		if t.Original == name || t.Canonical == name {
			def, _ := set.Lookup(t.Canonical)
			return def
		}
	}
	return nil
}

// answer prints how the call ended.
func (c *calling) answer(served string, r tool.Result, outcome tool.Outcome, took time.Duration) int {
	code, out := exitDone, c.out
	if r.IsError || outcome != tool.OutcomeOK {
		code, out = exitFailed, c.errs
	}
	var text string
	if c.asJSON {
		document, err := unescaped(struct {
			Tool       string          `json:"tool"`
			IsError    bool            `json:"is_error"`
			Text       string          `json:"text"`
			Structured json.RawMessage `json:"structured,omitempty"`
			TookMS     int64           `json:"took_ms"`
		}{served, code != exitDone, r.Text, r.Structured, took.Milliseconds()}, "")
		if err != nil {
			return c.failed("call", err)
		}
		text, out = printable(document), c.out
	} else {
		text = strings.TrimSuffix(shown(r.Text), "\n") + "\n"
	}
	if _, err := io.WriteString(out, text); err != nil && !isBrokenPipe(err) {
		return c.failed("call", err)
	}
	return code
}

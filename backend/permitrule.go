package backend

import (
	"context"

	"kandev/backend/attach"
	"kandev/backend/catalog"
	"kandev/backend/permission"
	"kandev/backend/tool"
)

// kindAllowOnce is the kind of the only option that a rule chooses.
const kindAllowOnce = "allow_once"

// maxJoined bounds the MCP calls that are remembered by the agent's own ids.
const maxJoined = 256

// rule answers a request that is provably for one of our own tools that destroy
// nothing (spec/agents.md, "Injection"), unless the person wants to be asked.
// name is the tool's programmatic name as the agent gave it. The title is never
// looked at: an agent can write anything there. Lock held.
func (c *conversation) rule(r permission.Request, name string) (option string, ok bool) {
	c.b.mu.Lock()
	off := c.b.settings.AskOwnTools
	c.b.mu.Unlock()
	set := c.served.Load()
	if off || set == nil {
		return "", false
	}
	def, known := set.Lookup(c.joined[r.CallID])
	if !known {
		def, known = c.named(set, name)
	}
	if !known || !harmless(def) {
		return "", false
	}
	for _, o := range r.Options {
		if o.Kind == kindAllowOnce {
			return o.ID, true
		}
	}
	return "", false
}

// named finds our tool that this agent's client calls by a name, if no other
// server that it was given could have a tool of that name. Lock held.
func (c *conversation) named(set *tool.Set, name string) (*tool.Definition, bool) {
	d, ok := c.b.o.agents(c.row.Agent)
	if name == "" || !ok {
		return nil, false
	}
	can := d.Capabilities
	if a := c.history.Current(); a != nil {
		for _, s := range a.Servers {
			if s.Source != attach.SourceBuiltin && can.CouldName(s.Name, name) {
				return nil, false
			}
		}
	}
	for _, p := range set.Present(can.NamespacesToolsByServer) {
		if can.ToolName(attach.BuiltinServer, p.Served) == name {
			return p.Def, true
		}
	}
	return nil, false
}

// harmless: ours, and said on purpose to destroy nothing.
func harmless(d *tool.Definition) bool {
	a := d.Annotations
	return d.Source.Kind == catalog.KindBuiltin && (a.Destructive != nil && !*a.Destructive || a.ReadOnly != nil && *a.ReadOnly)
}

// joining remembers the agent's own id of each call, by which a permission
// request is known to be about it.
func (c *conversation) joining(h tool.Handler) tool.Handler {
	return func(ctx context.Context, call tool.Call) (tool.Result, error) {
		if call.CallID != "" {
			c.mu.Lock()
			if len(c.joined) >= maxJoined {
				clear(c.joined)
			}
			c.joined[call.CallID] = call.Name
			c.mu.Unlock()
		}
		return h(ctx, call)
	}
}

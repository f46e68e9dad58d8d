package backend

import (
	"context"
	"slices"
	"strings"

	"kandev/backend/agent"
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
		def, known = c.named(set, name, r.CallID)
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
// server that it was given could have a tool of that name. Where the client
// begins the id of a call with the name, the id says it as well. Lock held.
func (c *conversation) named(set *tool.Set, name, callID string) (*tool.Definition, bool) {
	d, ok := c.b.o.agents(c.row.Agent)
	if !ok {
		return nil, false
	}
	can := d.Capabilities
	for _, p := range set.Present(can.NamespacesToolsByServer) {
		ours := can.ToolName(attach.BuiltinServer, p.Served)
		if ours == "" || name != ours && !(can.NameInCallID && strings.HasPrefix(callID, ours+"__")) {
			continue
		}
		names := []string{ours}
		if name != ours {
			names = append(names, longerNames(callID, ours)...)
		}
		return p.Def, !slices.ContainsFunc(names, func(n string) bool { return c.othersCouldName(can, n) })
	}
	return nil, false
}

// longerNames are the other names that a call's id could begin with: nothing
// says at which of its double underscores the name ends.
func longerNames(callID, name string) (out []string) {
	for at := len(name) + len("__"); ; at++ {
		next := strings.Index(callID[at:], "__")
		if next < 0 {
			return out
		}
		at += next
		out = append(out, callID[:at])
	}
}

// othersCouldName reports whether a server of the person could have a tool of
// this name. Lock held.
func (c *conversation) othersCouldName(can agent.Capabilities, name string) bool {
	a := c.history.Current()
	return a != nil && slices.ContainsFunc(a.Servers, func(s attach.Server) bool {
		return s.Source != attach.SourceBuiltin && can.CouldName(s.Name, name)
	})
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

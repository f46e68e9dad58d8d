package backend

import (
	"errors"
	"fmt"
	"os"

	"kandev/backend/agentctl"
	"kandev/backend/builtin"
	"kandev/backend/tool"
)

// host is what the instance acts through.
func (c *conversation) host() agentctl.Host {
	b := c.b
	return agentctl.Host{
		Endpoint: c.openEndpoint,
		Record:   c.record, Used: c.used,
		Tools:      c.tools,
		Preamble:   func(p agentctl.Profile) string { return builtin.Preamble(builtin.Profile{Provisional: p.Provisional}) },
		Update:     c.update,
		Permission: c.permission,
		Terminal:   c.terminal,
		Noise:      c.noise(),
		Dropped: func(length int64) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.note(fmt.Sprintf("A message of the agent with %d MiB was dropped; the limit is 64 MiB.", length>>20))
		},
		Estimate: b.o.Estimate, Count: b.o.Count,
		Getenv: b.getenv, NewID: newID,
		Guard: append(append([]string{}, b.o.Self...), "guard"), Bridge: append(append([]string{}, b.o.Self...), "mcp-bridge"), PIDDir: b.pidDir(),
		Version: b.o.Version, Now: b.o.Now, Log: b.log,
	}
}

// noise logs what an agent prints beside its frames: the first few pieces of a
// process, then ever rarer ones, since an agent that prints a line for each
// step would push all else out of the log.
func (c *conversation) noise() func(length int, sha256 string) {
	n, id := 0, c.row.ID // told by one goroutine; the id never changes
	return func(length int, sha256 string) {
		if n++; n <= 16 || n&(n-1) == 0 {
			c.b.log.Info("agent output that is not JSON-RPC", "session", id, "length", length, "sha256", sha256, "count", n)
		}
	}
}

// tools is the set that a profile of this session is served: our own tools,
// then those of the enabled plugins.
func (c *conversation) tools(p agentctl.Profile) *tool.Set {
	definitions := builtin.Tools(builtin.Profile{Provisional: p.Provisional}, c.toolHost())
	rev, offered := c.b.plugins.offered()
	definitions = append(definitions, offered...)
	for i := range definitions {
		definitions[i].Handler = c.joining(definitions[i].Handler)
	}
	set, refused := tool.NewSet(rev, definitions...)
	for _, r := range refused {
		c.b.log.Error("tool not served", "tool", r.Name, "plugin", r.Source, "reason", r.ForLog())
	}
	c.served.Store(set)
	return set
}

// probePrefix begins the names of files that only show whether one can be
// written; sqlite's are named so too.
const probePrefix = ".probe-"

// pidDir is the folder for pid files. They are the second net only: where none
// can be written, on a full disk or in a read-only folder, agents still run.
func (b *Backend) pidDir() string {
	dir := b.path("run")
	probe, err := os.CreateTemp(dir, probePrefix+"*")
	if err == nil {
		_, err = probe.Write(make([]byte, 4<<10))
		err = errors.Join(err, probe.Close(), os.Remove(probe.Name()))
	}
	if err != nil {
		b.log.Warn("no pid files", "err", err)
		return ""
	}
	return dir
}

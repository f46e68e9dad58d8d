package plugin

import (
	"fmt"
	"slices"
)

// Request is what a plugin asks for. It gives nothing.
type Request struct {
	Hosts          []string `json:"hosts,omitempty"`           // patterns in their one spelling, sorted, see HostPattern
	PrivateNetwork bool     `json:"private_network,omitempty"` // loopback, private and link-local addresses as well
	MemoryMB       int      `json:"memory_mb"`
	TimeoutMS      int      `json:"timeout_ms"` // of one call
}

// Grant is what a person gave. It is made by [Request.Granted] or by a person's
// own choice, never by a plugin.
type Grant struct {
	Hosts          []string `json:"hosts,omitempty"`
	PrivateNetwork bool     `json:"private_network,omitempty"`
	MemoryMB       int      `json:"memory_mb"`
	TimeoutMS      int      `json:"timeout_ms"`
}

// Granted is the grant that gives exactly what is asked.
func (r Request) Granted() Grant {
	return Grant{Hosts: slices.Clone(r.Hosts), PrivateNetwork: r.PrivateNetwork, MemoryMB: r.MemoryMB, TimeoutMS: r.TimeoutMS}
}

// Sound returns a grant within the bounds of this app: hosts in their one
// spelling, those that are none left out, and figures that are unset or out of
// range brought back into it. A grant read from a disk goes through it.
func (g Grant) Sound() Grant {
	var hosts []string
	for _, h := range g.Hosts {
		if p, err := HostPattern(h); err == nil && !slices.Contains(hosts, p) && len(hosts) < 2*MaxHosts {
			hosts = append(hosts, p)
		}
	}
	slices.Sort(hosts)
	if g.MemoryMB <= 0 {
		g.MemoryMB = DefaultMemoryMB
	}
	if g.TimeoutMS <= 0 {
		g.TimeoutMS = DefaultTimeoutMS
	}
	return Grant{
		Hosts: hosts, PrivateNetwork: g.PrivateNetwork,
		MemoryMB: min(g.MemoryMB, MaxMemoryMB), TimeoutMS: min(max(g.TimeoutMS, MinTimeoutMS), MaxTimeoutMS),
	}
}

// Check refuses a grant that a person typed when it names a host that is none,
// or more of them than are kept: [Grant.Sound] would leave them out.
func (g Grant) Check() error {
	if len(g.Hosts) > 2*MaxHosts {
		return fmt.Errorf("%d hosts, at most %d are allowed", len(g.Hosts), 2*MaxHosts)
	}
	for _, h := range g.Hosts {
		if _, err := HostPattern(h); err != nil {
			return err
		}
	}
	return nil
}

// Asks is what a request holds beyond a grant; the zero value asks for nothing.
// Figures are 0 when they do not grow.
type Asks struct {
	Hosts          []string
	PrivateNetwork bool
	MemoryMB       int
	TimeoutMS      int
}

// Beyond compares a request with what was granted. A wildcard that was granted
// covers what it matches.
func (r Request) Beyond(g Grant) Asks {
	var a Asks
	for _, h := range r.Hosts {
		if !coveredBy(g.Hosts, h) {
			a.Hosts = append(a.Hosts, h)
		}
	}
	a.PrivateNetwork = r.PrivateNetwork && !g.PrivateNetwork
	if r.MemoryMB > g.MemoryMB {
		a.MemoryMB = r.MemoryMB
	}
	if r.TimeoutMS > g.TimeoutMS {
		a.TimeoutMS = r.TimeoutMS
	}
	return a
}

// Nothing reports that the grant covers the request.
func (a Asks) Nothing() bool {
	return len(a.Hosts) == 0 && !a.PrivateNetwork && a.MemoryMB == 0 && a.TimeoutMS == 0
}

func parsePermissions(o *object) Request {
	r := Request{MemoryMB: DefaultMemoryMB, TimeoutMS: DefaultTimeoutMS}
	p, ok := o.child("permissions")
	if !ok {
		return r
	}
	var hosts []string
	p.into("hosts", &hosts, "a list of host names")
	r.PrivateNetwork = p.flag("private_network")
	r.MemoryMB = p.number("memory_mb", DefaultMemoryMB, 1, MaxMemoryMB)
	r.TimeoutMS = p.number("timeout_ms", DefaultTimeoutMS, MinTimeoutMS, MaxTimeoutMS)
	if len(hosts) > MaxHosts {
		p.fail("permissions.hosts has %d entries, at most %d are allowed", len(hosts), MaxHosts)
	}
	for _, h := range hosts {
		pattern, err := HostPattern(h)
		if err != nil {
			p.fail("permissions.hosts: %w", err)
			break
		}
		r.Hosts = append(r.Hosts, pattern)
	}
	slices.Sort(r.Hosts)
	r.Hosts = slices.Compact(r.Hosts)
	for _, name := range p.unknown() {
		p.fail("permissions.%.60s is not known to this version of the app, so it cannot be granted", name)
	}
	if p.err != nil {
		o.fail("%w", p.err)
	}
	return r
}

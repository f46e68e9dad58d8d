package backend

import (
	"slices"
	"strings"

	"kandev/backend/agent"
	"kandev/backend/mcpserver"
	"kandev/backend/redact"
)

// minGiven is the length of a value, in bytes, from which it is hidden in what
// an agent says of its failure: shorter ones are words such as "true".
const minGiven = 6

// givenValues are the person's values that an agent was given with servers.
func givenValues(servers []agent.Server) (out []string) {
	for _, s := range servers {
		for _, list := range [][]agent.Value{s.Env, s.Headers} {
			for _, v := range list {
				if len(v.Value) >= minGiven {
					out = append(out, v.Value)
				}
				// Agents quote the token of a header without its scheme.
				if _, token, ok := strings.Cut(v.Value, " "); ok && len(token) >= minGiven {
					out = append(out, token)
				}
			}
		}
	}
	return out
}

// openEndpoint opens an attempt's endpoint; its bearer is among what the agent
// was given.
func (c *conversation) openEndpoint(o mcpserver.Options) (*mcpserver.Endpoint, error) {
	e, err := c.b.mcp.Open(o)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.given = append(slices.Clone(c.given), e.Bearer())
	return e, nil
}

// secrets are the values and bearers that the agent was given; not to be changed.
func (c *conversation) secrets() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.given
}

// hide takes the person's values and our bearers out of what an agent said. The
// session's lock is held.
func (c *conversation) hide(text string) string { return without(text, c.given) }

func without(text string, given []string) string { return redact.Secrets(text, given...) }

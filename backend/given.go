package backend

import (
	"strings"

	"kandev/backend/agent"
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

// hide takes the person's values out of what an agent said. The session's lock
// is held.
func (c *conversation) hide(text string) string { return without(text, c.given) }

func without(text string, given []string) string {
	for _, value := range given {
		text = strings.ReplaceAll(text, value, "[redacted]")
	}
	return text
}

package app

import (
	"kandev/backend"
	"kandev/backend/agent"
)

// CustomAgent is what is kept of an agent of the person's own. Values of its
// environment never travel to the page.
type CustomAgent struct {
	Line   string   `json:"line"`   // the command line as it was written
	Words  []string `json:"words"`  // as it is taken apart
	Env    []string `json:"env"`    // names
	Bearer string   `json:"bearer"` // "header", "env", "path", "bridge"
}

// CustomChange is an agent to keep; ID is "" for a new one.
type CustomChange struct {
	ID     string        `json:"id"`
	Name   string        `json:"name"`
	Line   string        `json:"line"`
	Env    []ServerValue `json:"env"`
	Bearer string        `json:"bearer"`
}

// CommandCheck is a command line as Kandev takes it apart.
type CommandCheck struct {
	Words []string `json:"words"`
	Path  string   `json:"path"` // where the program was found
	Why   string   `json:"why"`  // a sentence when it was not
}

// ValuesPlace says where values are kept.
type ValuesPlace struct {
	Encrypted bool   `json:"encrypted"`
	Place     string `json:"place"` // a sentence
}

// customView is nil for a known agent.
func customView(c *agent.Custom) *CustomAgent {
	if c == nil {
		return nil
	}
	words, _ := agent.SplitCommand(c.Line)
	return &CustomAgent{Line: c.Line, Words: append([]string{}, words...), Env: keptNames(c.Env), Bearer: string(c.Bearer)}
}

func customOf(c CustomChange) backend.CustomChange {
	return backend.CustomChange{
		Agent: agent.Custom{ID: c.ID, Name: c.Name, Line: c.Line, Bearer: agent.BearerFrom(c.Bearer)},
		Env:   valuesOf(c.Env),
	}
}

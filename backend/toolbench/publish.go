package toolbench

import (
	"bytes"
	"encoding/json"

	acp "github.com/coder/acp-go-sdk"
)

// publish sends the commands when they differ from the last ones sent. Before the client knows the session it does
// nothing; open publishes then.
func (s *session) publish() {
	select {
	case <-s.announced:
	default:
		return
	}
	s.publishing.Lock()
	defer s.publishing.Unlock()
	commands := commandsOf(s.table())
	encoded, err := json.Marshal(commands)
	if err != nil {
		return // strings only: cannot happen
	}
	s.mu.Lock()
	same := bytes.Equal(encoded, s.published)
	s.published = encoded
	s.mu.Unlock()
	if !same {
		s.update(s.ctx, acp.SessionAvailableCommandsUpdate{SessionUpdate: "available_commands_update", AvailableCommands: commands})
	}
}

// commandsOf is never nil: the schema of ACP forbids null.
func commandsOf(t table) []acp.AvailableCommand {
	commands := []acp.AvailableCommand{
		{Name: "tools", Description: "List the tools that can be called", Input: hinted("filter")},
		{Name: "schema", Description: "Show a tool's arguments as JSON Schema", Input: hinted("tool")},
		{Name: "help", Description: "Say how this agent is used"},
	}
	for _, e := range t {
		c := acp.AvailableCommand{Name: t.shown(e), Description: cut(plain(e.tool.Description), 400)}
		if c.Description == "" {
			c.Description = "No description was reported."
		}
		if h := hint(e.tool.InputSchema); h != "" {
			c.Input = hinted(h)
		}
		commands = append(commands, c)
	}
	return commands
}

func hinted(hint string) *acp.AvailableCommandInput {
	return &acp.AvailableCommandInput{Unstructured: &acp.UnstructuredCommandInput{Hint: hint}}
}

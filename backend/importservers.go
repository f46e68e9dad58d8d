package backend

import (
	"context"

	"kandev/backend/agent"
)

// ImportedServer is what became of one entry of pasted configuration.
type ImportedServer struct {
	Name   string
	Reason string   // why it was not taken over; "" = it was
	Notes  []string // what was left out or assumed
}

// ServerImport is what became of pasted configuration.
type ServerImport struct {
	Servers []ImportedServer
	Others  []string // keys beside the servers that Kandev does not read
}

// ImportServers keeps the servers of a configuration as other products write
// it, for one agent. One that is refused does not hold up the others; a text
// without servers is an agent.ErrImport.
func (b *Backend) ImportServers(ctx context.Context, agentID, text string) (ServerImport, error) {
	if !b.enter() {
		return ServerImport{}, errClosing
	}
	defer b.wg.Done()
	found, others, err := agent.ParseServers([]byte(text))
	if err != nil {
		return ServerImport{}, err
	}
	b.serversMu.Lock()
	defer b.serversMu.Unlock()
	out := ServerImport{Others: others}
	for _, f := range found {
		change := ServerChange{Server: f.Server, Env: given(f.Env), Headers: given(f.Headers)}
		change.Server.Agent = agentID
		_, err := b.saveServer(ctx, change)
		i := ImportedServer{Name: f.Server.Name, Notes: f.Notes}
		if err != nil {
			i.Reason = err.Error()
		}
		out.Servers = append(out.Servers, i)
	}
	return out, nil
}

func given(values []agent.Value) (out []ServerValue) {
	for _, v := range values {
		out = append(out, ServerValue{Name: v.Name, Value: v.Value})
	}
	return out
}

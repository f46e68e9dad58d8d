package app

import (
	"context"
	"slices"

	"kandev/backend"
	"kandev/backend/agent"
)

// OwnServer is one of the person's servers for one agent. Values of headers and
// environment never travel to the page.
type OwnServer struct {
	ID        string   `json:"id"`
	Agent     string   `json:"agent"`
	Name      string   `json:"name"`
	Transport string   `json:"transport"` // "http", "sse", "stdio"
	URL       string   `json:"url"`
	Command   string   `json:"command"`
	Args      []string `json:"args"`
	Env       []string `json:"env"`      // names
	Headers   []string `json:"headers"`  // names
	Unstored  []string `json:"unstored"` // names of those whose value is asked for at each start
	Off       bool     `json:"off"`
}

// OwnServers is what the page of servers shows.
type OwnServers struct {
	Servers   []OwnServer `json:"servers"`
	Ask       bool        `json:"ask"`       // values are asked for at each start and not stored
	Encrypted bool        `json:"encrypted"` // where values are kept
	Place     string      `json:"place"`     // a sentence about it
}

// ServerValue is a header or variable to keep. Keep leaves the stored value.
type ServerValue struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Keep  bool   `json:"keep"`
}

// ServerChange is a server to keep; ID is "" for a new one.
type ServerChange struct {
	ID        string        `json:"id"`
	Agent     string        `json:"agent"`
	Name      string        `json:"name"`
	Transport string        `json:"transport"`
	URL       string        `json:"url"`
	Command   string        `json:"command"`
	Args      []string      `json:"args"`
	Env       []ServerValue `json:"env"`
	Headers   []ServerValue `json:"headers"`
	Off       bool          `json:"off"`
}

// ImportedServer is what became of one entry of pasted configuration.
type ImportedServer struct {
	Name   string   `json:"name"`
	Reason string   `json:"reason"` // a sentence: why it was not taken over; "" = it was
	Notes  []string `json:"notes"`
}

// ServerImport is what became of pasted configuration.
type ServerImport struct {
	Servers []ImportedServer `json:"servers"`
	Others  []string         `json:"others"` // keys that were not read
}

func (w *window) ownServers(ctx context.Context, agentID string) (OwnServers, error) {
	found, err := w.backend.OwnServers(ctx, agentID)
	if err != nil {
		return OwnServers{}, err
	}
	place := w.backend.SecretPlace(ctx)
	v := OwnServers{Servers: []OwnServer{}, Ask: w.backend.Settings().AskValues, Encrypted: place.Encrypted(), Place: place.Sentence()}
	for _, s := range found {
		v.Servers = append(v.Servers, OwnServer{
			ID: s.ID, Agent: s.Agent, Name: s.Name, Transport: s.Transport, URL: s.URL, Command: s.Command,
			Args: append([]string{}, s.Args...), Env: keptNames(s.Env), Headers: keptNames(s.Headers), Off: s.Off,
			Unstored: unstoredNames(slices.Concat(s.Env, s.Headers)),
		})
	}
	return v, nil
}

func keptNames(kept []agent.Kept) []string {
	out := make([]string, 0, len(kept))
	for _, k := range kept {
		out = append(out, k.Name)
	}
	return out
}

func unstoredNames(kept []agent.Kept) []string {
	return keptNames(slices.DeleteFunc(kept, func(k agent.Kept) bool { return k.Secret != "" }))
}

func changeOf(c ServerChange) backend.ServerChange {
	return backend.ServerChange{
		Server: agent.OwnServer{
			ID: c.ID, Agent: c.Agent, Name: c.Name, Transport: c.Transport, URL: c.URL, Command: c.Command, Args: c.Args, Off: c.Off,
		},
		Env: valuesOf(c.Env), Headers: valuesOf(c.Headers),
	}
}

func valuesOf(in []ServerValue) []backend.ServerValue {
	out := make([]backend.ServerValue, 0, len(in))
	for _, v := range in {
		out = append(out, backend.ServerValue{Name: v.Name, Value: v.Value, Keep: v.Keep})
	}
	return out
}

func importView(i backend.ServerImport) ServerImport {
	v := ServerImport{Servers: []ImportedServer{}, Others: append([]string{}, i.Others...)}
	for _, s := range i.Servers {
		v.Servers = append(v.Servers, ImportedServer{Name: s.Name, Reason: backend.AsSentence(s.Reason), Notes: append([]string{}, s.Notes...)})
	}
	return v
}

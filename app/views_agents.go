package app

import (
	"strings"

	"kandev/backend"
	"kandev/backend/agent"
)

// Agent is one agent the app knows.
type Agent struct {
	ID        string     `json:"id"`
	Name      string     `json:"name"`
	Version   string     `json:"version,omitempty"`
	Pending   bool       `json:"pending"` // the version is being asked for: ask again
	Installed bool       `json:"installed"`
	Path      string     `json:"path,omitempty"`  // where it was found
	Place     string     `json:"place,omitempty"` // "PATH", or what put it there: "nvm", "npm"
	Embedded  bool       `json:"embedded"`
	Install   string     `json:"install,omitempty"`    // a command to copy
	Login     string     `json:"login,omitempty"`      // a command to copy
	State     string     `json:"login_state"`          // "none" needed, "found", "missing", "unknown"
	LoginNote string     `json:"login_note,omitempty"` // a sentence: where that is known from
	Facts     AgentFacts `json:"facts"`

	Custom *CustomAgent `json:"custom,omitempty"` // of the person's own
	Why    string       `json:"why,omitempty"`    // a sentence: why the program of a custom one was not found
}

// AgentFacts is what is known of an agent's client, measured on the version it
// names. Texts are sentences or "" where nothing is known.
type AgentFacts struct {
	Starts          string `json:"starts"` // the command line
	ModelName       string `json:"model_name"`
	NameLimit       int    `json:"name_limit"` // characters; 0 = not known
	BeyondLimit     string `json:"beyond_limit"`
	DefersTools     bool   `json:"defers_tools"`
	IgnoresChanges  bool   `json:"ignores_changes"` // keeps its first list
	IgnoresServers  bool   `json:"ignores_servers"`
	KeepsItsContext bool   `json:"keeps_its_context"` // loads an earlier session
	MeasuredWith    string `json:"measured_with"`
	Client          Client `json:"client"`
}

func factsView(d agent.Definition) AgentFacts {
	c := d.Capabilities
	return AgentFacts{
		Starts: strings.TrimSpace(strings.Join(append([]string{d.Command}, d.Args...), " ")), ModelName: c.ModelName,
		NameLimit: c.NameLimit, BeyondLimit: c.BeyondLimit, DefersTools: c.DefersTools, IgnoresChanges: c.IgnoresListChanged,
		IgnoresServers: c.IgnoresMCPServers, KeepsItsContext: c.NativeLoad, MeasuredWith: c.MeasuredWith,
		Client: clientView(d.Facts),
	}
}

// factsOf shows how an agent of the person's own starts as they wrote it.
func factsOf(f backend.FoundAgent) AgentFacts {
	v := factsView(f.Definition)
	if f.Custom != nil {
		v.Starts = f.Custom.Line
	}
	return v
}

func agentViews(found []backend.FoundAgent) []Agent {
	out := make([]Agent, 0, len(found))
	for _, f := range found {
		out = append(out, Agent{
			ID: f.ID, Name: f.Name, Installed: f.Installed, Embedded: f.Embedded, Install: f.Install, Login: f.Login,
			Version: f.Version, Pending: f.Pending, Path: f.Path, Place: f.Place, State: string(f.State), LoginNote: f.LoginNote, Facts: factsOf(f),
			Custom: customView(f.Custom), Why: f.Why,
		})
	}
	return out
}

package app

import "kandev/backend"

// LoginMethod is one way to log in that an agent offered. Text is the agent's.
type LoginMethod struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Kind        string   `json:"kind"`    // "agent": Authenticate or ChooseAgentLogin does it; "terminal", "env_var", "unknown"
	Command     string   `json:"command"` // of "terminal": to copy
	Vars        []string `json:"vars"`    // of "env_var": names
}

// LoginOffer is what a person can do to log in to an agent.
type LoginOffer struct {
	Command string        `json:"command"` // to copy, "" = none is known
	Env     []string      `json:"env"`     // variables that the agent reads a login from
	Methods []LoginMethod `json:"methods"`
}

// AgentLogin is how far a login without a session stands: "", "starting",
// "choose", "told" (no way that the agent carries out itself), "running",
// "done", "failed", "cancelled". While it is starting or running, ask again.
type AgentLogin struct {
	State string     `json:"state"`
	Text  string     `json:"text"`
	Offer LoginOffer `json:"offer"`
}

func offerView(o backend.LoginOffer) LoginOffer {
	v := LoginOffer{Command: o.Command, Env: append([]string{}, o.Env...), Methods: []LoginMethod{}}
	for _, m := range o.Methods {
		v.Methods = append(v.Methods, LoginMethod{
			ID: m.ID, Name: m.Name, Description: m.Description, Kind: m.Kind, Command: m.Command, Vars: append([]string{}, m.Vars...),
		})
	}
	return v
}

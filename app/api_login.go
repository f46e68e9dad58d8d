package app

import (
	"context"

	"kandev/backend"
	"kandev/backend/session"
)

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
// "choose", "told" (no way that the agent carries out itself), "running", "done", "failed", "cancelled". While it is starting or
// running, ask again.
type AgentLogin struct {
	State string     `json:"state"`
	Text  string     `json:"text"`
	Offer LoginOffer `json:"offer"`
}

// LoginMethods lists what a person can do to log in to a session's agent.
func (a *API) LoginMethods(token, id string) (LoginOffer, error) {
	return enter(a.w.door, token, "LoginMethods", func() (LoginOffer, error) {
		o, err := a.w.backend.LoginMethods(session.ID(id))
		return offerView(o), err
	})
}

// Authenticate starts a session's agent and logs in by one of its methods.
func (a *API) Authenticate(token, id, method string) error {
	return a.do(token, "Authenticate", func(ctx context.Context) error { return a.w.backend.Authenticate(ctx, session.ID(id), method) })
}

// StartAgentLogin starts an agent for nothing but its login.
func (a *API) StartAgentLogin(token, agentID string) error {
	return a.do(token, "StartAgentLogin", func(context.Context) error { return a.w.backend.StartAgentLogin(agentID) })
}

// AgentLogin answers how far the login of an agent stands.
func (a *API) AgentLogin(token, agentID string) (AgentLogin, error) {
	return enter(a.w.door, token, "AgentLogin", func() (AgentLogin, error) {
		l := a.w.backend.AgentLogin(agentID)
		return AgentLogin{State: l.State, Text: l.Text, Offer: offerView(l.Offer)}, nil
	})
}

// ChooseAgentLogin begins a login by one of the offered methods.
func (a *API) ChooseAgentLogin(token, agentID, method string) error {
	return a.do(token, "ChooseAgentLogin", func(context.Context) error { return a.w.backend.ChooseAgentLogin(agentID, method) })
}

// CancelAgentLogin ends a login and the process that was started for it.
func (a *API) CancelAgentLogin(token, agentID string) error {
	return a.do(token, "CancelAgentLogin", func(ctx context.Context) error { return a.w.backend.CancelAgentLogin(ctx, agentID) })
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

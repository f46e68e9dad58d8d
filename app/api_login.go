package app

import (
	"context"

	"kandev/backend/session"
)

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

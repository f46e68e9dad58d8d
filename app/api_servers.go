package app

import "context"

// OwnServers answers the person's own MCP servers for one agent.
func (a *API) OwnServers(token, agentID string) (OwnServers, error) {
	return enter(a.w.door, token, "OwnServers", func() (OwnServers, error) { return a.w.ownServers(a.w.ctx, agentID) })
}

// SaveOwnServer keeps a server and answers its id; the agent's next start gives it.
func (a *API) SaveOwnServer(token string, c ServerChange) (string, error) {
	return enter(a.w.door, token, "SaveOwnServer", func() (string, error) { return a.w.backend.SaveOwnServer(a.w.ctx, changeOf(c)) })
}

// DeleteOwnServer forgets a server and its values.
func (a *API) DeleteOwnServer(token, id string) error {
	return a.do(token, "DeleteOwnServer", func(ctx context.Context) error { return a.w.backend.DeleteOwnServer(ctx, id) })
}

// ImportServers keeps the servers of a configuration as other products write it.
func (a *API) ImportServers(token, agentID, text string) (ServerImport, error) {
	return enter(a.w.door, token, "ImportServers", func() (ServerImport, error) {
		i, err := a.w.backend.ImportServers(a.w.ctx, agentID, text)
		return importView(i), err
	})
}

package agent

// codex is Codex.
func codex() Definition {
	return Definition{
		ID: "codex", Name: "Codex", Command: "codex-acp",
		Install: "npm install -g @agentclientprotocol/codex-acp",
		Login:   "codex-acp login",
		Credentials: Credentials{
			Files: []CredentialFile{{Variable: "CODEX_HOME", Folder: "~/.codex", Name: "auth.json"}},
		},
		Capabilities: Capabilities{
			ModelName: "mcp__{server}__{tool}", NameLimit: 128, BeyondLimit: "cuts it and adds a hash", DefersTools: true, IgnoresListChanged: true, NativeLoad: true, NativeResume: true, BearerFrom: BearerHeader, MeasuredWith: "Codex 0.166.0",
		},
	}
}

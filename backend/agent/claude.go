package agent

// claude is Claude Code.
func claude() Definition {
	return Definition{
		ID: "claude", Name: "Claude Code", Command: "claude-agent-acp",
		Install: "npm install -g @agentclientprotocol/claude-agent-acp",
		Login:   "claude-agent-acp --cli auth login",
		Credentials: Credentials{
			Env:   []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"},
			Files: []CredentialFile{{Variable: "CLAUDE_CONFIG_DIR", Folder: "~/.claude", Name: ".credentials.json"}},
		},
		Capabilities: Capabilities{
			ModelName: "mcp__{server}__{tool}", NameLimit: 128, BeyondLimit: "drops the tool", DefersTools: true, NativeLoad: true, NativeResume: true, BearerFrom: BearerEnv, MeasuredWith: "Claude Code 2.1.318",
		},
	}
}

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
		Facts: Facts{
			Characters:  "Claude Code writes _ in their place.",
			Description: "Claude Code passes the description on unchanged.",
			Deferred:    "Claude Code gives its model the names of tools and loads a definition when the model searches for it. Tools that Kandev marks as needed are there from the start.",
			Values:      "Kandev gives them to Claude Code in its environment; the command line of its inner process holds their names only. A value that holds ${ } itself stands there as it is, and every user of this machine can read it.",
		},
	}
}

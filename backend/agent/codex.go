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
		Facts: Facts{
			Characters: "Codex writes _ in their place.",
			Rewrites:   "Codex leaves out bounds, patterns, formats, defaults and examples; const becomes enum. Kandev still checks every call against the schema shown here.",
			RewriteKeys: []string{
				"minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern", "format", "default", "examples", "const", "$schema",
			},
			Deferred: "With current models Codex gives no definition up front: its model finds tools from code. With other models it gives them all.",
			Values:   "Codex shows them on no command line.",
		},
	}
}

package agent

// gemini is Gemini.
func gemini() Definition {
	return Definition{
		ID: "gemini", Name: "Gemini", Command: "gemini", Args: []string{"--acp"},
		Install: "npm install -g @google/gemini-cli",
		Login:   "gemini",
		Credentials: Credentials{
			Env: []string{"GEMINI_API_KEY"}, Files: []CredentialFile{{Folder: "~/.gemini", Name: "oauth_creds.json"}},
		},
		Capabilities: Capabilities{
			ModelName: "mcp_{server}_{tool}", NameLimit: 63, BeyondLimit: "keeps the first and last 30 characters", NativeLoad: true, KillTree: true, BearerFrom: BearerHeader, MeasuredWith: "Gemini CLI 0.61.0",
		},
	}
}

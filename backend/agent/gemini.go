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
			ModelName: "mcp_{server}_{tool}", NameLimit: 63, BeyondLimit: "keeps the first and last 30 characters", NativeLoad: true, KillTree: true, NameInCallID: true, BearerFrom: BearerHeader, MeasuredWith: "Gemini CLI 0.61.0",
		},
		Facts: Facts{
			Characters:  "Gemini CLI keeps the dot and writes _ for the others.",
			Description: "Gemini CLI passes the description on unchanged.",
			TypeList:    "Gemini CLI turns a list of one type and null into that type, nullable.",
			Values:      "Gemini CLI shows them on no command line.",
			Unconnected: "Gemini CLI connects to no MCP server, nor to Kandev's own, in a folder that its settings do not trust, and does not say so. Run gemini in the folder once and trust it, then start the session again.",
		},
	}
}

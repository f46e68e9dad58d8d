package agent

// opencode is OpenCode.
func opencode() Definition {
	return Definition{
		ID: "opencode", Name: "OpenCode", Command: "opencode", Args: []string{"acp"},
		Install: "npm install -g opencode-ai",
		Login:   "opencode auth login",
		Credentials: Credentials{
			Env:   []string{"OPENCODE_AUTH_CONTENT"},
			Files: []CredentialFile{{Variable: "XDG_DATA_HOME", Folder: "~/.local/share", Name: "opencode/auth.json"}},
		},
		Capabilities: Capabilities{
			ModelName: "{server}_{tool}", NativeLoad: true, NativeResume: true, BearerFrom: BearerHeader, MeasuredWith: "OpenCode 1.18.33",
		},
		Facts: Facts{
			Characters:  "OpenCode writes _ in their place; of two names that become equal one is lost without a word.",
			Description: "OpenCode passes the description on unchanged.",
			Values:      "OpenCode shows them on no command line.",
		},
	}
}

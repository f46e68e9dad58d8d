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
	}
}

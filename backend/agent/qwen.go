package agent

// qwen is Qwen.
func qwen() Definition {
	return Definition{
		ID: "qwen", Name: "Qwen", Command: "qwen", Args: []string{"--acp"},
		Install: "npm install -g @qwen-code/qwen-code",
		Login:   "qwen",
		Credentials: Credentials{
			Env: []string{"OPENAI_API_KEY"}, Files: []CredentialFile{{Folder: "~/.qwen", Name: "oauth_creds.json"}},
		},
		Capabilities: Capabilities{
			ModelName: "mcp__{server}__{tool}", NameLimit: 63, BeyondLimit: "cuts it and adds a hash", DefersTools: true, IgnoresListChanged: true, NativeLoad: true, BearerFrom: BearerHeader, MeasuredWith: "Qwen Code 0.24.4",
		},
		Facts: Facts{
			Characters:  "Qwen Code replaces them and adds _ and a hash of 7 characters.",
			Rewrites:    "Qwen Code removes additionalProperties: false and $schema.",
			RewriteKeys: []string{"additionalProperties", "$schema"},
			Deferred:    "By default Qwen Code gives its model no definition of an MCP tool: the model finds them with its tool search.",
			Values:      "Qwen Code shows them on no command line.",
		},
	}
}

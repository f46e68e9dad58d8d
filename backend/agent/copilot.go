package agent

// copilot is Copilot.
func copilot() Definition {
	return Definition{
		ID: "copilot", Name: "Copilot", Command: "copilot", Args: []string{"--acp"},
		Install: "npm install -g @github/copilot",
		Login:   "copilot /login",
		Credentials: Credentials{ // its keychain and its own settings are not looked into
			Env: []string{"COPILOT_PROVIDER_BASE_URL", "GH_TOKEN", "GITHUB_TOKEN"},
		},
		Capabilities: Capabilities{
			ModelName: "{server}-{tool}", NameLimit: 64, BeyondLimit: "cuts the end", IgnoresStdio: true, NativeLoad: true, BearerFrom: BearerHeader, MeasuredWith: "Copilot 1.0.102",
		},
		Facts: Facts{
			Characters:  "Copilot writes - for a dot, a blank or a slash, and other letters as punycode.",
			Rewrites:    "Copilot moves bounds into the descriptions.",
			RewriteKeys: []string{"minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"},
			Values:      "Copilot shows those of headers on no command line.",
		},
	}
}

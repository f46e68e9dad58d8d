package agent

// auggie is Auggie.
func auggie() Definition {
	return Definition{
		ID: "auggie", Name: "Auggie", Command: "auggie", Args: []string{"--acp"},
		Install: "npm install -g @augmentcode/auggie",
		Login:   "auggie login",
		Credentials: Credentials{
			Env: []string{"AUGMENT_SESSION_AUTH"}, Files: []CredentialFile{{Folder: "~/.augment", Name: "session.json"}}, Only: true,
		},
		Capabilities: Capabilities{
			NamespacesToolsByServer: true, ModelName: "{tool}_{server}", NameLimit: 64, BeyondLimit: "cuts the end, the server name first", AssumeHTTP: true, KeepsFirstAddress: true, NativeLoad: true, BearerFrom: BearerHeader, MeasuredWith: "Auggie 0.36.0",
		},
		Facts: Facts{
			Characters: "Auggie writes _ in their place; of two names that become equal only the first works.",
			Values:     "Auggie shows them on no command line.",
		},
	}
}

package agent

// copilot is Copilot.
func copilot() Definition {
	return Definition{
		ID: "copilot", Name: "Copilot", Command: "copilot", Args: []string{"--acp"},
		Install: "npm install -g @github/copilot",
		Login:   "copilot /login",
		Capabilities: Capabilities{
			ModelName: "{server}-{tool}", NameLimit: 64, BeyondLimit: "cuts the end", NativeLoad: true, BearerFrom: BearerHeader, MeasuredWith: "Copilot 1.0.102",
		},
	}
}

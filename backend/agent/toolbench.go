package agent

// toolbench is the embedded agent: no model, a person calls the tools by hand.
func toolbench() Definition {
	return Definition{
		ID: Toolbench, Name: "Toolbench", Embedded: true, Args: []string{"agent"},
		Capabilities: Capabilities{ModelName: "{tool}", BearerFrom: BearerHeader},
		Facts:        Facts{Values: "Toolbench shows them on no command line."},
	}
}

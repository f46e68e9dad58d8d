package agent

// Facts is what was seen of an agent's client that nothing of ours acts on: for
// a person to read. Each text is whole sentences, "" where nothing was seen, and
// holds for the version in Capabilities.MeasuredWith.
type Facts struct {
	Characters  string   // what it does with a character outside of letters, digits, _ and - in a name
	Description string   // what it does with a tool's description
	Rewrites    string   // how it rewrites a schema
	RewriteKeys []string // keywords of JSON Schema; a schema with one of them is rewritten
	TypeList    string   // what it does with a list of types
	Deferred    string   // how its model gets at definitions that it does not see up front
	Values      string   // where the values of a person's own servers can be read by others
	Unconnected string   // why a server that was delivered may never be connected
}

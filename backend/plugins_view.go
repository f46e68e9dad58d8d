package backend

import (
	"encoding/json"
	"time"

	"kandev/backend/plugin"
	"kandev/backend/wasm"
)

// Plugin is an installed plugin as the window and the command line show it. It
// holds no secret.
type Plugin struct {
	plugin.Installation
	Tools []PluginTool
	Total *int        // tokens of all tools together; nil = not counted
	Runs  []PluginRun // newest first, of this run of the app
}

// PluginTool is one tool as a session is served it.
type PluginTool struct {
	Name        plugin.Name
	Description string
	InputSchema json.RawMessage
	Hints       plugin.Hints // as the plugin states them
	Estimate    *int         // tokens of the served definition; nil = not counted
	Refused     string       // why it is not served; "" = it is
}

// PluginRun is how one call, or one load, of a plugin ended. It holds nothing
// of the call itself.
type PluginRun struct {
	At      time.Time // when it ended
	Tool    string    // canonical; "" for a load
	Took    time.Duration
	Outcome wasm.Outcome
	Line    string // of a failure; may hold text of the module
}

// PluginInspection is everything a person sees before a plugin is installed.
type PluginInspection struct {
	Path   string
	Bytes  int64
	Digest string // sha256 of the file, 64 hex digits: what InstallPlugin wants back
	// Manifest is what would be installed. Of a bare module it was made by
	// running its description.
	Manifest plugin.Manifest
	Tools    []PluginTool
	Total    *int // tokens of all tools together; nil = not counted
	RanCode  bool // the module's description was run, without configuration or network
	// Problems are sentences that say why it cannot be installed; none: it can.
	Problems []string
	Update   *PluginUpdate // nil: no plugin of this id is installed
}

// PluginUpdate compares a package with the installed plugin of the same id.
type PluginUpdate struct {
	From plugin.Installation
	plugin.Difference
}

// PluginValue is one configuration value as it is to be kept.
type PluginValue struct {
	Key    string
	Value  string // "" forgets it
	Keep   bool   // what is stored stays; Value is not read
	Secret bool   // of a key that a person adds to a bare module
}

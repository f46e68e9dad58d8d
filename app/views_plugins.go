package app

// Plugins is what the page of plugins shows.
type Plugins struct {
	Revision  uint64   `json:"revision"` // as in the event and the snapshot
	Plugins   []Plugin `json:"plugins"`  // in the order of installation
	Encrypted bool     `json:"encrypted"`
	Place     string   `json:"place"` // a sentence about where secret values are kept
}

// Plugin is one plugin, installed or looked at. Values of secrets never travel
// to the page. Texts of the plugin are plain text and foreign.
type Plugin struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Version     string `json:"version"`
	Description string `json:"description"`
	Author      string `json:"author"`
	License     string `json:"license"`
	Homepage    string `json:"homepage"` // http or https, or ""
	SHA256      string `json:"sha256"`   // of the module
	Bare        bool   `json:"bare"`     // came without a manifest: hosts and values may be added

	State       string `json:"state"`  // installed (never enabled), enabled, disabled
	Reason      string `json:"reason"` // of disabled: person, asks_more, crash_loop, changed, unusable
	Detail      string `json:"detail"` // a sentence; may hold text of the plugin
	Since       int64  `json:"since"`
	InstalledAt int64  `json:"installed_at"`
	UpdatedAt   int64  `json:"updated_at"`

	Tools       []PluginTool       `json:"tools"`
	TokensTotal *int               `json:"tokens_total,omitempty"`
	Requested   PluginPermissions  `json:"requested"`
	Granted     *PluginPermissions `json:"granted,omitempty"` // absent: nothing was ever granted
	Asks        PluginAsks         `json:"asks"`              // what is requested beyond granted
	Config      []PluginField      `json:"config"`
	Missing     []string           `json:"missing"`  // required keys without a value
	Runs        []PluginRun        `json:"runs"`     // newest first, of this run of the app
	Warnings    []string           `json:"warnings"` // members of the manifest that do nothing here
}

// PluginTool is one tool as sessions are served it. InputSchema is JSON text.
type PluginTool struct {
	Served      string `json:"served"`   // the canonical name
	Original    string `json:"original"` // what the plugin calls it
	Description string `json:"description"`
	InputSchema string `json:"input_schema"`
	Estimate    *int   `json:"estimate,omitempty"`
	ReadOnly    *bool  `json:"read_only,omitempty"` // absent: the plugin does not say
	Destructive *bool  `json:"destructive,omitempty"`
	Idempotent  *bool  `json:"idempotent,omitempty"`
	OpenWorld   *bool  `json:"open_world,omitempty"`
	Refused     string `json:"refused,omitempty"` // a sentence: why it is not served
}

// PluginPermissions is a request or a grant. "*" among the hosts is any site.
type PluginPermissions struct {
	Hosts          []string `json:"hosts"`
	PrivateNetwork bool     `json:"private_network"` // loopback, private and link-local addresses
	MemoryMB       int      `json:"memory_mb"`
	TimeoutMS      int      `json:"timeout_ms"` // of one call
}

// PluginAsks is what a request holds beyond a grant; 0 = the figure does not grow.
type PluginAsks struct {
	Nothing        bool     `json:"nothing"`
	Hosts          []string `json:"hosts"`
	PrivateNetwork bool     `json:"private_network"`
	MemoryMB       int      `json:"memory_mb"`
	TimeoutMS      int      `json:"timeout_ms"`
}

// PluginField is one configuration value. Value is "" for a secret.
type PluginField struct {
	Key      string `json:"key"`
	Type     string `json:"type"` // string, number, integer, boolean
	Title    string `json:"title"`
	Secret   bool   `json:"secret"`
	Required bool   `json:"required"`
	Added    bool   `json:"added"` // by the person, to a bare module
	Set      bool   `json:"set"`
	Value    string `json:"value"`
}

// PluginRun is how one call ended; Tool is "" for a load.
type PluginRun struct {
	At      int64  `json:"at"`
	Tool    string `json:"tool"` // canonical
	MS      int64  `json:"ms"`
	Outcome string `json:"outcome"` // ok, tool_error, trap, exit, timeout, malformed, refused, unusable, cancelled
	Line    string `json:"line"`    // of a failure; may hold text of the plugin
}

// PluginInspection is what a person sees before a plugin is installed.
type PluginInspection struct {
	Path     string        `json:"path"`
	Bytes    int64         `json:"bytes"`
	Digest   string        `json:"digest"` // to be handed to InstallPlugin
	Plugin   Plugin        `json:"plugin"` // state, runs and grant are empty
	RanCode  bool          `json:"ran_code"`
	Problems []string      `json:"problems"` // sentences; none: it can be installed
	Update   *PluginUpdate `json:"update,omitempty"`
}

// PluginUpdate compares a file with the installed plugin of the same id.
type PluginUpdate struct {
	Version string     `json:"version"` // that is installed
	State   string     `json:"state"`   // of the installed one
	After   string     `json:"after"`   // state after the update
	Same    bool       `json:"same"`    // nothing would change
	Asks    PluginAsks `json:"asks"`    // beyond what was granted
	Added   []string   `json:"added"`   // original names of tools
	Removed []string   `json:"removed"`
	Changed []string   `json:"changed"`
	// Granted is what the installed one was given: a module without a manifest
	// keeps it. Absent: nothing ever was.
	Granted *PluginPermissions `json:"granted,omitempty"`
}

// PluginValue is one configuration value to keep. Value "" forgets it, Keep
// leaves what is stored. Secret is read for keys that a person adds to a bare
// module.
type PluginValue struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Keep   bool   `json:"keep"`
	Secret bool   `json:"secret"`
}

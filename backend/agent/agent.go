// Package agent holds what is known of each agent program: how to find it, how
// to start it over ACP, what its client can do, and a person's own MCP servers
// for it. Pure: the backend looks for what is installed.
//
// No package but this one and backend compares an agent's id.
package agent

import "errors"

// Errors of agents.
var (
	ErrUnknown      = errors.New("unknown agent")
	ErrNotInstalled = errors.New("agent not installed")
	ErrReserved     = errors.New("the server name kandev is reserved")
)

// Toolbench is the id of the embedded agent.
const Toolbench = "toolbench"

// Definition is one agent.
type Definition struct {
	ID           string
	Name         string
	Embedded     bool     // started by re-executing our own binary with Args
	Command      string   // looked up in PATH; "" when embedded
	Args         []string // the arguments that make it speak ACP on stdio
	Install      string   // a command to copy
	Login        string   // a command to copy
	Credentials  Credentials
	Capabilities Capabilities
	Facts        Facts
}

// Capabilities is everything about an agent's client that other packages act
// on. It travels whole inside the instance request; the zero value is an agent
// that behaves as the specifications say.
type Capabilities struct {
	NamespacesToolsByServer bool              `json:"namespaces_tools_by_server"` // the client shows its model <tool>_<server>
	ModelName               string            `json:"model_name"`                 // form of the name the model sees: {tool}, {server}
	NameLimit               int               `json:"name_limit"`                 // characters; 0 = not known
	BeyondLimit             string            `json:"beyond_limit"`               // what the client does with a longer name
	DefersTools             bool              `json:"defers_tools"`               // the model does not see definitions up front
	AssumeHTTP              bool              `json:"assume_http"`                // takes HTTP though it does not advertise it
	AssumeSSE               bool              `json:"assume_sse"`
	BearerFrom              BearerFrom        `json:"bearer_from"`
	IgnoresMCPServers       bool              `json:"ignores_mcp_servers"`
	IgnoresStdio            bool              `json:"ignores_stdio"`   // drops stdio servers of session/new without a word
	NameInCallID            bool              `json:"name_in_call_id"` // over ACP the id of a tool's call is <name>__<rest>
	IgnoresListChanged      bool              `json:"ignores_list_changed"`
	KeepsFirstAddress       bool              `json:"keeps_first_address"`
	NativeLoad              bool              `json:"native_load"`
	NativeResume            bool              `json:"native_resume"` // a fact: an earlier session is taken up by session/load alone
	KillTree                bool              `json:"kill_tree"`     // does not end on stdin EOF or SIGTERM; a fact: every tree is ended in the same way
	EnvStrip                []string          `json:"env_strip"`
	EnvSet                  map[string]string `json:"env_set"`
	MeasuredWith            string            `json:"measured_with"` // the version these facts were measured on
}

// BearerFrom says how our bearer travels to the agent's MCP client.
type BearerFrom string

// Ways of the bearer, spec/agents.md.
const (
	BearerHeader BearerFrom = "header" // a literal header in session/new (the default)
	BearerEnv    BearerFrom = "env"    // ${KANDEV_MCP_TOKEN}, expanded by the client
	BearerPath   BearerFrom = "path"   // in the address, for clients that send no headers
	BearerBridge BearerFrom = "bridge" // the stdio bridge, by environment
)

// Server is one of the person's own MCP servers. Values of headers and
// environment are secrets: the settings hold their names.
type Server struct {
	Name      string   `json:"name"`
	Transport string   `json:"transport"` // "http", "sse", "stdio"
	URL       string   `json:"url,omitempty"`
	Command   string   `json:"command,omitempty"`
	Args      []string `json:"args,omitempty"`
	Env       []Value  `json:"env,omitempty"`
	Headers   []Value  `json:"headers,omitempty"`
	Withheld  string   `json:"withheld,omitempty"` // a sentence: why it cannot be given to the agent at this start
}

// Value is a named value that reaches the agent and nothing else.
type Value struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

package plugin

import (
	"encoding/json"

	"kandev/backend/catalog"
)

// ABI names a convention by which a module offers MCP tools.
type ABI string

// The conventions. ABIDetect, the empty one, is told from the module's exports.
const (
	ABIDetect  ABI = ""
	ABIServlet ABI = "mcp-servlet-v1" // mcp.run servlets and hyper-mcp v1: describe, call
	ABIHyper   ABI = "hyper-mcp-v2"   // hyper-mcp v2: list_tools, call_tool
)

// ManifestVersion is the only one that is read.
const ManifestVersion = 1

// Manifest is a plugin.json that was read and found sound. A bare module gets
// one made by [Bare]. It is read only. Its JSON is how it is kept, not the file's.
type Manifest struct {
	ID            string `json:"id"`
	Name          string `json:"name"`
	Version       string `json:"version"`
	Description   string `json:"description,omitempty"`
	Author        string `json:"author,omitempty"`
	License       string `json:"license,omitempty"`
	Homepage      string `json:"homepage,omitempty"`        // http or https, or empty
	MinAppVersion string `json:"min_app_version,omitempty"` // empty: any

	Wasm        Module  `json:"wasm"`
	Tools       []Tool  `json:"tools"` // 1 to MaxTools, in the file's order
	Permissions Request `json:"permissions"`
	Config      []Field `json:"config,omitempty"` // by key

	// Bare says that no plugin.json came with the module.
	Bare bool `json:"bare,omitempty"`
	// Warnings are members that are not known here, in words for a person.
	Warnings []string `json:"warnings,omitempty"`
}

// Module says which file of the package is the code.
type Module struct {
	File   string `json:"file"`   // a plain file name
	SHA256 string `json:"sha256"` // 64 lower-case hex digits, of the file as it is in the package
	ABI    ABI    `json:"abi,omitempty"`
}

// Tool is one tool as the manifest declares it: what a person sees before any
// code runs, and what is served.
type Tool struct {
	Name        string          `json:"name"`         // the plugin's own spelling, used in the call
	Description string          `json:"description"`  // 1 to MaxDescription bytes
	InputSchema json.RawMessage `json:"input_schema"` // an object, at most MaxSchema bytes
	Annotations Hints           `json:"annotations"`

	// Promises says that a module's own description has an output schema, which is
	// not served. It is not kept.
	Promises bool `json:"-"`
}

// Hints are MCP's annotations; nil is not stated.
type Hints struct {
	ReadOnly    *bool `json:"read_only,omitempty"`
	Destructive *bool `json:"destructive,omitempty"`
	Idempotent  *bool `json:"idempotent,omitempty"`
	OpenWorld   *bool `json:"open_world,omitempty"`
}

// Tool finds a declared tool by the plugin's own spelling.
func (m Manifest) Tool(name string) (Tool, bool) {
	for _, t := range m.Tools {
		if t.Name == name {
			return t, true
		}
	}
	return Tool{}, false
}

// ToolNames are the plugin's own spellings, in the manifest's order.
func (m Manifest) ToolNames() []string {
	out := make([]string, len(m.Tools))
	for i, t := range m.Tools {
		out[i] = t.Name
	}
	return out
}

// Source marks one of the plugin's tools, by its own spelling, in a set and in
// a catalog.
func (m Manifest) Source(tool string) catalog.Source {
	return catalog.Source{Kind: catalog.KindPlugin, Plugin: m.ID, PluginName: m.Name, Tool: tool}
}

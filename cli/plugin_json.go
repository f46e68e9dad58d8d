package cli

import (
	"encoding/json"
	"io"

	"kandev/backend/plugin"
)

// inspection is the form of --json. Tools are empty where nothing is known of them; tokens are null without a
// tokenizer.
type inspection struct {
	ID          string            `json:"id"`
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	Author      string            `json:"author"`
	License     string            `json:"license"`
	Homepage    string            `json:"homepage"`
	NeedsApp    string            `json:"min_app_version"`
	Bare        bool              `json:"bare"`      // without a plugin.json
	Described   bool              `json:"described"` // the module was run once
	Convention  plugin.ABI        `json:"abi"`
	SHA256      string            `json:"sha256"`
	Bytes       int               `json:"bytes"` // of the module
	Tools       []inspectedTool   `json:"tools"`
	Permissions inspectedRequest  `json:"permissions"`
	Config      []inspectedConfig `json:"config"`
	Warnings    []string          `json:"warnings"`
	Problems    []string          `json:"problems"`
}

type inspectedTool struct {
	Name        string          `json:"name"` // its own
	Served      string          `json:"served"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"input_schema"`
	Tokens      *int            `json:"tokens"`
}

type inspectedRequest struct {
	Hosts          []string `json:"hosts"`
	PrivateNetwork bool     `json:"private_network"`
	MemoryMB       int      `json:"memory_mb"`
	TimeoutMS      int      `json:"timeout_ms"`
}

type inspectedConfig struct {
	Key      string           `json:"key"`
	Type     plugin.FieldType `json:"type"`
	Title    string           `json:"title"`
	Secret   bool             `json:"secret"`
	Required bool             `json:"required"`
}

func (o opened) json(w io.Writer) error {
	m := o.manifest
	v := inspection{
		ID: m.ID, Name: m.Name, Version: m.Version, Description: m.Description, Author: m.Author, License: m.License,
		Homepage: m.Homepage, NeedsApp: m.MinAppVersion, Bare: m.Bare, Described: o.described, Convention: m.Wasm.ABI,
		SHA256: o.pkg.SHA256, Bytes: len(o.pkg.Wasm), Tools: []inspectedTool{}, Config: []inspectedConfig{},
		Warnings: append([]string{}, o.warnings...), Problems: append([]string{}, o.problems...),
		Permissions: requestView(m.Permissions),
	}
	for i, t := range o.tools {
		v.Tools = append(v.Tools, inspectedTool{
			Name: t.Original, Served: t.Canonical, Description: m.Tools[i].Description, InputSchema: m.Tools[i].InputSchema, Tokens: t.Tokens,
		})
	}
	for _, f := range m.Config {
		v.Config = append(v.Config, inspectedConfig{f.Key, f.Type, f.Title, f.Secret, f.Required})
	}
	return writeJSON(w, v)
}

package plugin

import (
	"fmt"
	"path"
	"strings"
)

// Bare makes the manifest of a module that came without one: the id from the
// file's name, the tools as the module described them in its trial run, and no
// permission. Hosts and configuration are a person's to add. The error wraps
// ErrManifest.
func Bare(fileName string, p Package, abi ABI, tools []Tool) (Manifest, error) {
	if len(tools) == 0 || len(tools) > MaxTools {
		return Manifest{}, fmt.Errorf("%w: the module describes %d tools, allowed are 1 to %d", ErrManifest, len(tools), MaxTools)
	}
	var warnings []string
	for _, t := range tools {
		if err := checkTool(t); err != nil {
			return Manifest{}, fmt.Errorf("%w: %w", ErrManifest, err)
		}
		if t.Promises {
			warnings = append(warnings, fmt.Sprintf("the output schema of %q is not served, and its results are not held against it", t.Name))
		}
	}
	id := BareID(fileName)
	return Manifest{
		ID: id, Name: id, Version: "0.0.0", Tools: tools, Bare: true, Warnings: warnings,
		Wasm:        Module{File: "plugin.wasm", SHA256: p.SHA256, ABI: abi},
		Permissions: Request{MemoryMB: DefaultMemoryMB, TimeoutMS: DefaultTimeoutMS},
	}, nil
}

// BareID is the id of a module without a manifest: its file name without
// folder and ending, in lower case, other characters as hyphens.
func BareID(fileName string) string {
	base := path.Base(strings.ReplaceAll(fileName, `\`, "/"))
	if ext := path.Ext(base); strings.EqualFold(ext, ".wasm") {
		base = strings.TrimSuffix(base, ext)
	}
	id := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '_':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, base)
	id = strings.Trim(id, "-._")
	id = strings.TrimRight(id[:min(len(id), MaxID)], "-._")
	if id == "" {
		return "plugin"
	}
	return id
}

// WithConfig adds configuration values that a person typed for a bare module.
// The keys are checked like a manifest's; one that is there is replaced.
func (m Manifest) WithConfig(fields ...Field) (Manifest, error) {
	var kept []Field
	taken := map[string]bool{}
	for _, f := range fields {
		if f.Type == "" {
			f.Type = FieldString
		}
		if err := f.check(); err != nil {
			return m, fmt.Errorf("%w: %w", ErrManifest, err)
		}
		if !taken[f.Key] {
			taken[f.Key] = true
			kept = append(kept, f)
		}
	}
	for _, f := range m.Config {
		if !taken[f.Key] {
			kept = append(kept, f)
		}
	}
	if len(kept) > MaxConfig {
		return m, fmt.Errorf("%w: config has %d values, at most %d are allowed", ErrManifest, len(kept), MaxConfig)
	}
	m.Config = kept
	return m, nil
}

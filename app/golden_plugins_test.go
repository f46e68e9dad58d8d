package app

import (
	"encoding/json"
	"time"

	"kandev/backend"
	"kandev/backend/plugin"
	"kandev/backend/wasm"
)

func goldenManifest() plugin.Manifest {
	return plugin.Manifest{
		ID: "acme.slug", Name: "Slugs", Version: "1.1.0", Description: "Makes <slugs>", Author: "A", License: "MIT", Homepage: "https://example.com",
		Wasm: plugin.Module{File: "plugin.wasm", SHA256: "ab", ABI: plugin.ABIServlet},
		Tools: []plugin.Tool{{
			Name: "make-slug", Description: "Makes one", InputSchema: json.RawMessage(`{"type":"object"}`), Annotations: plugin.Hints{ReadOnly: new(true)},
		}},
		Permissions: plugin.Request{Hosts: []string{"api.example.com"}, MemoryMB: 64, TimeoutMS: 30000},
		Config: []plugin.Field{
			{Key: "lang", Type: plugin.FieldString, Title: "Language"},
			{Key: "token", Type: plugin.FieldString, Secret: true, Required: true},
		},
	}
}

func goldenTools() []backend.PluginTool {
	t := goldenManifest().Tools[0]
	return []backend.PluginTool{{
		Name:        plugin.Name{Canonical: plugin.Canonical("acme.slug", t.Name), Original: t.Name},
		Description: t.Description, InputSchema: t.InputSchema, Hints: t.Annotations, Estimate: new(40),
	}}
}

func goldenPlugin() backend.Plugin {
	return backend.Plugin{
		Installation: plugin.Installation{
			Manifest: goldenManifest(), Status: plugin.Status{State: plugin.Disabled, Reason: plugin.CrashLoop, Detail: "Switched off.", Since: at},
			Grant:  &plugin.Grant{MemoryMB: 64, TimeoutMS: 30000},
			Values: map[string]string{"lang": "de"}, InstalledAt: at, UpdatedAt: at,
		},
		Tools: goldenTools(), Total: new(40),
		Runs: []backend.PluginRun{{At: at, Tool: "kandev_acme_slug_make_slug", Took: 1500 * time.Millisecond, Outcome: wasm.Trap, Line: "it crashed: unreachable"}},
	}
}

func goldenInspection() backend.PluginInspection {
	from := goldenPlugin().Installation
	return backend.PluginInspection{
		Path: "/tmp/slug.zip", Bytes: 1234, Digest: "cd", Manifest: goldenManifest(), Tools: goldenTools(), Total: new(40),
		Problems: []string{"It needs Kandev Desktop 9 or newer; this is 0.1.0."},
		Update: &backend.PluginUpdate{From: from, Difference: plugin.Difference{
			Asks: from.Asks(), After: plugin.Status{State: plugin.Disabled}, Changed: []string{"make-slug"},
		}},
	}
}

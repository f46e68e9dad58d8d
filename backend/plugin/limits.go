package plugin

import (
	"time"

	"kandev/backend/timelimit"
)

// Bounds of a package and its manifest (spec/plugins.md, "Package" and "Names").
// Sizes are bytes unless their name says otherwise.
const (
	MaxWasm        = 32 << 20
	MaxZip         = 40 << 20 // the module stored plainly, with room for texts
	MaxZipEntries  = 64
	MaxManifest    = 2 << 20 // 16 schemas of 64 KiB and what is around them
	MaxTools       = 16
	MaxDescription = 1024 // of a tool
	MaxSchema      = 64 << 10
	MaxText        = 1024 // of any other text of the manifest
	MaxID          = 64
	MaxToolName    = 128 // the plugin's own spelling
	MaxHosts       = 32
	MaxConfig      = 32
	MaxConfigKey   = 64
)

// What a plugin gets when it states nothing, and the most it may ask for.
const (
	DefaultMemoryMB  = 64
	MaxMemoryMB      = 512
	DefaultTimeoutMS = int(timelimit.PluginCall / time.Millisecond)
	MinTimeoutMS     = 100
	MaxTimeoutMS     = 240_000 // beyond 250 s no agent was measured
)

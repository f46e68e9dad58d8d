// Package plugin holds what a WASM plugin is before any of its code runs: its
// manifest, its package, its tools' canonical names, what it asks for and what a
// person granted, its configuration and its state.
//
// Every function is pure: bytes and values in, values and an error out. What a
// file claims is bounded before it is believed, and a refusal says in words for
// a person what is wrong. Requests and grants are types of their own, so that
// one is never taken for the other.
//
// It runs nothing, stores nothing and reads no disk. That a schema compiles is
// the registration gate's to say (package tool); what a module really contains
// is found by package wasm.
package plugin

import "errors"

// ErrPackage is wrapped by every refusal of a file: not a package, or not a
// sound one.
var ErrPackage = errors.New("not a plugin")

// ErrManifest is wrapped by every refusal of a plugin.json.
var ErrManifest = errors.New("plugin.json")

// ErrName is wrapped by every refusal of a tool name.
var ErrName = errors.New("tool name")

// ErrNotGranted is returned when a plugin would run with less than it asks for.
var ErrNotGranted = errors.New("this plugin asks for more than it was granted")

//go:build !bindings

package app

// bindingsBuild is false in every program that a person runs; see build_bindings.go.
const bindingsBuild = false

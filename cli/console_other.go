//go:build !windows

package cli

// attachConsole has nothing to do where every program has the streams it was started with.
func attachConsole() {}

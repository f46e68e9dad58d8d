package app

import (
	"os"
	"runtime/debug"
)

// catchPanic lets the Go runtime write what it says when it ends the process
// into a file as well: a program that was started from a menu has no other
// place for it. The next start puts it into its report.
func catchPanic(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer f.Close() // the runtime keeps a handle of its own
	return debug.SetCrashOutput(f, debug.CrashOptions{})
}

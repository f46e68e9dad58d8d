package cli

import (
	"fmt"
	"os"

	"kandev/backend/proc"
)

// Guard is "guard", which the app starts for every command it runs; see package proc. It takes no arguments: its order comes by a pipe.
// main calls it before anything else and exits with what it returns.
func Guard(args []string) int {
	if len(args) > 0 {
		fmt.Fprintln(os.Stderr, "guard: takes no arguments; the app starts it, not a person")
		return exitUsage
	}
	return proc.Guard()
}

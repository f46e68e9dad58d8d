package backend

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"kandev/backend/proc"
	"kandev/backend/toolbench"
)

// TestMain makes the test binary its own guard and its own agent, as the app's
// binary is.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "guard":
			os.Exit(proc.Guard())
		case "agent":
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
			err := toolbench.Run(ctx, toolbench.Options{In: os.Stdin, Out: os.Stdout, Version: "test"})
			stop()
			if err != nil {
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"kandev/backend/toolbench"
)

// Agent is "agent": the embedded ACP agent without a model, on standard input and output; see package toolbench.
// It takes no arguments, because everything it needs comes over ACP. It answers 0 after the end of its input, an
// interrupt or a TERM, with the MCP sessions closed.
func Agent(args []string) int {
	if len(args) > 0 {
		fmt.Fprintln(os.Stderr, "agent: takes no arguments; an ACP client starts it")
		return exitUsage
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A client that dies leaves a broken pipe. Caught, it is a failed write and the MCP sessions are still closed; not
	// ignored, because that would be inherited by the servers that the agent starts.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	if err := toolbench.Run(ctx, toolbench.Options{In: os.Stdin, Out: os.Stdout, Version: Version()}); err != nil {
		fmt.Fprintln(os.Stderr, "agent:", err)
		return exitFailed
	}
	return exitDone
}

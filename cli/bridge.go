package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"kandev/backend/bridge"
)

// Bridge is "mcp-bridge URL": the session's tools on standard input and output, for agents that start MCP servers and
// connect to none; see package bridge. The bearer comes in KANDEV_MCP_TOKEN, because every local user can read an
// argument. It answers 0 after the end of its input, an interrupt or a TERM, with the MCP session closed.
func Bridge(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// An agent that dies leaves a broken pipe. Caught, it is a failed write and the MCP session is still closed.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return runBridge(ctx, args, os.Getenv("KANDEV_MCP_TOKEN"), os.Stdin, os.Stdout, os.Stderr)
}

// runBridge is Bridge with its surroundings as arguments. Nothing but the reason why it cannot go on is written to
// stderr, and never the address, the bearer or a message.
func runBridge(ctx context.Context, args []string, bearer string, in io.Reader, out, stderr io.Writer) int {
	if len(args) != 1 {
		fmt.Fprintln(stderr, "mcp-bridge: takes one argument, the address of the session's MCP endpoint; the bearer is read from KANDEV_MCP_TOKEN")
		return exitUsage
	}
	if err := bridge.Run(ctx, bridge.Options{In: in, Out: out, URL: args[0], Bearer: bearer}); err != nil {
		fmt.Fprintln(stderr, "mcp-bridge:", err)
		return exitFailed
	}
	return exitDone
}

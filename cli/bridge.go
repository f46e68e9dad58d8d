package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
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

const bridgeUsage = `Usage: kandev-desktop mcp-bridge URL

Offers the MCP endpoint of a session on standard input and output, for an agent that takes no address: one JSON-RPC
message in each line. Kandev starts it for such an agent. URL is http on a loopback host; the bearer is read from the
environment variable KANDEV_MCP_TOKEN.

Exit code 0: the input ended; 1: it could not go on, and says why; 2: the command line could not be read.
`

// runBridge is Bridge with its surroundings as arguments. Nothing but the reason why it cannot go on is written to
// stderr, and never the address, the bearer or a message.
func runBridge(ctx context.Context, args []string, bearer string, in io.Reader, out, stderr io.Writer) int {
	urls, err := options{}.parse(args)
	switch {
	case errors.Is(err, errHelp):
		fmt.Fprint(out, bridgeUsage)
		return exitDone
	case err == nil && len(urls) != 1:
		err = errors.New("takes one argument, the address of the session's MCP endpoint")
	}
	if err != nil {
		fmt.Fprintf(stderr, "mcp-bridge: %s\n\n%s", visible(err.Error()), bridgeUsage)
		return exitUsage
	}
	if err := bridge.Run(ctx, bridge.Options{In: in, Out: out, URL: urls[0], Bearer: bearer}); err != nil {
		fmt.Fprintln(stderr, "mcp-bridge:", strings.TrimPrefix(err.Error(), "bridge: "))
		return exitFailed
	}
	return exitDone
}

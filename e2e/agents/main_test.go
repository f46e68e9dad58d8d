//go:build linux

package agents

import (
	"fmt"
	"os"
	"testing"

	"kandev/cli"
)

// The parts that this test binary plays besides running tests.
const (
	partApp    = "app"    // the app, to be killed
	partServer = "server" // a person's stdio MCP server
	partTee    = "tee"    // between the app and an agent, to see what is said
)

// TestMain makes the binary its own guard and embedded agent, as main does, and
// what else has to be a process.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case partApp:
			os.Exit(runApp(os.Args[2], os.Args[3], os.Args[4], os.Args[5]))
		case partServer:
			os.Exit(runServer(os.Args[2]))
		case partTee:
			os.Exit(runTee(os.Args[2], os.Args[3], os.Args[4:]))
		}
		if code, handled := cli.Main(os.Args[1:]); handled {
			os.Exit(code)
		}
	}
	if os.Getenv(envInside) != "" {
		if err := loopbackUp(); err != nil {
			fmt.Fprintln(os.Stderr, "loopback:", err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

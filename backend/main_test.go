package backend

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"kandev/backend/bridge"
	"kandev/backend/proc"
	"kandev/backend/toolbench"
)

// TestMain makes the test binary its own guard, its own agent and, for what can
// only be seen from outside, an app of its own.
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
		case "mcp-bridge":
			if err := bridge.Run(context.Background(), bridge.Options{In: os.Stdin, Out: os.Stdout, URL: os.Args[2], Bearer: os.Getenv("KANDEV_MCP_TOKEN")}); err != nil {
				os.Exit(1)
			}
			os.Exit(0)
		case "fake":
			runFakeAgent(os.Args[2])
		case "server":
			os.Exit(runServer(os.Args[2]))
		case "app":
			os.Exit(runApp(os.Args[2], os.Args[3:]))
		case "firstcall":
			os.Exit(runFirstCall(os.Args[2]))
		case "install":
			os.Exit(runInstalls(os.Args[2], os.Args[3:]))
		case "changes":
			os.Exit(runChanges(os.Args[2], os.Args[3:]))
		}
	}
	// Or every child of a test under -race waits a second at its exit.
	if err := os.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE")); err != nil {
		panic(err)
	}
	code := m.Run()
	if left := leaked(); code == 0 && left != "" {
		fmt.Fprintln(os.Stderr, "goroutines left after Close:\n"+left)
		code = 1
	}
	os.Exit(code)
}

// leaked returns the stacks of goroutines that run our code although every
// backend was closed.
func leaked() string {
	limit := time.Now().Add(3 * time.Second)
	for {
		buf := make([]byte, 4<<20)
		buf = buf[:runtime.Stack(buf, true)]
		var left []string
		for stack := range strings.SplitSeq(string(buf), "\n\n") {
			if strings.Contains(stack, "kandev/backend") && !strings.Contains(stack, "TestMain") {
				left = append(left, stack)
			}
		}
		if len(left) == 0 || time.Now().After(limit) {
			return strings.Join(left, "\n\n")
		}
		runtime.Gosched()
	}
}

// ignoreTerm makes this process one that only SIGKILL ends.
func ignoreTerm() { signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP) }

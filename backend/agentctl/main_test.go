package agentctl

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kandev/backend/acp"
	"kandev/backend/attach"
	"kandev/backend/mcpserver"
	"kandev/backend/proc"
	"kandev/backend/tool"
)

// TestMain makes the test binary its own guard and its own agent.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "guard":
			os.Exit(proc.Guard())
		case "agent":
			runAgent(os.Args[2])
			os.Exit(0)
		}
	}
	if err := os.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE")); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// runAgent answers initialize and, unless it is silent, session/new; what it
// was given it writes into files of its folder.
func runAgent(manner string) {
	write := func(name string, v any) {
		b, _ := json.Marshal(v)
		_ = os.WriteFile(name, b, 0o600)
	}
	for in := bufio.NewReader(os.Stdin); ; {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var m struct {
			ID     json.RawMessage
			Method string
			Params json.RawMessage
		}
		_ = json.Unmarshal(line, &m)
		switch m.Method {
		case "initialize":
			write("environment", os.Environ())
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1}}`+"\n", m.ID)
		case "session/new":
			write("session", m.Params)
			if manner != "silent" {
				fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s"}}`+"\n", m.ID)
			}
		}
	}
}

// bench is a host that keeps what it is told.
type bench struct {
	t      *testing.T
	dir    string
	server *mcpserver.Server

	mu       sync.Mutex
	evidence []attach.Evidence
	options  []mcpserver.Options
	wake     chan struct{}
}

func newBench(t *testing.T) *bench {
	t.Helper()
	server, err := mcpserver.Listen(mcpserver.ListenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close(t.Context()) })
	return &bench{t: t, dir: t.TempDir(), server: server, wake: make(chan struct{}, 1)}
}

func (b *bench) host(environ ...string) Host {
	var n atomic.Int64
	return Host{
		Endpoint: func(o mcpserver.Options) (*mcpserver.Endpoint, error) {
			b.mu.Lock()
			b.options = append(b.options, o)
			b.mu.Unlock()
			return b.server.Open(o)
		},
		Record: func(e attach.Evidence) {
			b.mu.Lock()
			b.evidence = append(b.evidence, e)
			b.mu.Unlock()
			select {
			case b.wake <- struct{}{}:
			default:
			}
		},
		Used:     func(string, string, bool, bool, time.Time) {},
		Tools:    func(Profile) *tool.Set { s, _ := tool.NewSet(1); return s },
		Preamble: func(Profile) string { return "" },
		Update:   func(acp.Update) {},
		Noise:    func(int, string) {}, Dropped: func(int64) {},
		Getenv: func(name string) (string, bool) {
			for _, e := range environ {
				if value, ok := strings.CutPrefix(e, name+"="); ok {
					return value, true
				}
			}
			return "", false
		},
		NewID: func(prefix string) string { return fmt.Sprint(prefix, n.Add(1)) },
		Guard: []string{os.Args[0], "guard"}, PIDDir: filepath.Join(b.dir, "run"),
		Now: time.Now, Log: slog.New(slog.DiscardHandler),
	}
}

// create starts an agent of a manner.
func (b *bench) create(manner string, host Host, change func(*CreateInstanceRequest)) *Instance {
	b.t.Helper()
	r := CreateInstanceRequest{Session: "s", Execution: "x", WorkDir: b.dir, Command: []string{os.Args[0], "agent", manner}}
	if change != nil {
		change(&r)
	}
	request, err := r.Encode()
	if err != nil {
		b.t.Fatal(err)
	}
	i, err := Create(b.t.Context(), request, host)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = i.Close(b.t.Context(), "test") })
	if _, err := i.Initialize(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	return i
}

// kinds are the evidence so far, without servers.
func (b *bench) kinds() (out []attach.Kind) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.evidence {
		out = append(out, e.Kind)
	}
	return out
}

// given reads what the agent wrote down.
func (b *bench) given(name string, v any) {
	b.t.Helper()
	raw, err := os.ReadFile(filepath.Join(b.dir, name))
	if err == nil {
		err = json.Unmarshal(raw, v)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

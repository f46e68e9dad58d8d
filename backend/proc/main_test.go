//go:build linux || darwin

package proc

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary plays every part: the guard, the agents, what agents leave behind, and the app that is killed.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "guard":
			os.Exit(Guard())
		case "agent":
			// Nothing that a failed test leaves behind lives longer than this.
			time.AfterFunc(time.Minute, func() { os.Exit(3) })
			playAgent(os.Args[2:])
			os.Exit(0)
		case "app":
			playApp(os.Args[2])
		}
	}
	if err := os.Setenv("GORACE", noRaceSleep); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// playAgent follows its script word by word.
func playAgent(script []string) {
	for _, word := range script {
		verb, argument, _ := strings.Cut(word, ":")
		switch verb {
		case "ignore-term":
			signal.Ignore(syscall.SIGTERM)
		case "child": // a plain child, deaf to everything
			startSelf(nil, "ignore-term", "pid", "forever")
		case "orphan": // a grandchild that left the group, the session and its parent
			startSelf(nil, "leave")
		case "leave":
			startSelf(&syscall.SysProcAttr{Setsid: true}, "ignore-term", "pid", "forever")
		case "pid":
			id, _ := processEntry(os.Getpid())
			line, _ := json.Marshal(id.ident)
			fmt.Printf("%s\n", line)
		case "say":
			fmt.Println(argument)
		case "exit":
			code, _ := strconv.Atoi(argument)
			os.Exit(code)
		case "kill":
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		case "echo":
			_, _ = io.Copy(os.Stdout, os.Stdin)
		case "forever":
			select {}
		case "env":
			fmt.Printf("%q\n", os.Environ())
		case "dir":
			dir, _ := os.Getwd()
			fmt.Println(dir)
		}
	}
}

// startSelf returns when the new process has said its line, so that a test that read it knows the tree is complete.
func startSelf(attributes *syscall.SysProcAttr, script ...string) {
	cmd := exec.Command(os.Args[0], append([]string{"agent"}, script...)...)
	cmd.SysProcAttr, cmd.Stderr = attributes, os.Stderr
	cmd.Stdout = os.Stdout // held open by whoever lives longest
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	if script[0] == "leave" {
		_ = cmd.Wait()
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// appScript is what playApp gets as JSON.
type appScript struct {
	Agents [][]string
	Grace  Grace
	PIDDir string
	Poll   time.Duration
}

// playApp starts the agents, passes on what they say, and waits to be killed.
func playApp(script string) {
	time.AfterFunc(time.Minute, func() { os.Exit(3) })
	var s appScript
	if err := json.Unmarshal([]byte(script), &s); err != nil {
		panic(err)
	}
	for _, words := range s.Agents {
		c := selfCommand(words...)
		c.Grace, c.PIDDir, c.poll = s.Grace, s.PIDDir, s.Poll
		p, err := Start(context.Background(), c)
		if err != nil {
			panic(err)
		}
		fmt.Printf(`{"pid":%d,"start":"guard"}`+"\n", p.run.guard)
		go func() { _, _ = io.Copy(os.Stdout, p.Stdout()) }()
	}
	select {}
}

func selfCommand(script ...string) Command {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return Command{
		Self: []string{self, "guard"}, Path: self, Args: append([]string{"agent"}, script...),
		Env: []string{"GORACE=" + noRaceSleep}, Grace: shortGrace,
	}
}

// noRaceSleep takes away the second that a program built with -race waits before it ends.
const noRaceSleep = "atexit_sleep_ms=0"

// shortGrace is for agents that must be made to end; patientGrace for those that end by themselves, on a machine that is busy.
var (
	shortGrace   = Grace{Stdin: 100 * time.Millisecond, Term: 100 * time.Millisecond}
	patientGrace = Grace{Stdin: 20 * time.Second, Term: 100 * time.Millisecond}
)

// start runs an agent of this binary. The test ends it.
func start(t *testing.T, c Command) *Process {
	t.Helper()
	p, err := Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(t, p) })
	return p
}

func stop(t *testing.T, p *Process) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 40*time.Second)
	defer cancel()
	if err := p.Stop(ctx); err != nil {
		t.Error(err)
	}
}

// idents reads n processes that a tree has named.
func idents(t *testing.T, r io.Reader, n int) []ident {
	t.Helper()
	lines := bufio.NewScanner(r)
	var out []ident
	for len(out) < n && lines.Scan() {
		var id ident
		if err := json.Unmarshal(lines.Bytes(), &id); err == nil {
			out = append(out, id)
		}
	}
	if len(out) < n {
		t.Fatalf("the tree named %d processes, want %d", len(out), n)
	}
	return out
}

// living are those that still run. A zombie is gone: who reaps the orphans of a killed app is not our choice.
func living(ids []ident) []ident {
	var out []ident
	for _, id := range ids {
		if e, ok := processEntry(id.PID); ok && e.Start == id.Start && !e.zombie {
			out = append(out, id)
		}
	}
	return out
}

func mustBeGone(t *testing.T, ids []ident) {
	t.Helper()
	if left := living(ids); len(left) > 0 {
		t.Errorf("still alive: %v", left)
	}
}

// goneWithin waits for processes that are nobody's children here, so there is nothing to wait on but the table.
func goneWithin(t *testing.T, limit time.Duration, ids []ident) time.Duration {
	t.Helper()
	began := time.Now()
	eventually(t, limit, fmt.Sprintf("none of %v is alive", ids), func() bool { return len(living(ids)) == 0 })
	return time.Since(began)
}

// eventually looks again and again at what gives no signal: other processes, and files that they write.
func eventually(t *testing.T, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for over := time.After(limit); !ok(); {
		select {
		case <-tick.C:
		case <-over:
			t.Fatalf("%s: not within %v", what, limit)
		}
	}
}

// killAfterwards keeps a failing test from leaving processes behind. Only those that the test itself was told of.
func killAfterwards(t *testing.T, ids []ident) {
	t.Cleanup(func() {
		for _, id := range living(ids) {
			_ = syscall.Kill(id.PID, syscall.SIGKILL)
		}
	})
}

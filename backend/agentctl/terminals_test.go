//go:build linux || darwin

package agentctl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"kandev/backend/acp"
	"kandev/backend/agent"
	"kandev/backend/session"
)

// shell is an instance whose terminals a test drives as its agent would.
type shell struct {
	*testing.T
	i  *Instance
	tt *terminals

	mu   sync.Mutex
	told map[string][]session.Terminal
}

func newShell(t *testing.T, environ ...string) *shell {
	t.Helper()
	b := newBench(t)
	s := &shell{T: t, told: map[string][]session.Terminal{}}
	host := b.host(environ...)
	host.Terminal = func(state session.Terminal) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.told[state.ID] = append(s.told[state.ID], state)
	}
	s.i = b.create("plain", host, func(r *CreateInstanceRequest) {
		for _, e := range environ {
			name, _, _ := strings.Cut(e, "=")
			r.Environment = append(r.Environment, name)
		}
		r.Capabilities.EnvSet = map[string]string{"AGENT_SET": "1"}
		r.Capabilities.BearerFrom = agent.BearerEnv
	})
	s.tt = s.i.terminals
	return s
}

// run starts a line of shell.
func (s *shell) run(line string, change ...func(*acp.CreateTerminal)) acp.TerminalRef {
	s.Helper()
	r := acp.CreateTerminal{Command: "/bin/sh", Args: []string{"-c", line}}
	for _, f := range change {
		f(&r)
	}
	id, err := s.tt.create(s.Context(), r)
	if err != nil {
		s.Fatal(err)
	}
	return acp.TerminalRef{TerminalID: id}
}

// end waits for a command and returns what its agent reads then.
func (s *shell) end(ref acp.TerminalRef) acp.TerminalOutput {
	s.Helper()
	exit, err := s.tt.waitForExit(s.Context(), ref)
	if err != nil {
		s.Fatal(err)
	}
	out, err := s.tt.output(s.Context(), ref)
	if err != nil || out.Exit == nil || out.Exit.Signal != exit.Signal {
		s.Fatalf("%+v after %+v, %v", out, exit, err)
	}
	return out
}

func (s *shell) last(ref acp.TerminalRef) session.Terminal {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.told[ref.TerminalID]
	return all[len(all)-1]
}

// until looks again and again at what gives no signal.
func (s *shell) until(ok func() bool) {
	s.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for limit := time.After(20 * time.Second); !ok(); {
		select {
		case <-tick.C:
		case <-limit:
			s.Fatal("not within 20 s")
		}
	}
}

func limit(n uint64) func(*acp.CreateTerminal) {
	return func(r *acp.CreateTerminal) { r.Limit = &n }
}

// TestTerminalEnds: output, exit codes and signals as the agent reads them, and
// as the person is shown them.
func TestTerminalEnds(t *testing.T) {
	s := newShell(t)
	for _, c := range []struct {
		line, out, signal string
		code              int
		change            func(*acp.CreateTerminal)
		cut               bool
	}{
		{line: "echo out; echo err >&2; exit 3", out: "out\nerr\n", code: 3},
		{line: "cat; echo end", out: "end\n"},
		{line: "kill -9 $$", signal: "SIGKILL", code: -1},
		{line: "printf 'aé€😀'", out: "€😀", change: limit(8), cut: true},
		{line: "printf 'aé€😀'", out: "😀", change: limit(5), cut: true},
		{line: "printf 'aé€😀'", out: "", change: limit(3), cut: true},
		{line: "echo x", out: "", change: limit(0), cut: true},
		{line: "printf 'a\\377\\376b\\360\\237'", out: "a\uFFFDb\uFFFD"},
		{line: "printf '\\377\\377\\377' ; printf 1234", out: "1234", change: limit(5), cut: true},
		{line: "sleep 300 & echo started", out: "started\n"},
	} {
		ref := s.run(c.line, func(r *acp.CreateTerminal) {
			if c.change != nil {
				c.change(r)
			}
		})
		out := s.end(ref)
		code := -1
		if out.Exit.Code != nil {
			code = *out.Exit.Code
		}
		if out.Text != c.out || code != c.code || out.Exit.Signal != c.signal || out.Truncated != c.cut {
			t.Errorf("%s: %q, cut %v, code %d, signal %q", c.line, out.Text, out.Truncated, code, out.Exit.Signal)
		}
		if err := s.tt.release(t.Context(), ref); err != nil {
			t.Error(err)
		}
	}
}

// TestTerminalFlood: 10 MB of output cost no more than the bounds, and the end
// of it is what stays.
func TestTerminalFlood(t *testing.T) {
	s := newShell(t)
	ref := s.run("head -c 10000000 /dev/zero | tr '\\0' x; printf 'the end'")
	out := s.end(ref)
	if len(out.Text) != MaxOutput || !out.Truncated || !strings.HasSuffix(out.Text, "xthe end") {
		t.Errorf("%d bytes, cut %v", len(out.Text), out.Truncated)
	}
	one, _ := s.tt.find(ref.TerminalID)
	if n := cap(one.written.buf); n > 5*MaxOutput {
		t.Errorf("%d bytes held", n)
	}
	shown := s.last(ref)
	if len(shown.Output) != session.MaxTerminal || !shown.Cut || !shown.Ended || shown.Code == nil || *shown.Code != 0 {
		t.Errorf("shown: %d bytes, %v", len(shown.Output), shown.Ended)
	}
	if looks := len(s.told[ref.TerminalID]); looks > 100 {
		t.Errorf("told %d times", looks)
	}
}

// TestTerminalLive: what is written is seen while the command runs, without half
// of a character.
func TestTerminalLive(t *testing.T) {
	s := newShell(t)
	gate := filepath.Join(s.i.request.WorkDir, "gate")
	if err := syscall.Mkfifo(gate, 0o600); err != nil {
		t.Fatal(err)
	}
	ref := s.run("printf 'one\\n\\342\\202'; cat gate; printf '\\254'")
	s.until(func() bool {
		out, err := s.tt.output(t.Context(), ref)
		if err != nil || out.Exit != nil || !utf8.ValidString(out.Text) {
			t.Fatalf("%+v, %v", out, err)
		}
		return s.last(ref).Output == "one\n"
	})
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if out := s.end(ref); out.Text != "one\n€" {
		t.Errorf("%q", out.Text)
	}
}

// TestTerminalKill: a wait ends with the kill, a second one does nothing, and a
// command that heeds no SIGTERM goes as well.
func TestTerminalKill(t *testing.T) {
	s := newShell(t)
	ref := s.run("trap '' TERM; echo deaf; while :; do sleep 60; done")
	waited := make(chan acp.TerminalExit, 1)
	go func() {
		exit, _ := s.tt.waitForExit(context.Background(), ref)
		waited <- exit
	}()
	given, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.tt.waitForExit(given, ref); !errors.Is(err, context.Canceled) {
		t.Errorf("a wait that was withdrawn: %v", err)
	}
	for range 2 {
		if err := s.tt.kill(t.Context(), ref); err != nil {
			t.Error(err)
		}
	}
	if exit := <-waited; exit.Signal != "SIGKILL" || exit.Code != nil {
		t.Errorf("%+v", exit)
	}
	if out, err := s.tt.output(t.Context(), ref); err != nil || out.Exit == nil {
		t.Errorf("a killed terminal stays: %+v, %v", out, err)
	}
	if err := s.tt.release(t.Context(), ref); err != nil {
		t.Error(err)
	}
	_, waitErr := s.tt.waitForExit(t.Context(), ref)
	_, outputErr := s.tt.output(t.Context(), ref)
	for _, err := range []error{s.tt.release(t.Context(), ref), s.tt.kill(t.Context(), ref), waitErr, outputErr} {
		if refused, ok := errors.AsType[*acp.TerminalError](err); !ok || !refused.NotFound {
			t.Errorf("after the release: %v", err)
		}
	}
}

// TestTerminalRelease: what runs is killed, with all that it started.
func TestTerminalRelease(t *testing.T) {
	s := newShell(t)
	ref := s.run("setsid sleep 300 & (sleep 300 &) ; echo $!; sleep 300")
	one, _ := s.tt.find(ref.TerminalID)
	if err := s.tt.release(t.Context(), ref); err != nil {
		t.Fatal(err)
	}
	<-one.done
	if !s.last(ref).Ended {
		t.Error("the person is not told")
	}
}

// TestTerminalForks: a command that forks as long as it lives is gone whole.
func TestTerminalForks(t *testing.T) {
	s := newShell(t)
	mark := fmt.Sprint(300 + os.Getpid()%1000)
	ref := s.run("n=0; while [ $n -lt 500 ]; do n=$((n+1)); (setsid sleep "+mark+" &) ; sleep 0.01; done", limit(10))
	one, _ := s.tt.find(ref.TerminalID)
	s.until(func() bool {
		if one.over() {
			t.Fatal("it ended by itself")
		}
		return len(processesOf(t, mark)) >= 20
	})
	if err := s.tt.kill(t.Context(), ref); err != nil {
		t.Error(err)
	}
	if left := processesOf(t, mark); len(left) != 0 {
		t.Errorf("%d are left", len(left))
	}
}

// TestTerminalsMany: a bound on those that run and on those that are kept.
func TestTerminalsMany(t *testing.T) {
	s := newShell(t)
	first := s.run("sleep 300")
	for range MaxTerminals - 1 {
		s.run("sleep 300")
	}
	one := acp.CreateTerminal{Command: "/bin/sh", Args: []string{"-c", ":"}}
	if _, err := s.tt.create(t.Context(), one); err == nil || !strings.Contains(err.Error(), "32 terminals run already") {
		t.Fatal(err)
	}
	if err := s.tt.kill(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	for n := MaxTerminals; n < MaxTerminalsAll; n++ {
		s.end(s.run(":"))
	}
	if _, err := s.tt.create(t.Context(), one); err == nil || !strings.Contains(err.Error(), "128 terminals are not released") {
		t.Fatal(err)
	}
	if err := s.tt.release(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	s.end(s.run(":"))
}

// TestTerminalsEnd: with a new attempt, and with the instance.
func TestTerminalsEnd(t *testing.T) {
	s := newShell(t)
	old := s.run("sleep 300")
	one, _ := s.tt.find(old.TerminalID)
	s.tt.endAttempt()
	<-one.done
	if _, err := s.tt.output(t.Context(), old); err == nil {
		t.Error("a terminal of the attempt before")
	}
	left := s.run("trap '' TERM; while :; do sleep 60; done")
	one, _ = s.tt.find(left.TerminalID)
	if err := s.i.Close(t.Context(), "test"); err != nil {
		t.Fatal(err)
	}
	if !one.over() || !s.last(left).Ended {
		t.Error("it runs on")
	}
	if _, err := s.tt.create(t.Context(), acp.CreateTerminal{Command: "true"}); err == nil {
		t.Error("a terminal after the end")
	}
}

// TestTerminalsEndInTheirOwnTime: a Close whose context has ended comes back when
// the commands are gone all the same: nothing of them is told after it.
func TestTerminalsEndInTheirOwnTime(t *testing.T) {
	s := newShell(t)
	left := s.run("trap '' TERM; echo up; while :; do sleep 60; done")
	s.until(func() bool { return s.last(left).Output == "up\n" })
	one, _ := s.tt.find(left.TerminalID)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.i.Close(ctx, "test"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if !one.over() || !s.last(left).Ended {
		t.Error("it runs on, and nobody waits for it")
	}
	select {
	case <-s.i.Done():
	default:
		t.Error("so does the agent")
	}
}

// processesOf are the processes whose arguments hold a text.
func processesOf(t *testing.T, text string) (out []string) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil || len(files) == 0 {
		t.Skip("no table of processes here")
	}
	for _, file := range files {
		if line, err := os.ReadFile(file); err == nil && strings.HasPrefix(string(line), "sleep\x00"+text) {
			out = append(out, file)
		}
	}
	return out
}

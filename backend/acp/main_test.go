package acp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

// fakeEnv names the scenario when the test binary is started as an agent.
const fakeEnv = "KANDEV_ACP_FAKE"

// patience is how long a test waits before it calls something hung.
const patience = time.Minute

func TestMain(m *testing.M) {
	if name := os.Getenv(fakeEnv); name != "" {
		runFake(name)
		return
	}
	code := m.Run()
	if left := leaked(); code == 0 && left != "" {
		fmt.Fprintln(os.Stderr, "goroutines left after Close:\n"+left)
		code = 1
	}
	os.Exit(code)
}

// leaked returns the stacks of goroutines that a Conn still owns.
func leaked() string {
	deadline := time.Now().Add(2 * time.Second)
	for {
		buf := make([]byte, 1<<20)
		buf = buf[:runtime.Stack(buf, true)]
		var left []string
		for stack := range strings.SplitSeq(string(buf), "\n\n") {
			if strings.Contains(stack, "acp.(*Conn)") {
				left = append(left, stack)
			}
		}
		if len(left) == 0 || time.Now().After(deadline) {
			return strings.Join(left, "\n\n")
		}
		runtime.Gosched()
	}
}

// startFake runs the test binary as an agent over real pipes.
func startFake(t *testing.T, scenario string, o Options) *Conn {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fakeEnv+"="+scenario)
	var stderr bytes.Buffer // read after Wait
	cmd.Stderr = io.MultiWriter(os.Stderr, &stderr)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := NewConn(in, out, o)
	t.Cleanup(func() {
		c.Close()
		cmd.Process.Kill()
		cmd.Wait()
		if bytes.Contains(stderr.Bytes(), []byte("DATA RACE")) {
			t.Error("the fake agent has a race")
		}
	})
	return c
}

// peer is the agent's end of a connection inside the test process. Its pipes
// are the system's, so they fill and block as an agent's do.
type peer struct {
	t   *testing.T
	in  *bufio.Reader // what the connection wrote
	inF *os.File
	out *os.File // what the connection reads
}

// connect makes a connection and its peer; tune may change it before it starts.
func connect(t *testing.T, o Options, tune ...func(*Conn)) (*Conn, *peer) {
	t.Helper()
	inR, inW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	made := &Conn{w: inW, r: outR, o: o, maxFrame: MaxFrame, maxQueue: maxQueued}
	made.o.Now = time.Now
	if o.Log == nil {
		made.o.Log = quiet
	}
	for _, f := range tune {
		f(made)
	}
	c := start(made)
	p := &peer{t: t, in: bufio.NewReaderSize(inR, 1<<20), inF: inR, out: outW}
	t.Cleanup(func() {
		c.Close()
		inR.Close()
		outW.Close()
	})
	return c, p
}

// send writes lines to the connection.
func (p *peer) send(lines ...string) {
	p.t.Helper()
	for _, line := range lines {
		if _, err := p.out.WriteString(line + "\n"); err != nil {
			p.t.Errorf("send: %v", err)
		}
	}
}

// line reads one line the connection wrote.
func (p *peer) line() string {
	p.t.Helper()
	p.inF.SetReadDeadline(time.Now().Add(patience))
	s, err := p.in.ReadString('\n')
	if err != nil {
		p.t.Fatalf("nothing came from the connection: %v", err)
	}
	return strings.TrimSuffix(s, "\n")
}

// expect reads one line and compares it.
func (p *peer) expect(want string) {
	p.t.Helper()
	if got := p.line(); got != want {
		p.t.Fatalf("the connection sent\n%s\nwant\n%s", got, want)
	}
}

// wait fails the test when f does not return a value in time.
func wait[T any](t *testing.T, what string, ch <-chan T) T {
	t.Helper()
	select {
	case v := <-ch:
		return v
	case <-time.After(patience):
		t.Fatalf("%s: nothing happened", what)
		panic("unreachable")
	}
}

// result is what a call returned.
type result[T any] struct {
	value T
	err   error
}

// async runs a call on a goroutine of the test.
func async[T any](f func() (T, error)) <-chan result[T] {
	ch := make(chan result[T], 1)
	go func() {
		v, err := f()
		ch <- result[T]{v, err}
	}()
	return ch
}

// compact renders a value as JSON without its empty members.
func compact(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var generic any
	if err := json.Unmarshal(b, &generic); err != nil {
		t.Fatal(err)
	}
	b, err = json.Marshal(prune(generic))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func prune(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if e == nil || e == "" || e == false {
				delete(v, k)
				continue
			}
			v[k] = prune(e)
		}
	case []any:
		for i := range v {
			v[i] = prune(v[i])
		}
	}
	return v
}

//go:build linux || darwin

package proc

import (
	"bufio"
	"context"
	"errors"
	"io"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Case 89.
func TestStop(t *testing.T) {
	for _, test := range []struct {
		name   string
		script []string
		named  int
		want   Exit
	}{
		{"heeds the end of stdin", []string{"pid", "echo"}, 1, Exit{Code: 0}},
		{"ignores the end of stdin", []string{"pid", "forever"}, 1, Exit{Code: -1, Signal: "SIGTERM"}},
		{"ignores SIGTERM too", []string{"ignore-term", "pid", "forever"}, 1, Exit{Code: -1, Signal: "SIGKILL"}},
		{"with children", []string{"ignore-term", "child", "child", "pid", "forever"}, 3, Exit{Code: -1, Signal: "SIGKILL"}},
		{"with a daemon", []string{"orphan", "pid", "echo"}, 2, Exit{Code: 0}},
		{"with daemons, deaf", []string{"orphan", "orphan", "child", "ignore-term", "pid", "forever"}, 4, Exit{Code: -1, Signal: "SIGKILL"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := selfCommand(test.script...)
			if test.want.Signal == "" {
				c.Grace = patientGrace
			}
			if test.want.Signal == "SIGTERM" {
				c.Grace.Term = patientGrace.Stdin
			}
			p := start(t, c)
			ids := idents(t, p.Stdout(), test.named)
			killAfterwards(t, ids)
			var wg sync.WaitGroup
			for range 3 { // again and at once is harmless
				wg.Go(func() { stop(t, p) })
			}
			wg.Wait()
			mustBeGone(t, ids)
			if p.Exit() != test.want {
				t.Errorf("got %+v, want %+v", p.Exit(), test.want)
			}
			if rest, err := io.ReadAll(p.Stdout()); len(rest) > 0 || err != nil {
				t.Errorf("stdout does not end: %q, %v", rest, err)
			}
		})
	}
}

// An agent that ends by itself takes what it left behind with it, and its code is not lost over it.
func TestLeftovers(t *testing.T) {
	p := start(t, selfCommand("child", "orphan", "pid", "echo", "exit:41"))
	ids := idents(t, p.Stdout(), 3)
	killAfterwards(t, ids)
	_ = p.Stdin().Close()
	<-p.Done()
	mustBeGone(t, ids)
	if p.Exit() != (Exit{Code: 41}) {
		t.Errorf("exit %+v", p.Exit())
	}
}

func TestStopReturnsWithItsContext(t *testing.T) {
	c := selfCommand("ignore-term", "pid", "forever")
	p := start(t, c)
	ids := idents(t, p.Stdout(), 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Stop(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	<-p.Done() // it ends all the same
	mustBeGone(t, ids)
}

// A write that nobody reads ends with Stop.
func TestStopFreesABlockedWrite(t *testing.T) {
	p := start(t, selfCommand("say:ready", "forever"))
	if _, err := bufio.NewReader(p.Stdout()).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	blocked := make(chan error)
	go func() { _, err := io.Copy(p.Stdin(), endless{}); blocked <- err }()
	stop(t, p)
	if err := <-blocked; err == nil {
		t.Error("the write succeeded")
	}
	if _, err := p.Stdin().Write([]byte("late")); err == nil {
		t.Error("a write after Stop succeeded")
	}
}

// A guard that is killed is replaced by the app, one that hangs as well.
func TestGuardKilled(t *testing.T) {
	for named, script := range map[int][]string{
		1: {"pid", "echo"},
		3: {"ignore-term", "child", "child", "pid", "forever"},
	} {
		p, err := Start(t.Context(), selfCommand(script...))
		if err != nil {
			t.Fatal(err)
		}
		ids := idents(t, p.Stdout(), named)
		killAfterwards(t, ids)
		if err := syscall.Kill(p.run.guard, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		<-p.Done()
		mustBeGone(t, ids)
		if !errors.Is(p.Exit().Err, ErrGuard) || p.Exit().Code != -1 {
			t.Errorf("exit %+v", p.Exit())
		}
	}
}

func TestGuardHangs(t *testing.T) {
	c := selfCommand("ignore-term", "child", "pid", "forever")
	c.Grace = Grace{Stdin: time.Millisecond, Term: time.Millisecond, Kill: 50 * time.Millisecond}
	p, err := Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	ids := idents(t, p.Stdout(), 2)
	killAfterwards(t, append(ids, ident{PID: p.run.guard}))
	if err := syscall.Kill(p.run.guard, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if err := p.Stop(t.Context()); !errors.Is(err, ErrGuard) {
		t.Errorf("error %v", err)
	}
	mustBeGone(t, ids)
}

// SIGTERM to the guard, as a logout sends it, is a stop.
func TestGuardAskedToEnd(t *testing.T) {
	c := selfCommand("pid", "forever")
	c.Grace.Term = patientGrace.Stdin
	p := start(t, c)
	ids := idents(t, p.Stdout(), 1)
	killAfterwards(t, ids)
	if err := syscall.Kill(p.run.guard, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	mustBeGone(t, ids)
	if p.Exit() != (Exit{Code: -1, Signal: "SIGTERM"}) {
		t.Errorf("exit %+v", p.Exit())
	}
}

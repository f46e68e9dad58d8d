//go:build linux || darwin

package proc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestExitIsTheAgentsOwn(t *testing.T) {
	for _, test := range []struct {
		word string
		want Exit
	}{
		{"exit:0", Exit{Code: 0}},
		{"exit:1", Exit{Code: 1}},
		{"exit:41", Exit{Code: 41}},
		{"exit:127", Exit{Code: 127}},
		{"exit:137", Exit{Code: 137}}, // what a shell would call SIGKILL
		{"kill", Exit{Code: -1, Signal: "SIGKILL"}},
	} {
		t.Run(test.word, func(t *testing.T) {
			p := start(t, selfCommand(test.word))
			if early := p.Exit(); early.Code != -1 && early != test.want {
				t.Errorf("before Done: %v", early)
			}
			<-p.Done()
			if got := p.Exit(); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestBytesPassUntouched(t *testing.T) {
	p := start(t, selfCommand("echo"))
	const size = 3 << 20
	go func() {
		defer func() { _ = p.Stdin().Close() }()
		_, _ = io.CopyN(p.Stdin(), endless{}, size)
	}()
	n, err := io.Copy(io.Discard, p.Stdout())
	if n != size || err != nil {
		t.Errorf("%d bytes came back, error %v", n, err)
	}
	<-p.Done()
	if got := p.Exit(); got != (Exit{}) {
		t.Errorf("exit %+v", got)
	}
}

// Case 78.
func TestStderrNeverBlocks(t *testing.T) {
	c := selfCommand()
	c.Path, c.Args, c.Env = "sh", []string{"-c", "head -c 67108864 /dev/zero | tr '\\0' x >&2; printf 'the end' >&2; exit 41"}, os.Environ()
	c.StderrTail = 100
	p := start(t, c)
	<-p.Done()
	if tail := string(p.StderrTail()); tail != strings.Repeat("x", 100-len("the end"))+"the end" {
		t.Errorf("tail %q", tail)
	}
	if p.Exit().Code != 41 {
		t.Errorf("exit %v", p.Exit())
	}
}

// Both streams come as one, in the order written, and nothing stays in the tail.
func TestOneStream(t *testing.T) {
	c := selfCommand()
	c.Path, c.Args, c.Env, c.OneStream = "sh", []string{"-c", "echo 1; echo 2 >&2; echo 3; echo 4 >&2"}, os.Environ(), true
	p := start(t, c)
	out, err := io.ReadAll(p.Stdout())
	<-p.Done()
	if string(out) != "1\n2\n3\n4\n" || err != nil || len(p.StderrTail()) != 0 {
		t.Errorf("%q, %v, tail %q", out, err, p.StderrTail())
	}
}

// Case 84.
func TestStartFailures(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, test := range []struct {
		name   string
		change func(*Command)
		want   error
	}{
		{"absolute path that is not there", func(c *Command) { c.Path = filepath.Join(dir, "none") }, ErrNotFound},
		{"bare name", func(c *Command) { c.Path = "kandev-no-such-program"; c.Env = []string{"PATH=" + dir} }, ErrNotFound},
		{"no PATH", func(c *Command) { c.Path = "sh"; c.Env = nil }, ErrNotFound},
		{"no name", func(c *Command) { c.Path = "" }, ErrNotFound},
		{"below a file", func(c *Command) { c.Path = filepath.Join(write("file", "", 0o600), "x") }, ErrNotFound},
		{"not executable", func(c *Command) { c.Path = write("plain", "#!/bin/sh\n", 0o600) }, ErrNotExecutable},
		{"no format", func(c *Command) { c.Path = write("junk", "\x00\x01", 0o700) }, ErrNotExecutable},
		{"no interpreter", func(c *Command) { c.Path = write("script", "#!/no/such/interpreter\n", 0o700) }, ErrNotExecutable},
		{"a folder", func(c *Command) { c.Path = dir }, ErrNotExecutable},
		{"arguments too long", func(c *Command) { c.Args = []string{strings.Repeat("x", 5<<20)} }, ErrNotExecutable},
		{"NUL in an argument", func(c *Command) { c.Args = []string{"a\x00b"} }, ErrNotExecutable},
		{"folder gone", func(c *Command) { c.Dir = filepath.Join(dir, "gone") }, ErrNoFolder},
		{"folder is a file", func(c *Command) { c.Dir = write("file", "", 0o600) }, ErrNoFolder},
		{"no guard", func(c *Command) { c.Self = nil }, ErrGuard},
		{"guard not there", func(c *Command) { c.Self = []string{filepath.Join(dir, "none")} }, ErrGuard},
		{"guard that is none", func(c *Command) { c.Self = []string{"/bin/sh", "-c", "exit 0"} }, ErrGuard},
		{"pid folder is a file", func(c *Command) { c.PIDDir = write("file", "", 0o600) }, os.ErrExist},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := selfCommand("exit:0")
			test.change(&c)
			p, err := Start(t.Context(), c)
			if p != nil {
				stop(t, p)
			}
			if errors.Is(test.want, os.ErrExist) { // whatever the system calls it
				if err == nil {
					t.Error("no error")
				}
				return
			}
			if !errors.Is(err, test.want) {
				t.Errorf("error %v", err)
			}
			if err != nil && !strings.Contains(err.Error(), c.Path) {
				t.Errorf("the error does not name the command: %v", err)
			}
		})
	}
}

// The folder can go between the app's look and the guard's.
func TestFolderGoneInTheGuard(t *testing.T) {
	c := selfCommand("exit:0")
	o := order{Path: c.Path, Dir: filepath.Join(t.TempDir(), "gone")}
	if pid, err := o.exec(); !errors.Is(err, ErrNoFolder) || pid != 0 {
		t.Errorf("pid %d, error %v", pid, err)
	}
}

func TestStartEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Start(ctx, selfCommand("forever")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	c := selfCommand("exit:0")
	c.Self = []string{"/bin/sleep", "60"} // a guard that never says a word
	began := time.Now()
	if _, err := Start(ctx, c); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestFolderAndEnvironmentAreExact(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "Ünï côde dir")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "my ägent")
	if err := os.Symlink(self, binary); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{binary, "./my ägent", "my ägent"} {
		c := selfCommand("dir", "env")
		c.Path, c.Dir = path, dir
		c.Env = []string{"A=1", "BYTES=\xff\xfe \n=", "PATH=" + dir, "EMPTY="}
		p := start(t, c)
		out, err := io.ReadAll(p.Stdout())
		if want := fmt.Sprintf("%s\n%q\n", dir, c.Env); string(out) != want || err != nil {
			t.Errorf("%s: got %s want %s, error %v", path, out, want, err)
		}
	}
	c := selfCommand("env")
	c.Env = nil
	if out, _ := io.ReadAll(start(t, c).Stdout()); string(out) != "[]\n" {
		t.Errorf("nil Env is not empty: %s", out)
	}
}

func TestCommandIsNotChanged(t *testing.T) {
	c := selfCommand("exit:0")
	before := selfCommand("exit:0")
	start(t, c)
	if !reflect.DeepEqual(c, before) {
		t.Error("Start changed its command")
	}
}

package proc

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"testing"
	"time"
)

// TestStdoutHeldOutside: a process outside of the tree that has the command's stdout does not keep its reader, or the app, from
// ending. What was written before is still read, however slowly.
func TestStdoutHeldOutside(t *testing.T) {
	p := start(t, selfCommand("say:up", "say:before", "say:the end", "echo"))
	held, err := os.OpenFile(fmt.Sprintf("/proc/%d/fd/1", p.PID()), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	lines := bufio.NewReaderSize(p.Stdout(), 16) // the rest stays in the pipe
	if line, err := lines.ReadString('\n'); line != "up\n" {
		t.Fatal(line, err)
	}
	stop(t, p)
	<-time.After(drainLimit + drainLimit/2) // what waits here is a reader that is slow
	ended := make(chan string)
	go func() {
		rest, err := io.ReadAll(lines)
		ended <- fmt.Sprint(string(rest), err)
	}()
	select {
	case rest := <-ended:
		if rest != "before\nthe end\n<nil>" {
			t.Errorf("%q", rest)
		}
	case <-time.After(4 * drainLimit):
		t.Error("stdout does not end")
		_ = held.Close()
		<-ended
	}
}

// TestStdoutWrittenOutside: nor does one that writes on and on, much at once or a little now and then.
func TestStdoutWrittenOutside(t *testing.T) {
	for name, from := range map[string]io.Reader{"much": endless{}, "a little": dripping{}} {
		t.Run(name, func(t *testing.T) { writtenOutside(t, from) })
	}
}

// dripping is endless, and takes its time for each byte.
type dripping struct{}

func (dripping) Read(p []byte) (int, error) {
	<-time.After(drainLimit / 20) // a pace, not a wait for something
	p[0] = 'x'
	return 1, nil
}

func writtenOutside(t *testing.T, from io.Reader) {
	t.Helper()
	p := start(t, selfCommand("say:up", "echo"))
	lines := bufio.NewReader(p.Stdout())
	if line, err := lines.ReadString('\n'); line != "up\n" {
		t.Fatal(line, err)
	}
	held, err := os.OpenFile(fmt.Sprintf("/proc/%d/fd/1", p.PID()), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		_, _ = io.Copy(held, from) // ends with the other end
	}()
	defer func() { _ = held.Close(); <-written }()
	ended := make(chan struct{})
	go func() { defer close(ended); _, _ = io.Copy(io.Discard, lines) }()
	stop(t, p)
	select {
	case <-ended:
	case <-time.After(10 * drainLimit):
		t.Error("stdout does not end")
	}
}

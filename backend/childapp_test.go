package backend

import (
	"context"
	"io"
	"os"
	"os/exec"
	"testing"

	"kandev/backend/event"
)

// openChild opens an app in this process, which a test started as its child.
// Every event fills wake, which holds one.
func openChild(home string) (b *Backend, wake chan struct{}, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	wake = make(chan struct{}, 1)
	o := Options{Home: home, Version: "test", Self: []string{self}, Environ: os.Environ(), Send: func(event.Event) { nudge(wake) }}
	fakes(&o)
	b, err = Open(context.Background(), o)
	return b, wake, err
}

// nudge fills a channel that holds one.
func nudge(wake chan struct{}) {
	select {
	case wake <- struct{}{}:
	default:
	}
}

// childCommand is this program as a child with a project's folder, not started
// yet, and the ends of its pipes.
func childCommand(t *testing.T, args ...string) (cmd *exec.Cmd, in io.WriteCloser, out io.ReadCloser) {
	t.Helper()
	cmd = exec.Command(os.Args[0], args...)
	cmd.Env, cmd.Stderr = append(os.Environ(), "APP_PROJECT="+t.TempDir()), os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if out, err = cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	return cmd, in, out
}

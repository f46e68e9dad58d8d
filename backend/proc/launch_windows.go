package proc

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

// pollEvery is not used: a job object knows its members.
const pollEvery = time.Second

// Guard does nothing on Windows: the job object that the app holds is the guard.
func Guard() int {
	fmt.Fprintln(os.Stderr, "guard: not needed on Windows")
	return 2
}

// launch starts the command suspended, puts it into a job that ends with the app's last handle, and lets it run.
func launch(ctx context.Context, c Command) (*running, error) {
	var files []*os.File
	closeAll := func() {
		for _, f := range files {
			_ = f.Close()
		}
	}
	for range 3 {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll()
			return nil, fmt.Errorf("%w: %w", ErrGuard, err)
		}
		files = append(files, r, w)
	}
	cmd := exec.Command(c.Path, c.Args...)
	cmd.Dir, cmd.Env = c.Dir, append([]string{}, c.Env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = files[0], files[3], files[5]
	cmd.SysProcAttr = &syscall.SysProcAttr{
		HideWindow:    true,
		CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_SUSPENDED,
	}
	if err := cmd.Start(); err != nil {
		closeAll()
		return nil, explain(err, c.Path)
	}
	for _, theirs := range []*os.File{files[0], files[3], files[5]} {
		_ = theirs.Close()
	}
	job, err := newJob(cmd.Process.Pid)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = windows.CloseHandle(job)
		closeAll()
		return nil, fmt.Errorf("%w: job object: %w", ErrGuard, err)
	}
	return runJob(cmd, job, c.Grace, files[1], files[2], files[4]), nil
}

// runJob: there is no SIGTERM to send, so the time for it is added to that for the closed stdin.
func runJob(cmd *exec.Cmd, job windows.Handle, grace Grace, stdin, stdout, stderr *os.File) *running {
	stopping := make(chan struct{})
	// The handle is closed by wait; kill may come later, and its number may then be another's.
	var mu sync.Mutex
	terminate := func() {
		mu.Lock()
		defer mu.Unlock()
		if job != 0 {
			_ = windows.TerminateJobObject(job, 1)
		}
	}
	wait := func() Exit {
		ended := make(chan struct{})
		go func() { defer close(ended); _ = cmd.Wait() }()
		select {
		case <-ended:
		case <-stopping:
			select {
			case <-ended:
			case <-time.After(grace.Stdin + grace.Term):
			}
		}
		terminate() // also what the command left behind
		<-ended
		mu.Lock()
		defer mu.Unlock()
		_ = windows.CloseHandle(job)
		job = 0
		return Exit{Code: cmd.ProcessState.ExitCode()}
	}
	return &running{
		pid: cmd.Process.Pid, stdin: stdin, stdout: stdout, stderr: stderr,
		stop: sync.OnceFunc(func() { close(stopping) }), kill: terminate, wait: wait,
	}
}

func explain(err error, path string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s", ErrNotFound, path)
	}
	return fmt.Errorf("%w: %w", ErrNotExecutable, err)
}

//go:build linux || darwin

package proc

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// exec starts the command on descriptors 0 to 2, in a process group of its own. It is not os.StartProcess, because the guard's reaper
// must be the only one that waits.
func (o order) exec() (pid int, err error) {
	argv := append([]string{o.Path}, o.Args...)
	pid, err = syscall.ForkExec(o.Path, argv, &syscall.ProcAttr{Dir: o.Dir, Env: o.Env, Files: []uintptr{0, 1, 2}, Sys: agentAttributes()})
	if err != nil {
		return 0, o.explain(err)
	}
	return pid, nil
}

// explain finds out what an error number meant: chdir and exec share them.
func (o order) explain(err error) error {
	if _, statErr := os.Stat(o.Dir); statErr != nil {
		return fmt.Errorf("%w: %s", ErrNoFolder, o.Dir)
	}
	if unix.Access(o.Dir, unix.X_OK) != nil {
		return fmt.Errorf("%w: %s: %w", ErrNoFolder, o.Dir, err)
	}
	_, statErr := os.Stat(o.Path)
	switch {
	case errors.Is(err, unix.ENOENT) && statErr == nil:
		return fmt.Errorf("%w: %s: the interpreter that its first line names is missing", ErrNotExecutable, o.Path)
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOTDIR):
		return fmt.Errorf("%w: %s", ErrNotFound, o.Path)
	}
	return fmt.Errorf("%w: %s: %w", ErrNotExecutable, o.Path, err)
}

// failureStatus carries the sentinel as a number and the rest as text.
func failureStatus(err error) status {
	s := status{kind: failed, text: err.Error()}
	for number, sentinel := range failures {
		if errors.Is(err, sentinel) {
			s.number = number
			s.text = strings.TrimPrefix(strings.TrimPrefix(s.text, sentinel.Error()), ": ")
			break
		}
	}
	return s
}

// releaseStdio lets go of the command's pipes, so that their ends are seen when the tree ends and not when the guard does.
func releaseStdio() error {
	null, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(null) }()
	for fd := range 3 {
		if err := duplicate(null, fd); err != nil {
			return err
		}
	}
	return nil
}

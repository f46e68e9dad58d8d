package proc

import (
	"math"
	"syscall"

	"golang.org/x/sys/unix"
)

// adopts: orphans of the tree become the guard's children.
const adopts = true

func becomeReaper() error { return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// agentAttributes: a group of its own, and the end of the guard ends the agent too.
func agentAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// shellAttributes: no terminal to stop at. The kernel hangs the shell up when the thread that asked ends, as when the app is killed.
func shellAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGHUP}
}

func duplicate(from, to int) error { return unix.Dup3(from, to, 0) }

// closeOnExecFrom covers every descriptor from first on, also those the app itself was born with. Kernels before 5.11 get our own two.
func closeOnExecFrom(first int) {
	if unix.CloseRange(uint(first), math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) != nil {
		unix.CloseOnExec(controlFD)
		unix.CloseOnExec(statusFD)
	}
}

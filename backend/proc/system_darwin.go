package proc

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// adopts: orphans of the tree go to launchd; the guard knows only those that a poll has seen.
const adopts = false

func becomeReaper() error { return nil }

func agentAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// shellAttributes: no terminal to stop at.
func shellAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func duplicate(from, to int) error { return unix.Dup2(from, to) }

// inheritedLimit is far above what a desktop launcher leaves open.
const inheritedLimit = 256

func closeOnExecFrom(first int) {
	for fd := first; fd < inheritedLimit; fd++ {
		unix.CloseOnExec(fd)
	}
}

package backend

import (
	"errors"
	"os"
	"syscall"
	"unsafe"
)

// Values of LockFileEx that package syscall does not name.
const (
	lockExclusive = 2
	lockAtOnce    = 1 // LOCKFILE_FAIL_IMMEDIATELY
	lockAt        = 1 << 20

	errLockViolation = syscall.Errno(33)
)

// lockFile locks one byte far beyond the pid, which others may still read.
func lockFile(f *os.File) error {
	at := syscall.Overlapped{Offset: lockAt}
	call := syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")
	ok, _, err := call.Call(f.Fd(), lockExclusive|lockAtOnce, 0, 1, 0, uintptr(unsafe.Pointer(&at)))
	switch {
	case ok != 0:
		return nil
	case errors.Is(err, errLockViolation), errors.Is(err, syscall.ERROR_IO_PENDING):
		return errHeld
	}
	return err
}

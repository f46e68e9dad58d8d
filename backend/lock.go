package backend

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// HeldError says that another app has the data folder.
type HeldError struct{ PID int } // 0 = not known

func (e *HeldError) Error() string {
	if e.PID == 0 {
		return "Kandev Desktop is already running with this data folder."
	}
	return fmt.Sprintf("Kandev Desktop is already running with this data folder, as process %d.", e.PID)
}

// errHeld is what the system's part of the lock says.
var errHeld = errors.New("held by another process")

// lockFolder takes the data folder for this process. The lock is the system's,
// so that it goes with the process however that ends; the file only holds the
// pid, for the sentence that a second start shows.
//
// A folder that cannot be written to is locked by what is there: the file as
// it is, or the folder itself. Where the system has no lock to give, as on some
// shares, there is none: the window must open all the same.
func lockFolder(dir string) (release func(), err error) {
	path := filepath.Join(dir, "lock")
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		f, err = os.Open(path)
	}
	if err != nil {
		f, err = os.Open(dir)
	}
	if err != nil {
		return func() {}, nil
	}
	err = lockFile(f)
	if errors.Is(err, errHeld) {
		held := &HeldError{PID: pidIn(f)}
		_ = f.Close()
		return nil, held
	}
	if err != nil {
		_ = f.Close()
		return func() {}, nil
	}
	if err := f.Truncate(0); err == nil {
		_, _ = f.WriteAt([]byte(strconv.Itoa(os.Getpid())), 0)
	}
	return func() {
		_ = f.Truncate(0)
		_ = f.Close()
	}, nil
}

func pidIn(f *os.File) int {
	b := make([]byte, 16)
	n, _ := f.ReadAt(b, 0)
	pid, err := strconv.Atoi(strings.TrimSpace(string(b[:n])))
	if err != nil {
		return 0
	}
	return pid
}

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
// The folder itself is locked as well, for it may be one in which the file cannot
// be made yet. Where the system has no lock to give, as on some shares, there is
// none: the window must open all the same.
func lockFolder(dir string) (release func(), err error) {
	path := filepath.Join(dir, "lock")
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		file, _ = os.Open(path) // nil when it is not there
	}
	folder, _ := os.Open(dir) // nil when it cannot be
	closeBoth := func() {
		_, _ = file.Close(), folder.Close() // what is nil has no more than an error
	}
	for _, f := range []*os.File{folder, file} {
		if f == nil || !errors.Is(lockFile(f), errHeld) {
			continue
		}
		held := &HeldError{PID: pidIn(file)}
		closeBoth()
		return nil, held
	}
	if err := file.Truncate(0); err == nil {
		_, _ = file.WriteAt([]byte(strconv.Itoa(os.Getpid())), 0)
	}
	return func() {
		_ = file.Truncate(0)
		closeBoth()
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

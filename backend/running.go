package backend

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// FocusSocket is where an app that runs with a data folder answers the words `focus` and `version`, each one line.
func FocusSocket(home string) string { return filepath.Join(home, "focus.sock") }

// ErrNotAnswering says that no app answers there.
var ErrNotAnswering = errors.New("the running app does not answer")

// AskRunning says one word to the app that has the data folder and returns the line that it answers. limit bounds it
// all.
func AskRunning(home, word string, limit time.Duration) (string, error) {
	conn, err := net.DialTimeout("unix", FocusSocket(home), limit)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNotAnswering, err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(limit))
	if _, err := fmt.Fprintln(conn, word); err != nil {
		return "", fmt.Errorf("%w: %w", ErrNotAnswering, err)
	}
	line, err := bufio.NewReaderSize(conn, 256).ReadSlice('\n')
	if err != nil {
		return "", ErrNotAnswering
	}
	return strings.TrimSpace(string(line)), nil
}

// Holder is the pid that the lock file of a data folder names while the lock is held, else 0. It looks and gives the
// lock back at once.
func Holder(home string) int {
	f, err := os.Open(filepath.Join(home, "lock"))
	if err != nil {
		return 0
	}
	defer f.Close()
	if !errors.Is(lockFile(f), errHeld) {
		return 0
	}
	return pidIn(f)
}

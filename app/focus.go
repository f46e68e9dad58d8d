package app

import (
	"bufio"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// focusLimit is how long a second start waits for the first to answer.
const focusLimit = 2 * time.Second

// focusListener answers a second start of the app on a socket in the data
// folder. It understands `focus` and `version`, one line, and nothing else.
type focusListener struct {
	listener net.Listener
	wg       sync.WaitGroup
}

func focusPath(home string) string { return filepath.Join(home, "focus.sock") }

// listenFocus opens the socket; the caller holds the folder's lock, so that an
// old file is a leftover. Without a socket the app works: a second start then
// says that the first does not answer.
func listenFocus(home, version string, raise func(), log *slog.Logger) *focusListener {
	path := focusPath(home)
	_ = os.Remove(path)
	l, err := net.Listen("unix", path)
	if err != nil {
		log.Warn("no focus socket", "err", err)
		return nil
	}
	if err := os.Chmod(path, 0o600); err != nil {
		log.Warn("rights of the focus socket", "err", err)
	}
	f := &focusListener{listener: l}
	f.wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			f.wg.Go(func() { answerFocus(conn, version, raise) })
		}
	})
	return f
}

func answerFocus(conn net.Conn, version string, raise func()) {
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(focusLimit))
	line, err := bufio.NewReaderSize(conn, 64).ReadSlice('\n')
	if err != nil {
		return
	}
	switch strings.TrimSpace(string(line)) {
	case "focus":
		raise()
		fmt.Fprintln(conn, "ok")
	case "version":
		fmt.Fprintln(conn, version)
	}
}

func (f *focusListener) close() {
	_ = f.listener.Close()
	f.wg.Wait()
}

// errNoFocus says that the app that holds the folder did not answer.
var errNoFocus = errors.New("the running app does not answer")

// askFocus asks the running app to come to the front.
func askFocus(home string, limit time.Duration) error {
	conn, err := net.DialTimeout("unix", focusPath(home), limit)
	if err != nil {
		return fmt.Errorf("%w: %w", errNoFocus, err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(limit))
	if _, err := fmt.Fprintln(conn, "focus"); err != nil {
		return fmt.Errorf("%w: %w", errNoFocus, err)
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || strings.TrimSpace(line) != "ok" {
		return errNoFocus
	}
	return nil
}

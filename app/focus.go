package app

import (
	"bufio"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"kandev/backend"
)

// focusLimit is how long a second start waits for the first to answer.
const focusLimit = 2 * time.Second

// focusAgain is the rest between two tries.
const focusAgain = 25 * time.Millisecond

// focusListener answers a second start of the app on a socket in the data
// folder. It understands `focus` and `version`, one line, and nothing else.
type focusListener struct {
	listener net.Listener
	wg       sync.WaitGroup
}

// listenFocus opens the socket; the caller holds the folder's lock, so that an
// old file is a leftover. Without a socket the app works: a second start then
// says that the first does not answer.
func listenFocus(home, version string, raise func(), log *slog.Logger) *focusListener {
	path := backend.FocusSocket(home)
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

// askFocus asks the running app to come to the front. One that has only begun to
// start has the lock and no socket yet: it is asked again until limit is over.
func askFocus(home string, limit time.Duration) error {
	for end := time.Now().Add(limit); ; time.Sleep(focusAgain) {
		answer, err := backend.AskRunning(home, "focus", max(focusAgain, time.Until(end)))
		switch {
		case err == nil && answer == "ok":
			return nil
		case err == nil:
			err = backend.ErrNotAnswering
		}
		if time.Until(end) < focusAgain {
			return err
		}
	}
}

// otherVersion is a sentence when the app that has the data folder is another
// version than this one, as after an upgrade; else "".
func otherVersion(home, mine string) string {
	running, err := backend.AskRunning(home, "version", focusLimit)
	if err != nil || running == mine {
		return ""
	}
	return fmt.Sprintf("version %s is still running and its window was brought to the front; this is %s. Quit it, then start again", running, mine)
}

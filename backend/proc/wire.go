//go:build linux || darwin

package proc

import (
	"encoding/gob"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// The descriptors that a guard is born with beyond the command's stdio.
const (
	controlFD = 3 // read end; carries one order, then nothing until it ends
	statusFD  = 4 // write end; lines, see status
)

// order is what the app tells the guard. It is gob, not JSON: paths and environments are bytes, not text.
type order struct {
	Path, Dir, PIDDir string
	Args, Env         []string
	Grace             Grace
	Poll              time.Duration
}

func (o order) write(w io.Writer) error { return gob.NewEncoder(w).Encode(o) }

func readOrder(r io.Reader) (o order, err error) { return o, gob.NewDecoder(r).Decode(&o) }

// The kinds of status line, in the order in which they come: started or failed; then exited or signalled; then gone.
const (
	started   = "started"   // number: the command's pid; text: its start
	failed    = "failed"    // number: index into failures; text: why
	exited    = "exited"    // number: exit code
	signalled = "signalled" // number: signal
	gone      = "gone"      // number: how many processes are left
)

// failures gives the sentinels that cross the status pipe their numbers.
var failures = []error{ErrGuard, ErrNotFound, ErrNotExecutable, ErrNoFolder}

// status is one line from the guard: "kind number text".
type status struct {
	kind   string
	number int
	text   string
}

func (s status) line() string {
	text := strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, s.text)
	return fmt.Sprintf("%s %d %s\n", s.kind, s.number, text)
}

func parseStatus(line string) (status, error) {
	kind, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
	number, text, _ := strings.Cut(rest, " ")
	n, err := strconv.Atoi(number)
	if err != nil {
		return status{}, fmt.Errorf("%w: status line without a number", ErrGuard)
	}
	switch kind {
	case started, failed, exited, signalled, gone:
		return status{kind, n, text}, nil
	}
	return status{}, fmt.Errorf("%w: unknown status line", ErrGuard)
}

// failure is the error that a failed line stands for.
func (s status) failure() error {
	sentinel := ErrGuard
	if s.number > 0 && s.number < len(failures) {
		sentinel = failures[s.number]
	}
	if s.text == "" {
		return sentinel
	}
	return fmt.Errorf("%w: %s", sentinel, s.text)
}

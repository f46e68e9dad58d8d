package app

import (
	"errors"
	"fmt"
)

// errNoDisplay says why no window can open on a Linux machine.
var errNoDisplay = errors.New("no display: neither DISPLAY nor WAYLAND_DISPLAY is set; " +
	"start Kandev Desktop from a desktop session, or with `xvfb-run -a` where there is no screen")

// errDeadDisplay is the same where the variable is set but nobody answers there.
var errDeadDisplay = errors.New("no display: the one that DISPLAY or WAYLAND_DISPLAY names cannot be opened; " +
	"start Kandev Desktop from a desktop session that is still running")

// gtkPanic is what Wails v2.16.0 panics with when GTK finds no usable display.
const gtkPanic = "failed to init GTK"

// checkDisplay answers errNoDisplay where GTK could only panic. Other systems always have one.
func checkDisplay(goos string, getenv func(string) string) error {
	if goos == "linux" && getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == "" {
		return errNoDisplay
	}
	return nil
}

// runShell calls run, which is wails.Run, and turns GTK's panic about the display into a sentence.
// Every other panic goes on as it was.
func runShell(run func() error) (err error) {
	defer func() {
		switch p := recover(); {
		case p == nil:
		case fmt.Sprint(p) == gtkPanic:
			err = errDeadDisplay
		default:
			panic(p)
		}
	}()
	return run()
}

package app

import (
	"os"
	"os/signal"
	"syscall"
)

// asked are the signals by which a system or a terminal asks a program to end.
var asked = []os.Signal{os.Interrupt, syscall.SIGTERM}

// watchSignals quits without a question when the system says so.
func (w *window) watchSignals() {
	w.signals = make(chan os.Signal, 1)
	signal.Notify(w.signals, asked...)
	if !signal.Ignored(syscall.SIGHUP) { // nohup means it
		signal.Notify(w.signals, syscall.SIGHUP) // the terminal it was started from is closed
	}
	go func() {
		select {
		case <-w.signals:
			w.quit()
		case <-w.quitting:
		}
		signal.Stop(w.signals) // a second one ends the process at once
	}()
}

// takeSignals takes from Wails what it asked for as well, as soon as it has
// started: it closes the window like a person, who is asked about live agents,
// so that of one signal both a question and a quit came, in any order. Whoever
// waits for the process would wait for a person then.
func (w *window) takeSignals() {
	if w.signals == nil {
		return
	}
	signal.Reset(asked...)
	signal.Notify(w.signals, asked...)
	select {
	case <-w.quitting: // a first one was taken already: nobody reads a second
		signal.Stop(w.signals)
	default:
	}
}

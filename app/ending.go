package app

import (
	"time"

	wails "github.com/wailsapp/wails/v2/pkg/runtime"
)

// Wails for Linux forgets a quit that comes before its loop runs, and says
// nothing: it is told again until the loop has ended.
const (
	quitAgain = 500 * time.Millisecond
	quitTries = 20
)

// quit ends the app without asking anybody.
func (w *window) quit() {
	w.mu.Lock()
	w.agreed = true
	w.mu.Unlock()
	w.once.Do(func() {
		close(w.quitting)
		go w.endShell()
	})
}

// endShell asks Wails to end, one call at a time: GTK does not bear two.
func (w *window) endShell() {
	ctx := w.shell()
	if ctx == nil {
		return
	}
	for range quitTries {
		wails.Quit(ctx)
		select {
		case <-w.ended:
			return
		case <-time.After(quitAgain):
		}
	}
}

// shellEnded says that Wails' loop has ended.
func (w *window) shellEnded() { w.end.Do(func() { close(w.ended) }) }

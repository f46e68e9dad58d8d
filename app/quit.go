package app

import (
	"context"
	"fmt"
	"strings"
)

// beforeClose asks when agents are live; true keeps the window open. Wails calls it on the thread
// that draws, so it must not wait for a person.
//
// The question is the page's. A page that never asked for its first snapshot did not load and
// shows nothing: then a native dialog asks, or the window could not be closed at all.
func (w *window) beforeClose(context.Context) (prevent bool) {
	w.mu.Lock()
	// What closes a window before it has started is a signal that Wails took: nobody is there to ask.
	agreed := w.agreed || w.wails == nil
	w.mu.Unlock()
	if agreed || w.backend == nil || !w.backend.AskQuit() {
		return false
	}
	if !w.pageUp.Load() && w.asking.CompareAndSwap(false, true) {
		go w.askNatively()
	}
	return true
}

// askNatively shows the question in a dialog of the system. The process waits for it only as
// long as it lives: Wails gives no way to withdraw a dialog.
func (w *window) askNatively() {
	defer w.asking.Store(false)
	ctx := w.shell()
	if ctx == nil {
		return
	}
	yes, err := w.dialogs.confirm(ctx, "Quit", quitQuestion(w.backend.LiveAgents()))
	if err != nil {
		w.logOf().Warn("quit dialog", "err", err)
		return
	}
	if yes {
		w.quit()
	}
}

// quitQuestion names the agents that would be stopped.
func quitQuestion(agents []string) string {
	what := fmt.Sprintf("%d agents", len(agents))
	if len(agents) == 1 {
		what = "1 agent"
	}
	return fmt.Sprintf("Quit and stop %s?\n\n%s", what, strings.Join(agents, "\n"))
}

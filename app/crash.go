package app

import (
	"sync"
	"time"
)

// crashWindow is how long the page must have lived for another crash to be
// answered by loading it again.
const crashWindow = time.Minute

// crashSentence is shown natively when the page cannot be kept up: there is no
// page to say it.
const crashSentence = "The window's page ended twice within a minute. Your sessions run on and everything is kept. " +
	"Close this window and start Kandev Desktop again; on Linux an update of WebKitGTK often helps."

// crashes decides what follows when the web view's process ends: load the page
// once; the second time within a minute say so natively (spec/sessions.md,
// "Web view crash"). Sessions are not touched either way.
type crashes struct {
	mu   sync.Mutex
	last time.Time
}

// reload reports whether to load the page again.
func (c *crashes) reload(now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	again := c.last.IsZero() || now.Sub(c.last) > crashWindow
	c.last = now
	return again
}

// crashed is called on the shell's own thread and must not wait.
func (w *window) crashed() bool {
	w.pageUp.Store(false) // until it asks for a snapshot again
	again := w.crashes.reload(time.Now())
	w.logOf().Error("the page's process ended", "reloaded", again)
	if !again {
		go func() { _ = w.dialogs.tell(w.shell(), "Kandev Desktop", crashSentence) }() // ends with the dialog
	}
	return again
}

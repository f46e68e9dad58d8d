package backend

import (
	"time"

	"kandev/backend/attach"
	"kandev/backend/event"
)

// record reduces one piece of evidence, publishes and marks dirty, all under
// the session's lock. Starts, ends and supersedes are stored at once.
func (c *conversation) record(e attach.Evidence) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e.Summary = c.hide(e.Summary)
	next, changed := attach.Reduce(c.history, e)
	if !changed {
		return
	}
	c.history = next
	if e.Kind == attach.Started {
		clear(c.joined)
	}
	urgent := e.Kind == attach.Started || e.Kind == attach.Superseded || e.Kind == attach.ExecutionEnded
	c.attachmentChanged(urgent)
	c.b.log.Debug("evidence", "session", c.row.ID, "attempt", e.Attempt, "kind", e.Kind, "server", e.Server)
}

// used counts one call of a tool by its canonical name.
func (c *conversation) used(attempt, name string, known, failed bool, at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	next, changed := attach.Used(c.history, attempt, name, known, failed, at)
	if !changed {
		return
	}
	c.history = next
	c.attachmentChanged(false)
}

// attachmentChanged publishes the summary and marks it dirty. Lock held.
func (c *conversation) attachmentChanged(urgent bool) {
	c.dirty.attachment = true
	c.tell(event.View{Attachment: c.attachmentView()})
	c.changed(urgent)
}

func (c *conversation) attachmentView() *event.Attachment {
	v := attachmentView(c.row.ID, c.history, c.attached())
	return &v
}

// attached says that the agent which runs is the one of the current attempt: an
// attempt that a killed app left has no end and is of another execution. Lock held.
func (c *conversation) attached() bool {
	a := c.history.Current()
	return a != nil && a.EndedAt == nil && a.Execution == c.row.Execution && c.row.State.Live()
}

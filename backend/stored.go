package backend

import (
	"context"

	"kandev/backend/agent"
	"kandev/backend/attach"
	"kandev/backend/event"
	"kandev/backend/session"
	"kandev/backend/settings"
	"kandev/backend/sqlite"
)

// Attachment returns what was last observed of a session, with definitions:
// from memory, else from the database. It asks neither registry nor agent.
func (b *Backend) Attachment(ctx context.Context, id session.ID) (h attach.History, def agent.Definition, live bool, err error) {
	c, err := b.find(id)
	if err != nil {
		return h, def, false, err
	}
	if err := c.load(ctx); err != nil {
		return h, def, false, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	def, ok := b.o.agents(c.row.Agent)
	if !ok {
		def = agent.Definition{ID: c.row.Agent, Name: c.row.Agent}
	}
	return c.history, def, c.attached(), nil
}

// Snapshot is everything the window needs to draw its frame.
func (b *Backend) Snapshot() event.Snapshot { return b.out.snapshot() }

// FirstRun is the session of the sample that this start has begun, which the
// window opens; "" when there was something already.
func (b *Backend) FirstRun() session.ID {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.first
}

// Settings returns the person's choices.
func (b *Backend) Settings() settings.Settings {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.settings
}

// SaveSettings keeps the person's choices.
func (b *Backend) SaveSettings(s settings.Settings) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.settings = s
	b.setLevel(s.LogLevel)
	b.writer.Now("settings", func() sqlite.Change {
		b.mu.Lock()
		defer b.mu.Unlock()
		now := b.settings
		return sqlite.Change{Settings: &now}
	})
}

package backend

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"kandev/backend/event"
)

// LiveAgents names the agents that run now, as the rail shows them.
func (b *Backend) LiveAgents() []string {
	var out []string
	for _, c := range b.all() {
		c.mu.Lock()
		if c.row.State.Live() {
			out = append(out, b.sessionView(c.row, 0).AgentName)
		}
		c.mu.Unlock()
	}
	slices.Sort(out)
	return out
}

// AskQuit asks the window to ask the person. It reports whether there is
// anything to ask: false means that the app can quit at once.
func (b *Backend) AskQuit() bool {
	live := b.LiveAgents()
	if len(live) == 0 {
		return false
	}
	b.out.publish(event.View{Quit: &event.QuitRequest{Agents: live}})
	return true
}

// KeepRunning withdraws the quit question.
func (b *Backend) KeepRunning() {
	b.out.publish(event.View{Quit: &event.QuitRequest{Agents: []string{}}})
}

// untilEnd is a context for work that Close waits for: it ends with the app as
// well, after a moment of its own. done is called when the work is.
func (b *Backend) untilEnd(ctx context.Context, moment time.Duration) (work context.Context, done func()) {
	work, cancel := context.WithCancel(ctx)
	unhook := context.AfterFunc(b.ctx, func() {
		defer cancel()
		timer := time.NewTimer(moment)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-work.Done():
		}
	})
	return work, func() { unhook(); cancel() }
}

// stopAll ends every agent side by side.
func (b *Backend) stopAll(ctx context.Context) error {
	all := b.all()
	errs := make([]error, len(all))
	var wg sync.WaitGroup
	for n, c := range all {
		wg.Go(func() { errs[n] = c.stop(ctx, "Kandev was closed.") })
	}
	for _, l := range b.logins.all() {
		wg.Go(func() { _ = l.end(ctx) }) // what it cannot wait for, Close does
	}
	wg.Wait()
	return errors.Join(errs...)
}

package backend

import (
	"context"
	"sync"
	"time"

	"kandev/backend/event"
)

// outlet owns the stream to the window: its lock is the lock that publishes,
// its goroutine sends, in order and without any lock held. Safe for
// concurrent use.
type outlet struct {
	send func(event.Event)
	now  func() time.Time
	wake chan struct{} // one token: something was published

	mu     sync.Mutex
	stream *event.Stream
}

func newOutlet(epoch string, send func(event.Event), now func() time.Time) *outlet {
	return &outlet{send: send, now: now, wake: make(chan struct{}, 1), stream: event.NewStream(epoch)}
}

func (o *outlet) publish(v event.View) {
	o.mu.Lock()
	o.stream.Publish(o.now(), v)
	o.mu.Unlock()
	select {
	case o.wake <- struct{}{}:
	default: // the sender will look anyway
	}
}

// keep sets what a snapshot holds, for what is known before the window asks.
func (o *outlet) keep(v event.View) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stream.Keep(v)
}

func (o *outlet) forget(session string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stream.Forget(session)
}

func (o *outlet) snapshot() event.Snapshot {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.stream.Snapshot()
}

// run sends until ctx ends.
func (o *outlet) run(ctx context.Context) {
	for {
		o.mu.Lock()
		now := o.now()
		events, next := o.stream.Take(now)
		o.mu.Unlock()
		for _, e := range events {
			o.send(fitted(e))
		}
		var timer <-chan time.Time
		if !next.IsZero() {
			timer = time.After(max(0, next.Sub(now)))
		}
		select {
		case <-ctx.Done():
			return
		case <-o.wake:
		case <-timer:
		}
	}
}

// fitted checks the bound of an event's view where it is sent.
func fitted(e event.Event) event.Event {
	e.View = e.View.Fit(event.MaxView)
	return e
}

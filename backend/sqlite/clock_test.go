package sqlite

import (
	"slices"
	"sync"
	"testing"
	"time"
)

// clock is a Writer's time, moved by the test.
type clock struct {
	mu     sync.Mutex
	now    time.Time
	timers []timer
	armed  *sync.Cond // a timer was set
	gone   bool       // waiting took too long
}

type timer struct {
	at time.Time
	c  chan time.Time
}

func newClock() *clock {
	c := &clock{now: epoch}
	c.armed = sync.NewCond(&c.mu)
	return c
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) After(d time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := timer{c.now.Add(d), make(chan time.Time, 1)}
	if d <= 0 {
		t.c <- c.now
	} else {
		c.timers = append(c.timers, t)
	}
	c.armed.Broadcast()
	return t.c
}

// advance waits until the writer sleeps for exactly d, then lets d pass.
func (c *clock) advance(t testing.TB, d time.Duration) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	until := c.now.Add(d)
	c.await(t, until)
	c.now = until
	c.timers = slices.DeleteFunc(c.timers, func(t timer) bool {
		if t.at.After(until) {
			return false
		}
		t.c <- until
		return true
	})
}

// waits returns when the writer sleeps for exactly d, and lets no time pass.
func (c *clock) waits(t testing.TB, d time.Duration) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.await(t, c.now.Add(d))
}

func (c *clock) await(t testing.TB, until time.Time) {
	t.Helper()
	limit := time.AfterFunc(10*time.Second, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.gone = true
		c.armed.Broadcast()
	})
	defer limit.Stop()
	for !slices.ContainsFunc(c.timers, func(t timer) bool { return t.at.Equal(until) }) {
		if c.gone {
			t.Fatalf("the writer never waits until %v", until)
		}
		c.armed.Wait()
	}
}

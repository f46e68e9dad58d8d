package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

func (w *Writer) run() {
	defer close(w.done)
	for {
		var timer <-chan time.Time
		if wait, ok := w.next(); ok {
			timer = w.o.After(wait)
		}
		select {
		case <-w.ctx.Done():
			return
		case <-w.wake: // something became dirty: look when it is due
			if w.asked.Swap(false) {
				w.checkpointAt = w.o.Now()
			}
		case <-timer:
			_ = w.round(w.ctx, false) // a failure is in the entries
			w.checkpoint(w.ctx)
		case f := <-w.flushes:
			f.done <- w.drain(f.ctx)
		}
	}
}

// next says how long there is nothing to do; false = nothing is planned.
func (w *Writer) next() (time.Duration, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var at time.Time
	for _, e := range w.pending {
		if at.IsZero() || e.due.Before(at) {
			at = e.due
		}
	}
	if !at.IsZero() && at.Before(w.hold) {
		at = w.hold
	}
	if !w.checkpointAt.IsZero() && (at.IsZero() || w.checkpointAt.Before(at)) {
		at = w.checkpointAt
	}
	return max(0, at.Sub(w.o.Now())), !at.IsZero()
}

// round writes what is due, or all. It stops at a fault of the disk, which the
// others would only meet too, each after its own wait for a lock.
func (w *Writer) round(ctx context.Context, all bool) (err error) {
	now := w.o.Now()
	if !all && now.Before(w.hold) {
		return nil
	}
	stopped := false
	for _, e := range w.take(now, all) {
		if stopped {
			w.putBack(e, now) // hold keeps it
			continue
		}
		failure := w.write(ctx, e)
		err = cmp.Or(err, failure)
		stopped = ctx.Err() != nil || ofDisk(failure)
	}
	if w.db.walSize() > w.o.maxWAL && w.checkpointAt.IsZero() {
		w.checkpointAt = now
	}
	return err
}

// take removes the entries that are due, oldest first.
func (w *Writer) take(now time.Time, all bool) []*entry {
	w.mu.Lock()
	defer w.mu.Unlock()
	var due []*entry
	for key, e := range w.pending {
		if all || !e.due.After(now) {
			due = append(due, e)
			delete(w.pending, key)
		}
	}
	slices.SortFunc(due, func(a, b *entry) int { return cmp.Compare(a.seq, b.seq) })
	return due
}

// putBack makes an entry pending again; a newer function for the key stays.
func (w *Writer) putBack(e *entry, due time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e.due = due
	if newer := w.pending[e.key]; newer != nil {
		e.change = newer.change
	}
	w.pending[e.key] = e
}

func (w *Writer) write(ctx context.Context, e *entry) error {
	c := e.change()
	dropped, err := false, error(nil)
	if !c.empty() {
		dropped, err = w.db.SaveSession(ctx, c)
	}
	if err != nil {
		w.failure(ctx, e, err)
		return err
	}
	if dropped {
		w.checkpointAt = w.o.Now()
	}
	if !c.empty() {
		w.hold, w.holdFails = time.Time{}, 0
	}
	if c.Saved != nil {
		c.Saved()
	}
	if w.failed[e.key] {
		if delete(w.failed, e.key); len(w.failed) == 0 {
			w.o.Healed()
		}
	}
	return nil
}

// failure plans the next try and says so once. A write that was given up since
// the Writer ends is no fault.
func (w *Writer) failure(ctx context.Context, e *entry, err error) {
	now := w.o.Now()
	if ctx.Err() != nil {
		w.putBack(e, now)
		return
	}
	e.fails++
	due := now.Add(backoff(e.fails))
	if ofDisk(err) {
		w.holdFails++
		w.hold = now.Add(backoff(w.holdFails))
		due = w.hold
	}
	w.putBack(e, due)
	if len(w.failed) == 0 {
		w.o.Fault(err)
	}
	w.failed[e.key] = true
}

// backoff is 1, 2, 4, 8, 16, 30, 30 … seconds.
func backoff(fails int) time.Duration {
	return min(firstRetry<<min(fails-1, 10), lastRetry)
}

// drain writes all there is, and again what failed, until ctx or the Writer
// ends.
func (w *Writer) drain(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(w.ctx, cancel)()
	for {
		err := w.round(ctx, true)
		left := w.left()
		if left == 0 {
			w.checkpointAt = w.o.Now()
			w.checkpoint(ctx)
			return nil
		}
		if ctx.Err() == nil {
			select {
			case <-ctx.Done():
			case <-w.o.After(writeEvery):
				continue
			}
		}
		return fmt.Errorf("flush: %d not stored: %w", left, errors.Join(ctx.Err(), err))
	}
}

func (w *Writer) left() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.pending)
}

// checkpoint runs a planned checkpoint, and plans the next one while a reader
// prevents it. With a WAL that cannot be emptied and has grown too big, writes
// become rare, so that a forgotten reader cannot fill the disk.
func (w *Writer) checkpoint(ctx context.Context) {
	if w.checkpointAt.IsZero() || w.o.Now().Before(w.checkpointAt) {
		return
	}
	w.checkpointAt = time.Time{}
	every := writeEvery
	if done, err := w.db.Checkpoint(ctx); err != nil || !done {
		w.checkpointAt = w.o.Now().Add(checkpointRetry)
		if w.db.walSize() > w.o.maxWAL {
			every = lastRetry
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.every = every
}

package bridge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// Options are what one bridge connects.
type Options struct {
	// In is read to its end, one JSON-RPC message a line. When ctx ends first
	// and In is an io.Closer, it is closed to end a read that waits.
	In io.Reader
	// Out gets one message a line, each with a single Write.
	Out io.Writer
	// URL is the endpoint: http, on loopback.
	URL string
	// Bearer goes into the Authorization header of every request; empty: none.
	Bearer string
}

// ErrOutput is returned when Out takes no more: the client is gone.
var ErrOutput = errors.New("the output could not be written")

// Run passes messages on until In ends or ctx does, and returns within two
// seconds after that: what is still pending has one second to be answered,
// then the session is ended with a DELETE. The error is nil in both cases. It
// is one of [ErrURL], [ErrBearer], [ErrOutput], or why In could not be read.
// All that Run started has ended when it returns, except a read of In or a
// write to Out that cannot be interrupted.
func Run(ctx context.Context, o Options) error { return run(ctx, o, defaults()) }

func run(ctx context.Context, o Options, l limits) error {
	to, err := newLink(o.URL, o.Bearer, l.dial)
	if err != nil {
		return err
	}
	defer to.close()
	b := &bridge{limits: l, link: to, renewing: make(chan struct{}, 1)}
	b.life, b.end = context.WithCancelCause(ctx)
	defer b.end(nil)
	b.streaming, b.endStreams = context.WithCancel(b.life)
	defer b.endStreams()
	b.out = &output{w: o.Out, failed: func() { b.end(ErrOutput) }}
	b.session.now = b.newSession("", "")

	reader := &lines{limit: l.line, to: make(chan line, l.queue)}
	var reading sync.WaitGroup
	reading.Go(func() { reader.read(b.life, o.In, func() { time.AfterFunc(l.grace, func() { b.end(nil) }) }) })
	b.dispatch(reader.to)

	b.endStreams()
	settle(b.life, &b.requests)
	b.end(nil)
	if closer, ok := o.In.(io.Closer); ok && !reader.ended.Load() {
		_ = closer.Close()
	}
	leaving, left := context.WithTimeout(context.WithoutCancel(ctx), l.leave)
	settle(leaving, &b.requests, &b.streams, &reading)
	left()
	b.finish(context.WithoutCancel(ctx))
	return b.outcome(ctx, reader)
}

// bridge is one run.
type bridge struct {
	limits limits
	link   *link
	out    *output

	life       context.Context // of everything
	end        context.CancelCauseFunc
	streaming  context.Context // of what never ends by itself
	endStreams context.CancelFunc
	requests   sync.WaitGroup // requests whose answer is waited for after the input's end
	streams    sync.WaitGroup

	session   current
	renewing  chan struct{} // held while a session is made, so that one is made at a time
	listening bool          // the dispatcher's: the stream of notifications was started
	pending   pending
}

// dispatch takes lines in order until the input or the life ends.
func (b *bridge) dispatch(from <-chan line) {
	for {
		select {
		case <-b.life.Done():
			return
		case l, ok := <-from:
			if !ok {
				return
			}
			b.take(l)
		}
	}
}

// take does what one line asks for. Only initialize and what has no answer is
// waited for: nothing may overtake those.
func (b *bridge) take(l line) {
	if l.long {
		b.out.write(errorMessage(nil, codeInvalidRequest, "The message is larger than 64 MiB."))
		return
	}
	m, refused := parse(l.bytes)
	switch {
	case refused != nil:
		b.out.write(refused)
	case m.method == methodCancelled && !m.isRequest():
		b.cancel(m)
	case !m.isRequest():
		b.notify(m)
	case m.method == methodInitialize && !m.modern():
		b.initialize(m)
	case m.method == methodListen:
		b.start(b.streaming, &b.streams, m, b.subscribe)
	default:
		b.start(b.life, &b.requests, m, b.exchange)
	}
}

// start runs a request beside the others.
func (b *bridge) start(parent context.Context, group *sync.WaitGroup, m *message, do func(context.Context, *message, *call)) {
	ctx, cancel := context.WithCancel(parent)
	c := b.pending.add(m, cancel)
	group.Go(func() {
		defer cancel()
		defer b.pending.remove(c)
		do(ctx, m, c)
	})
}

// finish ends the session at the endpoint.
func (b *bridge) finish(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, b.limits.farewell)
	defer cancel()
	s, _ := b.session.get()
	b.drop(ctx, s)
}

func (b *bridge) outcome(ctx context.Context, reader *lines) error {
	if cause := context.Cause(b.life); errors.Is(cause, ErrOutput) {
		return fmt.Errorf("bridge: %w", cause)
	}
	if ctx.Err() == nil && reader.ended.Load() && reader.err != nil {
		return fmt.Errorf("bridge: read the input: %w", reader.err)
	}
	return nil
}

// settle waits for the groups, or for ctx.
func settle(ctx context.Context, groups ...*sync.WaitGroup) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, g := range groups {
			g.Wait()
		}
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

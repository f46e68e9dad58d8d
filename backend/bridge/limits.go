package bridge

import "time"

// limits are the bounds of a run; tests shorten them.
type limits struct {
	line  int // bytes of one message, in or out
	queue int // lines that wait behind one that is taken in order

	dial      time.Duration // to connect
	handshake time.Duration // for initialize (spec/agents.md, "Time limits")
	notify    time.Duration // for what has no answer
	cancel    time.Duration // for a cancelled call to end by itself

	grace    time.Duration // after the input's end, for what is pending
	leave    time.Duration // then, for what was ended
	farewell time.Duration // then, for the DELETE

	retry     time.Duration // before a lost stream is opened again; doubled each time
	retryMost time.Duration
}

// defaults: grace, leave and farewell together are under two seconds.
func defaults() limits {
	return limits{
		line: 64 << 20, queue: 256,
		dial: 5 * time.Second, handshake: time.Minute, notify: 10 * time.Second, cancel: time.Second,
		grace: time.Second, leave: 300 * time.Millisecond, farewell: 500 * time.Millisecond,
		retry: 250 * time.Millisecond, retryMost: 30 * time.Second,
	}
}

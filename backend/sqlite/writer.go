package sqlite

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Pace of a Writer, spec/attachment.md "Storing".
const (
	writeEvery      = 250 * time.Millisecond // evidence and transcript are at most this old in memory only
	firstRetry      = time.Second            // doubled up to lastRetry
	lastRetry       = 30 * time.Second
	checkpointRetry = 30 * time.Second
	maxWAL          = 64 << 20 // bytes; beyond it writes are as rare as retries
)

// WriterOptions are what a Writer gets from its owner. Every function may be
// nil. Fault and Healed are called in turn by the writer's goroutine, which
// holds no lock then; they must not wait for the Writer.
type WriterOptions struct {
	Fault  func(error) // the first failed write since all was well; classified
	Healed func()      // everything that had failed is stored

	Now   func() time.Time                       // nil = time.Now
	After func(d time.Duration) <-chan time.Time // nil = time.After

	maxWAL int64 // of tests
}

// Writer stores changes behind the back of those who make them. It asks for
// the change when it writes, so that a retry stores what is true then, not
// what was true when the first try failed.
type Writer struct {
	db      *DB
	o       WriterOptions
	ctx     context.Context
	stop    context.CancelFunc
	done    chan struct{}
	wake    chan struct{}
	asked   atomic.Bool // for a checkpoint
	flushes chan flush

	mu      sync.Mutex
	pending map[string]*entry
	seq     int           // numbers entries: those that became dirty first go first
	every   time.Duration // writeEvery, or lastRetry while the WAL is too big

	// Of the goroutine alone.
	hold         time.Time // no write before it: the disk failed
	holdFails    int
	failed       map[string]bool // keys whose last write failed
	checkpointAt time.Time       // zero = none is due
}

// entry is one key with something to store.
type entry struct {
	key    string
	change func() Change
	due    time.Time
	seq    int
	fails  int
}

type flush struct {
	ctx  context.Context
	done chan error
}

// NewWriter starts a writer on db. Close it before db. After an end that was not
// in order it empties the WAL: that end may have come between a transaction that
// dropped definitions and its checkpoint.
func NewWriter(db *DB, o WriterOptions) *Writer {
	if o.Fault == nil {
		o.Fault = func(error) {}
	}
	if o.Healed == nil {
		o.Healed = func() {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = time.After
	}
	if o.maxWAL == 0 {
		o.maxWAL = maxWAL
	}
	w := &Writer{
		db: db, o: o, done: make(chan struct{}), wake: make(chan struct{}, 1), flushes: make(chan flush),
		pending: map[string]*entry{}, every: writeEvery, failed: map[string]bool{},
	}
	w.ctx, w.stop = context.WithCancel(context.Background())
	if db.Unclean() {
		w.Checkpoint()
	}
	go w.run()
	return w
}

// Dirty says that what belongs to key (a session's id, or a name of the
// caller's for anything else) is to be stored within 250 ms. change is called
// on the writer's goroutine with no lock of the Writer held, once per try; it
// returns what is true now, the zero Change for nothing, and Deleted for a
// session that is gone. A later call for the same key replaces the function.
func (w *Writer) Dirty(key string, change func() Change) { w.add(key, change, false) }

// Now is Dirty without the 250 ms: for an attempt's start, supersede and end,
// for a question and its answer. It does not wait for the write.
func (w *Writer) Now(key string, change func() Change) { w.add(key, change, true) }

func (w *Writer) add(key string, change func() Change, now bool) {
	w.mu.Lock()
	at := w.o.Now()
	if !now {
		at = at.Add(w.every)
	}
	e := w.pending[key]
	if e == nil {
		w.seq++
		e = &entry{key: key, due: at, seq: w.seq}
		w.pending[key] = e
	}
	e.change = change
	if e.fails == 0 && at.Before(e.due) {
		e.due = at
	}
	w.mu.Unlock()
	w.look()
}

// Checkpoint plans one for now, and again while a reader prevents it: definitions
// were deleted without the Writer. It does not wait.
func (w *Writer) Checkpoint() {
	w.asked.Store(true)
	w.look()
}

// look makes the goroutine look at what there is to do.
func (w *Writer) look() {
	select {
	case w.wake <- struct{}{}:
	default: // it will look anyway
	}
}

// Flush stores everything that is dirty now or becomes so meanwhile, trying
// again until ctx ends; then it returns why something is left. The owner gives
// 5 s at quit. After Close it returns context.Canceled.
func (w *Writer) Flush(ctx context.Context) error {
	f := flush{ctx, make(chan error, 1)}
	select {
	case w.flushes <- f:
	case <-ctx.Done():
		return ctx.Err()
	case <-w.done:
		return context.Canceled
	}
	select {
	case err := <-f.done:
		return err
	case <-w.done:
		return context.Canceled
	}
}

// Close ends the goroutine and waits for it. What is still dirty is not
// stored: Flush first.
func (w *Writer) Close() {
	w.stop()
	<-w.done
}

package app

import (
	"context"
	"os"
	"sync"
	"sync/atomic"
	"time"

	wails "github.com/wailsapp/wails/v2/pkg/runtime"

	"kandev/backend"
	"kandev/backend/event"
)

// eventName is the one event the page listens to.
const eventName = "kandev"

// readyLimit bounds how long a bound call that needs the shell waits for it.
const readyLimit = 10 * time.Second

// window is the shell's side of the app: what Wails calls, and what bound
// methods act through. Safe for concurrent use.
type window struct {
	version string
	icon    []byte // a PNG, on Linux
	backend *backend.Backend
	door    door
	ctx     context.Context // of calls into the backend; it never ends: the backend bounds each call itself
	dialogs dialogs
	opener  opener
	focus   *focusListener
	crashes crashes

	up       chan struct{} // closed when Wails has started
	mu       sync.Mutex
	wails    context.Context // what Wails handed to OnStartup; nil before
	agreed   bool            // the person agreed to quit, or a signal demands it
	once     sync.Once
	first    sync.Once // the first snapshot was answered
	pageUp   atomic.Bool
	asking   atomic.Bool // a native quit dialog is open
	quitting chan struct{}
	signals  chan os.Signal // set before Wails starts
	ended    chan struct{}  // closed when Wails' loop has ended
	end      sync.Once
}

func newWindow(version string, icon []byte) *window {
	return &window{
		version: version, icon: icon, ctx: context.Background(),
		up: make(chan struct{}), quitting: make(chan struct{}), ended: make(chan struct{}),
	}
}

// started keeps the context that Wails' runtime wants. The page may call
// before this has run.
func (w *window) started(ctx context.Context) {
	w.mu.Lock()
	w.wails = ctx
	w.mu.Unlock()
	close(w.up)
	w.takeSignals()
	installNavigationGuard(w.crashed)
}

// shell waits up to readyLimit for Wails' context; the answer is nil when it does not come.
func (w *window) shell() context.Context {
	limit := time.NewTimer(readyLimit)
	defer limit.Stop()
	select {
	case <-w.up:
	case <-limit.C:
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.wails
}

// emit sends one event to the page. What is sent before the page listens is
// lost; the page asks for a snapshot after it subscribed.
func (w *window) emit(e event.Event) {
	w.mu.Lock()
	ctx := w.wails
	w.mu.Unlock()
	if ctx != nil {
		wails.EventsEmit(ctx, eventName, e)
	}
}

// raise brings the window to the front.
func (w *window) raise() {
	w.mu.Lock()
	ctx := w.wails
	w.mu.Unlock()
	if ctx != nil {
		wails.WindowUnminimise(ctx)
		wails.WindowShow(ctx)
	}
}

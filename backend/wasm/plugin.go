package wasm

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"kandev/backend/plugin"
)

// Options are what a plugin runs with. Manifest, Grant and Module are needed.
type Options struct {
	Manifest plugin.Manifest
	Grant    plugin.Grant
	// Module reads the module's file. It is asked at every load; what it gives is
	// held against the manifest's sha256.
	Module func() ([]byte, error)
	// Config gives the value of a declared key, a secret's too, when the module
	// asks for it in a call; of a bare module it is asked for any. Nil: none is set.
	Config func(ctx context.Context, key string) (value string, ok bool)
	// Allowed is asked at every call, with the tool's own name: that it was listed
	// once is no permission. Its error is a sentence for the model. Nil: always.
	Allowed func(name string) error
	// Ended is told how every call ended; it returns quickly. Nil: nobody.
	Ended func(Report)
	// Log gets a module's own log lines, one clean line each. They may hold
	// arguments: for an author's eyes, never for the app's log. Nil: dropped.
	Log func(level, line string)
	// Resolve finds the addresses of a host. Nil: the system's resolver.
	Resolve Resolve
	Now     func() time.Time // nil: time.Now
	// Idle is how long a plugin stays loaded without a call; 0 is a minute. The
	// interpreter's form of a Go module takes about 75 MB, and loading it again
	// about 0.15 s. Variables stay.
	Idle time.Duration
}

// Report is how one call ended. It holds nothing of the call itself.
type Report struct {
	Plugin  string
	Tool    string // the canonical name
	Outcome Outcome
	Took    time.Duration
	Line    string // of a failure that is not the tool's own answer; may hold text of the module
	Load    uint64 // as in Failure
}

// Plugin is one plugin ready to be called. It loads at the first call, or at
// Load, and unloads when nobody called it for a while. Safe for concurrent use.
type Plugin struct {
	o     Options
	names []plugin.Name
	vars  variables
	gate  gate
	limit time.Duration

	client *http.Client
	idle   func() // closes idle connections

	life context.Context // ends in Close
	stop context.CancelCauseFunc
	wg   sync.WaitGroup // calls and loads

	mu     sync.Mutex
	closed bool
	calls  int         // that run
	quiet  *time.Timer // unloads; set when the last call ends
	load   *loading    // the load that runs or succeeded
	loads  uint64      // so far
}

// Open names a plugin's tools. It reads no file and runs no code. The error is
// a refusal of the names and wraps plugin.ErrName.
func Open(o Options) (*Plugin, error) {
	names, err := plugin.Names(o.Manifest.ID, o.Manifest.ToolNames())
	if err != nil {
		return nil, err
	}
	if o.Module == nil {
		return nil, errors.New("wasm: a plugin without a module")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Idle <= 0 {
		o.Idle = idleLimit
	}
	if o.Resolve == nil {
		o.Resolve = systemResolve
	}
	o.Grant = o.Grant.Sound()
	p := &Plugin{o: o, names: names, gate: gate{grant: o.Grant, resolve: o.Resolve}}
	p.limit = time.Duration(o.Grant.TimeoutMS) * time.Millisecond
	p.life, p.stop = context.WithCancelCause(context.Background())
	client, transport := p.gate.client()
	p.client, p.idle = client, transport.CloseIdleConnections
	return p, nil
}

// bound gives a call its deadline; it ends with the plugin as well.
func (p *Plugin) bound(ctx context.Context, limit time.Duration) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	unhook := context.AfterFunc(p.life, func() { cancel(errStopped) })
	ctx, end := context.WithTimeout(ctx, limit)
	return ctx, func() { unhook(); end(); cancel(nil) }
}

// Close ends the running calls with a clear error, waits for them and frees the
// plugin's memory. Later calls are answered with an error. It may be called
// more than once, from Ended as well; not from Module, Config or Allowed, which
// run inside a call.
func (p *Plugin) Close() {
	p.mu.Lock()
	p.closed = true
	if p.quiet != nil {
		p.quiet.Stop()
	}
	p.mu.Unlock()
	p.stop(errStopped)
	p.wg.Wait()
	p.idle()
	p.mu.Lock()
	l := p.load
	p.load = nil
	p.mu.Unlock()
	if l != nil && l.engine != nil {
		l.engine.close()
	}
}

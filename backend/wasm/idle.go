package wasm

import "time"

// begin counts a call in, unless the plugin is closed.
func (p *Plugin) begin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.wg.Add(1)
	p.calls++
	return true
}

// finish counts a call out. After the last one the plugin stays loaded for a
// while.
func (p *Plugin) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.calls--; p.calls == 0 && !p.closed {
		p.rest()
	}
	p.wg.Done()
}

// rest arms the timer that unloads. The lock is held.
func (p *Plugin) rest() {
	if p.quiet == nil {
		p.quiet = time.AfterFunc(p.o.Idle, p.Unload)
	} else {
		p.quiet.Reset(p.o.Idle)
	}
}

// Unload frees the compiled module and its instances when nobody uses them;
// otherwise it does nothing. The next call loads anew.
func (p *Plugin) Unload() {
	p.mu.Lock()
	l := p.load
	if p.closed || p.calls > 0 || l == nil {
		p.mu.Unlock()
		return
	}
	select {
	case <-l.done:
	default: // its caller went away while it loads
		p.rest()
		p.mu.Unlock()
		return
	}
	p.load = nil
	p.wg.Add(1) // Close waits
	p.mu.Unlock()
	defer p.wg.Done()
	if l.engine != nil {
		l.engine.close()
	}
}

// Running is the number of calls and loads under way.
func (p *Plugin) Running() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls
}

// Loaded reports whether the compiled module is in memory, or about to be.
func (p *Plugin) Loaded() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.load != nil
}

package bridge

import (
	"context"
	"encoding/json"
	"sync"
)

// call is one request that is being answered.
type call struct {
	key    string
	modern bool
	cancel context.CancelFunc
	begun  chan struct{} // closed when the request was sent or has ended
	once   sync.Once
}

func (c *call) begin() { c.once.Do(func() { close(c.begun) }) }

// pending finds a running request by its id.
type pending struct {
	mu    sync.Mutex
	calls map[string]*call
}

// add notes a request. One with the id of a running one takes its place here;
// both are answered.
func (p *pending) add(m *message, cancel context.CancelFunc) *call {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.calls == nil {
		p.calls = map[string]*call{}
	}
	c := &call{key: idKey(m.id), modern: m.modern(), cancel: cancel, begun: make(chan struct{})}
	p.calls[c.key] = c
	return c
}

func (p *pending) remove(c *call) {
	c.begin()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.calls[c.key] == c {
		delete(p.calls, c.key)
	}
}

func (p *pending) find(id json.RawMessage) *call {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls[idKey(id)]
}
